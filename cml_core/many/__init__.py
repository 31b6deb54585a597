"""The loop with very many objects: where they are, what is chosen of them, and its steps."""
