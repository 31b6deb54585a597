"""What a person draws on a map, or types, becomes a feature."""
