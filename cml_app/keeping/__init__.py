"""Projects kept in a database."""
