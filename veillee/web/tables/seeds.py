"""The secret seeds of tables, derived from the store's key.

A table's seed follows from its id, so it is fixed, and can be committed to, before anybody sits.
"""

from __future__ import annotations

import hashlib
import hmac

from veillee.engine.seed import Seed


class SeedSource:
    """Derives seeds and the ids of following tables."""

    def __init__(self, key: str) -> None:
        self._key = bytes.fromhex(key)

    def seed(self, table_id: str) -> Seed:
        """The 256 secret bits of a table."""
        return Seed(self._digest(f"seed\0{table_id}"))

    def next_id(self, table_id: str) -> str:
        """The id of the table that follows a table."""
        return self._digest(f"next\0{table_id}").hex()[:32]

    def _digest(self, text: str) -> bytes:
        return hmac.new(self._key, text.encode(), hashlib.sha256).digest()
