"""The steps taken, and the project file that keeps them."""
