"""What of the dissimilarities is taken at its word, and what may stand in their place."""
