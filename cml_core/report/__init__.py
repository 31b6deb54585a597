"""What goes home: the report, tables, and the program that makes a map again."""
