"""Rate limits: token buckets, keyed by person or by client address."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from veillee.web.shared_keys import MemoryKeys, SharedKeys

logger = logging.getLogger("veillee.http")

INTERVAL = 1.0
"""Seconds between two exchanges with other servers."""


class Quota(NamedTuple):
    """State of a rate limit, for the headers `RateLimit-*`."""

    limit: int
    remaining: int
    reset: int
    """Seconds until all of it is there again."""
    retry_after: int
    """Seconds until there is something again; 0 if there is."""


class RateLimiter:
    """Token bucket for each key: a burst, then a rate per second."""

    SWEEP = 1000
    """After how many requests full buckets are dropped."""

    def __init__(self, name: str, burst: float, rate: float) -> None:
        self.name, self.burst, self.rate = name, burst, rate
        self._buckets: dict[str, tuple[float, float]] = {}
        """Tokens left, and when that was."""
        self._until_sweep = self.SWEEP
        self.taken: Counter[str] = Counter()
        """Tokens taken since other servers were told."""
        self._totals: dict[str, int] = {}
        """Tokens taken at all servers, as far as known."""

    def take(self, key: str) -> bool:
        """Take a token. Return False if there is none."""
        now = time.monotonic()
        left, since = self._buckets.get(key, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        self._buckets[key] = (left - 1 if left >= 1 else left, now)
        self.taken[key] += left >= 1
        self._until_sweep -= 1
        if not self._until_sweep:
            self._sweep(now)
        return left >= 1

    def quota(self, key: str) -> Quota:
        """Return what is left for a key."""
        now = time.monotonic()
        left, since = self._buckets.get(key, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.rate)
        wait = 0 if left >= 1 else math.ceil((1 - left) / self.rate)
        reset = math.ceil((self.burst - left) / self.rate)
        return Quota(int(self.burst), max(0, int(left)), reset, wait)

    def _sweep(self, now: float) -> None:
        """Drop the buckets that are full again."""
        self._until_sweep = max(self.SWEEP, len(self._buckets))
        old = now - self.burst / self.rate
        self._buckets = {key: each for key, each in self._buckets.items() if each[1] > old}
        self._totals = {key: n for key, n in self._totals.items() if key in self._buckets}
        self.taken = Counter({key: n for key, n in self.taken.items() if key in self._buckets})

    def charge(self, key: str, own: int, total: int) -> None:
        """Take the tokens that others took since the last time; the first time, none."""
        others = total - self._totals.get(key, total - own) - own
        self._totals[key] = total
        if others > 0 and key in self._buckets:
            left, since = self._buckets[key]
            self._buckets[key] = (left - others, since)

    def __len__(self) -> int:
        return len(self._buckets)


class Limits:
    """The limits of the server, by purpose."""

    def __init__(self) -> None:
        self.acting = RateLimiter("acting", 60, 12)
        """Commands, by person."""
        self.opening = RateLimiter("opening", 20, 0.5)
        """New tables, by address."""
        self.listing = RateLimiter("listing", 4, 1 / 300)
        """Tables in the public list, by address."""
        self.mailing = RateLimiter("mailing", 4, 1 / 300)
        """E-mail to confirm an address, by the client's address."""
        self.asking = RateLimiter("asking", 120, 30)
        """Streams, previews and other cheap requests, by address."""
        self.expensive = RateLimiter("expensive", 40, 2)
        """Pages that take long to make, by address."""
        self.analysing = RateLimiter("analysing", 6, 1 / 30)
        """Analyses, by address: each keeps a processor busy for about ten seconds."""
        self.meeting = RateLimiter("meeting", 40, 0.5)
        """People who are stored for the first time, or forgotten, by address."""

    async def share(self, keys: SharedKeys) -> None:
        """Tell other servers what was used here and learn what was used there, until cancelled."""
        while not isinstance(keys, MemoryKeys):
            await asyncio.sleep(INTERVAL)
            try:
                for limiter in vars(self).values():
                    await self._exchange(limiter, keys)
            except Exception as error:  # noqa: BLE001 - the store is away: it will come back
                logger.warning("rate limits cannot be shared: %s", error)

    @staticmethod
    async def _exchange(limiter: RateLimiter, keys: SharedKeys) -> None:
        taken, limiter.taken = limiter.taken, Counter()
        if taken:
            amounts = {f"{limiter.name}:{key}": n for key, n in taken.items()}
            totals = await keys.add(amounts, limiter.burst / limiter.rate)
            for key, own in taken.items():
                limiter.charge(key, own, totals[f"{limiter.name}:{key}"])


def network_of(address: str) -> str:
    """The key of a client's address: IPv6 clients have a whole /64."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"
    return address
