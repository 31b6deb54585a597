"""The parts of the Evidence page, one for each question."""
