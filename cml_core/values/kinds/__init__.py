"""What differs from one kind of feature to another: each kind is one module."""
