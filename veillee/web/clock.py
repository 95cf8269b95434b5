"""The time as logs and clocks need it."""

from __future__ import annotations

import time

_START = time.time() - time.monotonic()


def now() -> int:
    """Milliseconds since 1970. A system clock that is set while we run changes nothing."""
    return int((_START + time.monotonic()) * 1000)
