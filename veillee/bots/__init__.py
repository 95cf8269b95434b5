"""Bots: search and levels, on the spec alone."""
