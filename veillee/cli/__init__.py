"""The command `veillee`."""

from veillee.cli.main import main

__all__ = ["main"]
