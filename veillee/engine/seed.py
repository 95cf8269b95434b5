"""Verifiable chance: a secret seed of 256 bits, committed to before the game, revealed after it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from veillee.engine.jit import rng as chance

Row = npt.NDArray[np.int64]


class Seed:
    """256 bits. `commitment` may be shown before the game; `hex` only after it."""

    def __init__(self, value: bytes) -> None:
        if len(value) != 32:
            raise ValueError(f"a seed has 32 bytes, not {len(value)}")
        self.bytes = value

    @classmethod
    def of(cls, value: Seed | bytes | str | int | None) -> Seed:
        """Return a seed: 64 hex digits or 32 bytes as they are, other values hashed, None drawn."""
        if isinstance(value, Seed):
            return value
        if value is None:
            return cls(secrets.token_bytes(32))
        if isinstance(value, bytes):
            return cls(value)
        text = str(value)
        if len(text) == 64:
            try:
                return cls(bytes.fromhex(text))
            except ValueError:
                pass
        return cls(
            hashlib.sha256(b"veillee.seed:" + text.encode("utf-8", "surrogatepass")).digest()
        )

    def mixed(self, nonces: Iterable[bytes]) -> Seed:
        """Return the seed mixed with a nonce from each person: nobody can choose it alone."""
        digest = hashlib.sha256(b"veillee.mix:" + self.bytes)
        for nonce in nonces:
            digest.update(hashlib.sha256(nonce).digest())
        return Seed(digest.digest())

    @property
    def hex(self) -> str:
        return self.bytes.hex()

    @property
    def commitment(self) -> str:
        """The hash that commits to the seed without revealing it."""
        return hashlib.sha256(b"veillee.commit:" + self.bytes).hexdigest()

    def row(self, entry: int) -> Row:
        """Return the random stream of log entry `entry`, in the form that the rules take."""
        row = np.zeros(chance.SIZE, np.int64)
        row[chance.KIND] = chance.SECRET
        row[chance.KEY : chance.KEY + 8] = np.frombuffer(self.bytes, "<u4")
        row[chance.NONCE] = entry
        row[chance.USED] = chance.WORDS
        return row


def fast_row(seed: int, game: int = 0) -> Row:
    """Return a fast generator for playouts; it can be predicted, so it is not for live games."""
    row = np.zeros(chance.SIZE, np.int64)
    chance.seed_fast(row.data, seed, game)
    return row
