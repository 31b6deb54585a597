"""Files that hold tables of cells in a form of their own; one module and one line each."""
