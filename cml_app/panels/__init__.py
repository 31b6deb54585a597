"""Pieces that pages are made of; each shows one thing of a workspace."""
