"""Everything in the bots that Numba compiles."""
