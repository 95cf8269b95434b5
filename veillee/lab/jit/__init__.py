"""Everything in the lab that Numba compiles."""
