"""Everything in the engine that Numba compiles, and what compiles and caches it."""
