"""Tests of the built and installed package; `make test-package` runs the heavy ones."""
