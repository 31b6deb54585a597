"""Maps of very many objects: some are fitted together, each other one is placed among them."""
