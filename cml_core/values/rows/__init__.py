"""Rows of measurements, wherever they lie: read block by block, never all of them at once."""
