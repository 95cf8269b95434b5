"""Libraries that the lab uses only for some of its commands."""

from __future__ import annotations

from typing import Any

from veillee.engine import extras


def require(library: str, extra: str = "lab") -> Any:
    """Import a library, or say which extra installs it."""
    return extras.require(library, extra)
