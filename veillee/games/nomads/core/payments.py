"""Nomads: lookup table of the sets of different tiles that can pay for a Song.

`SETS` holds, for every set of legends that one may have tiles of, all its subsets, the larger ones
first; `FIRST[kinds, n]` is where its subsets of at most n - 1 begin.
"""

from __future__ import annotations

import numpy as np

from veillee.games.nomads.core.actions import KINDS
from veillee.games.nomads.core.state import LEGENDS

FIRST = np.zeros((KINDS, LEGENDS + 2), np.int16)
_found: list[int] = []
for _kinds in range(KINDS):
    _subsets = [paid for paid in range(KINDS - 1, -1, -1) if paid & ~_kinds == 0]
    _subsets.sort(key=int.bit_count, reverse=True)
    for _n in range(LEGENDS + 2):
        FIRST[_kinds, _n] = len(_found) + sum(paid.bit_count() >= _n for paid in _subsets)
    _found += _subsets
SETS = np.array(_found, np.int16)
