"""Is anything left, did it help, what might it be, and can this map be trusted."""
