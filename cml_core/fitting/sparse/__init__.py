"""Maps of many objects of which some pairs were observed, without a table of all pairs."""
