"""Bots: search and levels, on the contract alone."""
