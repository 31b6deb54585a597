"""The Learn page: ten lessons, and puzzles for a class."""
