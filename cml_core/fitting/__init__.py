"""From a question to its answer: the problem, the solvers, and what they found."""
