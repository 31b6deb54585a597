"""Excel workbooks (.xlsx), read a little at a time and never further than a table needs."""
