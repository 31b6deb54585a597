# Rscript cml.R folder n hidden unit|sammon passes
# Prints the seconds that condMDS took, the normalised stress, and the updates it made.
# passes = 0 is cml at its defaults; otherwise exactly that many updates are made.
suppressPackageStartupMessages(library(cml))

given <- commandArgs(trailingOnly = TRUE)
folder <- given[1]
n <- as.integer(given[2])
hidden <- as.integer(given[3])
weights <- given[4]
passes <- as.integer(given[5])

numbers <- function(name, count) {
  readBin(file.path(folder, name), what = "double", n = count, size = 8, endian = "little")
}

D <- matrix(0, n, n)
D[lower.tri(D)] <- numbers("dissimilarities.bin", n * (n - 1) / 2)
D <- D + t(D)
features <- numbers("features.bin", 100 * n)
V <- matrix(features, nrow = n, byrow = TRUE)
W <- 1 / D
diag(W) <- 0

it.max <- if (passes > 0) passes + 1 else 1000
gamma <- if (passes > 0) -1 else 1e-05

set.seed(1)
seconds <- system.time(
  fit <- if (weights == "sammon") {
    condMDS(D, V, u.dim = hidden, W = W, it.max = it.max, gamma = gamma)
  } else {
    condMDS(D, V, u.dim = hidden, it.max = it.max, gamma = gamma)
  }
)[["elapsed"]]

cat(seconds, fit$stress, length(fit$sigma) - 1, "\n")
