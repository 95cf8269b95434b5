"""Nomads: everything that Numba compiles."""
