"""Everything in the adapters that Numba compiles."""
