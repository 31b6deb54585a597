"""`python -m benchmarks.papers`: the tables and figures of the papers, run again."""
