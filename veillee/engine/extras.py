"""Libraries that only a part of the software uses, installed by an extra of the package."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from veillee.engine.refusal import Refusal


def require(library: str, extra: str) -> ModuleType:
    """Import a library, or say which extra installs it.

    Raises:
        Refusal: If the library is not installed.
    """
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library.partition(".")[0]:
            raise
        command = f"pip install 'veillee[{extra}]'"
        raise Refusal("unknown", "veillee.extra", library=library, command=command) from error
