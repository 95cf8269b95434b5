"""Random generators: one interface for play and for playouts.

`rng` is a row of 64-bit cells that hold 32-bit words, so that the same code runs compiled and
uncompiled. A *fast* row is sfc32, for playouts. A *secret* row is the ChaCha20 key stream of one
log entry of one game, which can't be predicted from earlier draws. A *script* row returns given
answers and records what was asked, so that all outcomes of chance can be enumerated.
"""

from __future__ import annotations

from veillee.engine.jit.layout import Cells

INLINED = ("below",)
"""A call passes the whole array, which takes longer than a draw."""

FAST = 0
SECRET = 1
SCRIPT = 2
WORD = 0xFFFFFFFF

KIND = 0
FAST_A, FAST_B, FAST_C, FAST_COUNT = 1, 2, 3, 4
KEY = 1
BLOCK = 9
NONCE = 10
USED = 13
BUFFER = 14
WORDS = 16
SIZE = BUFFER + WORDS

ASKED = 1
"""In a script: the number of draws so far. Then for each draw: out of how many, and the answer."""
TOLD = 2
"""In a script: the number of answers that are given; the others are 0."""
FIRST_DRAW = 3


def seed_fast(rng: Cells, seed: int, game: int) -> None:
    """Seed a fast row: an independent stream for each (seed, game)."""
    rng[KIND] = FAST
    rng[FAST_A] = seed & WORD
    rng[FAST_B] = (seed >> 32) & WORD
    rng[FAST_C] = game & WORD
    rng[FAST_COUNT] = 1
    for _ in range(12):
        draw(rng)


def draw(rng: Cells) -> int:
    """Return the next 32 bits."""
    if rng[KIND] == FAST:
        c = rng[FAST_C]
        b = rng[FAST_B]
        out = (rng[FAST_A] + b + rng[FAST_COUNT]) & WORD
        rng[FAST_COUNT] = (rng[FAST_COUNT] + 1) & WORD
        rng[FAST_A] = b ^ (b >> 9)
        rng[FAST_B] = (c + (c << 3)) & WORD
        rng[FAST_C] = ((((c << 21) | (c >> 11)) & WORD) + out) & WORD
        return out
    return draw_secret(rng)


def below(rng: Cells, n: int) -> int:
    """Return a uniform number from 0 to n - 1, without bias (Lemire 2019)."""
    if rng[KIND] == SCRIPT:
        return follow(rng, n)
    product = draw(rng) * n
    low = product & WORD
    if low < n:
        unfair = (WORD + 1 - n) % n
        while low < unfair:
            product = draw(rng) * n
            low = product & WORD
    return product >> 32


def follow(rng: Cells, n: int) -> int:
    """Return the script's next answer, or 0 if there is none; record that one of n was drawn."""
    at = FIRST_DRAW + 2 * rng[ASKED]
    if rng[ASKED] >= rng[TOLD]:
        rng[at + 1] = 0
    rng[at] = n
    rng[ASKED] = rng[ASKED] + 1
    return rng[at + 1]


def draw_secret(rng: Cells) -> int:
    """Return the next word of the ChaCha20 key stream (RFC 8439)."""
    if rng[USED] == WORDS:
        next_block(rng)
        rng[USED] = 0
    out = rng[BUFFER + rng[USED]]
    rng[USED] = rng[USED] + 1
    return out


def next_block(rng: Cells) -> None:
    """Fill the buffer with block number `rng[BLOCK]` and increment the number."""
    start_block(rng)
    for _ in range(10):
        quarter(rng, 0, 4, 8, 12)
        quarter(rng, 1, 5, 9, 13)
        quarter(rng, 2, 6, 10, 14)
        quarter(rng, 3, 7, 11, 15)
        quarter(rng, 0, 5, 10, 15)
        quarter(rng, 1, 6, 11, 12)
        quarter(rng, 2, 7, 8, 13)
        quarter(rng, 3, 4, 9, 14)
    for i in range(WORDS):
        rng[BUFFER + i] = (rng[BUFFER + i] + first_word(rng, i)) & WORD
    rng[BLOCK] = (rng[BLOCK] + 1) & WORD


def start_block(rng: Cells) -> None:
    for i in range(WORDS):
        rng[BUFFER + i] = first_word(rng, i)


def first_word(rng: Cells, i: int) -> int:
    """Return word i of the initial block: four constants, key, block number, nonce."""
    if i == 0:
        return 0x61707865
    if i == 1:
        return 0x3320646E
    if i == 2:
        return 0x79622D32
    if i == 3:
        return 0x6B206574
    return rng[KEY + i - 4]


def quarter(rng: Cells, i: int, j: int, k: int, m: int) -> None:
    a = rng[BUFFER + i]
    b = rng[BUFFER + j]
    c = rng[BUFFER + k]
    d = rng[BUFFER + m]
    a = (a + b) & WORD
    d = turned(d ^ a, 16)
    c = (c + d) & WORD
    b = turned(b ^ c, 12)
    a = (a + b) & WORD
    d = turned(d ^ a, 8)
    c = (c + d) & WORD
    b = turned(b ^ c, 7)
    rng[BUFFER + i] = a
    rng[BUFFER + j] = b
    rng[BUFFER + k] = c
    rng[BUFFER + m] = d


def turned(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & WORD
