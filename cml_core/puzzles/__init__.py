"""Puzzles for a class: data in which something is hidden, and how well it was found."""
