"""Features that are given: whose they are, of which kind, and what is odd about them."""
