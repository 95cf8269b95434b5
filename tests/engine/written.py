"""Games that a test writes into a folder of its own and changes while it runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from veillee.engine import discovery, i18n, registry
from veillee.engine.jit import cache


@contextmanager
def games_in(folder: Path) -> Iterator[None]:
    """Find the games in a folder; afterwards, forget them."""
    listed = os.environ.get(discovery.FOLDERS)
    os.environ[discovery.FOLDERS] = str(folder)
    forget(folder)
    try:
        yield
    finally:
        if listed is None:
            del os.environ[discovery.FOLDERS]
        else:
            os.environ[discovery.FOLDERS] = listed
        if str(folder) in sys.path:
            sys.path.remove(str(folder))
        forget(folder)


def forget(folder: Path) -> None:
    """Forget what was loaded from a folder, as a new process would."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
    for cached in (discovery.packages, registry._load, registry._ordered, i18n.folders):
        cached.cache_clear()
    cache._contents.cache_clear()
    cache._imports.cache_clear()


def change(file: Path, old: str, new: str) -> None:
    """Replace something in a file that must be there."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
