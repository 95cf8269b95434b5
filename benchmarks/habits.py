"""`python -m benchmarks.habits`: what each level does at Oh Captain! when it must not be readable.

Tables of one level play among themselves. Tells how often an announcement is true, how often an
attack is answered by an accusation, true or false, how often the Captain buys, how often a player
richer than the Captain mutinies, and how often Red is chosen where others are left.
"""

from __future__ import annotations

import argparse
from collections import Counter

from veillee.bots.levels import NAMES
from veillee.games.captain import SPEC, Game
from veillee.games.captain.core.actions import ADVENTURER
from veillee.games.captain.core.rules import found, tool_of
from veillee.games.captain.core.state import Adventurer, Phase
from veillee.lab.players import player

COLUMNS = (
    "true",
    "true of tools",
    "accuses the false",
    "accuses the true",
    "buys",
    "mutinies",
    "takes Red",
)
RED = ADVENTURER + Adventurer.RED - 1


def counted(entrant: str, players: int, games: int, seed: int) -> Counter[tuple[str, bool]]:
    """Play games and count decisions: (what it was about, whether it was done)."""
    count: Counter[tuple[str, bool]] = Counter()
    for number in range(games):
        game = Game(players, f"{seed}:{number}", compiled=True)
        choose = [player(SPEC, players, entrant, number * players + i) for i in range(players)]
        told_true = False
        while not game.over:
            s = game.state
            action = choose[game.seat](game.seen_by(game.seat))
            at = [int(legal) for legal in game.legal].index(action)
            if s.phase == Phase.ANNOUNCE:
                tool = tool_of(found(s))
                told_true = tool == at
                count["true", told_true] += 1
                if tool >= 0:
                    count["true of tools", told_true] += 1
            elif s.phase == Phase.ANSWER:
                count[f"accuses the {'true' if told_true else 'false'}", at == 1] += 1
            elif s.phase == Phase.CHOICE:
                count["buys", at == 0] += 1
            elif s.phase == Phase.ADVENTURER and len(game.legal) > 1 and RED in game.legal:
                count["takes Red", action == RED] += 1
            elif s.phase == Phase.RICH:
                count["mutinies", at == 0] += 1
            game.play(action)
    return count


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.habits", description=__doc__)
    ask.add_argument("entrants", nargs="*", default=list(NAMES))
    ask.add_argument("--players", type=int, default=3)
    ask.add_argument("--games", type=int, default=200)
    ask.add_argument("--seed", type=int, default=1)
    chosen = ask.parse_args()
    print(f"| level | {' | '.join(COLUMNS)} |")
    print(f"| --- |{' ---: |' * len(COLUMNS)}")
    for entrant in chosen.entrants:
        count = counted(entrant, chosen.players, chosen.games, chosen.seed)
        cells = []
        for column in COLUMNS:
            times = count[column, True] + count[column, False]
            cells.append(f"{count[column, True] / times:.2f} of {times}" if times else "never")
        print(f"| {entrant} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
