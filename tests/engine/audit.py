"""`python -m tests.engine.audit 100000`: so many random games of every game and number of players,
with every invariant checked at every step."""

from __future__ import annotations

import sys
import time

from tests.engine.test_conformance import audit
from veillee.engine.registry import games

if __name__ == "__main__":
    for spec in games().values():
        for players in spec.player_counts:
            start = time.perf_counter()
            audit(spec, players, int(sys.argv[1]))
            seconds = time.perf_counter() - start
            print(f"{spec.name}, {players} players: {sys.argv[1]} games, {seconds:.0f} s")
