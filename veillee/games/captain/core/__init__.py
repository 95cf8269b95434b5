"""Oh Captain!: everything that Numba compiles."""
