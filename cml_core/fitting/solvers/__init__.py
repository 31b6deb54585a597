"""Minimisers of the conditional stress; each takes an objective and a start."""
