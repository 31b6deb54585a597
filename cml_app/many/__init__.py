"""Very many objects: maps that are held, made in the background, and what visitors bring."""
