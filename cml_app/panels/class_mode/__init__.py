"""Puzzles for a class: making one, opening it, handing in, and watching."""
