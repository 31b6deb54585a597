"""One module for each method."""
