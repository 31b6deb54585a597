"""Readers from libraries, each in a process of its own with bounds to memory and time."""
