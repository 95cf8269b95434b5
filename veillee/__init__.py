"""Veillée."""
