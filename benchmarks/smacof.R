# Rscript smacof.R folder n hidden ratio|interval|mspline|ordinal
# Prints the seconds that mds took at its defaults, its Stress-1, and the passes it made.
suppressPackageStartupMessages(library(smacof))

given <- commandArgs(trailingOnly = TRUE)
n <- as.integer(given[2])

D <- matrix(0, n, n)
D[lower.tri(D)] <- readBin(
  file.path(given[1], "dissimilarities.bin"),
  what = "double", n = n * (n - 1) / 2, size = 8, endian = "little"
)
D <- D + t(D)

seconds <- system.time(
  fit <- mds(D, ndim = as.integer(given[3]), type = given[4])
)[["elapsed"]]

cat(seconds, fit$stress, fit$niter, "\n")
