"""Readiness: whether the store can be written to."""

from __future__ import annotations

import asyncio
import logging
import time

from veillee.web.clock import now
from veillee.web.database import Store, queries

READY_IN = 3
"""Seconds in which a write must succeed."""
logger = logging.getLogger("veillee.health")


class Readiness:
    """Writes to the store, at most once in `KEPT` seconds however many ask."""

    KEPT = 1.0

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()
        self._good = False
        self._checked = -self.KEPT

    async def check(self) -> bool:
        async with self._lock:
            if time.monotonic() - self._checked >= self.KEPT:
                self._good = await self._write()
                self._checked = time.monotonic()
            return self._good

    async def _write(self) -> bool:
        try:
            async with asyncio.timeout(READY_IN):
                await queries.check_writable(self._store, now())
        except Exception as error:  # noqa: BLE001 - whatever it is, it can't take moves
            logger.warning("not ready: %s", error or type(error).__name__)
            return False
        return True
