"""Development tools: what `make` runs besides the package and its tests."""
