"""Lumens: everything that Numba compiles."""
