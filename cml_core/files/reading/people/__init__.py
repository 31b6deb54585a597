"""Files in which every line, or column, is what one person said."""
