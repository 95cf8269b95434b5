"""Development tools that `make` runs, beside the package and its tests."""
