"""`python -m tests.engine.audit 100000`: so many random games of every game and number of players,
with every invariant checked at every step."""

from __future__ import annotations

import sys
import time

from tests.engine.test_conformance import audit
from veillee.engine.library import games

if __name__ == "__main__":
    for contract in games().values():
        for players in contract.seats:
            start = time.perf_counter()
            audit(contract, players, int(sys.argv[1]))
            seconds = time.perf_counter() - start
            print(f"{contract.name}, {players} players: {sys.argv[1]} games, {seconds:.0f} s")
