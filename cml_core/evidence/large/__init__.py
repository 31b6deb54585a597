"""Evidence about maps of very many objects: from samples, and from sums over all of them."""
