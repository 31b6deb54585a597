"""The page of very many objects, part by part."""
