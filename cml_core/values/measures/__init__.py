"""How far apart objects are by their measurements, for so many that no table holds all pairs."""
