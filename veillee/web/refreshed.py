"""Cache of rows of the store, refreshed because other servers may change them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod


class Refreshed(ABC):
    """Read when opened, then at a fixed interval until closed."""

    def __init__(self, name: str, every: float) -> None:
        self._name = name
        self._every = every
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def refresh(self) -> None:
        """Read what the store has now."""

    async def open(self) -> None:
        await self.refresh()
        self._task = asyncio.create_task(self._keep_fresh())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _keep_fresh(self) -> None:
        log = logging.getLogger(f"veillee.{self._name}")
        while True:
            await asyncio.sleep(self._every)
            try:
                await self.refresh()
            except Exception as error:  # noqa: BLE001 - the store is away: it will come back
                log.warning("the %s cannot be read: %s", self._name, error)
