"""Stored games and playthroughs. `python -m tests.golden` writes them anew: look at the diff."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from veillee.engine.contract import Contract
from veillee.engine.events import Event
from veillee.engine.game import Game, game_of
from veillee.engine.library import games
from veillee.engine.record import States
from veillee.engine.seed import fast_row

FOLDER = Path(__file__).parent
PERFT_WARM_UP = 25
PERFT_MOST = 20_000


def tables() -> Iterator[tuple[Contract, int]]:
    for contract in games().values():
        for players in contract.seats:
            yield contract, players


def record_file(contract: Contract, players: int) -> Path:
    return FOLDER / f"{contract.name}-{players}.json"


def playthrough_file(contract: Contract, players: int) -> Path:
    return FOLDER / f"{contract.name}-{players}.txt"


def golden_game(contract: Contract, players: int) -> Game:
    """A whole game by players who take any action."""
    game = game_of(contract)(players, f"golden {contract.name} {players}")
    chance = Random(players)
    while not game.over:
        game.play(chance.choice(game.legal))
    return game


def playthrough(game: Game) -> str:
    """A game as text: every decision, its choices, and what each seat was told of it."""
    lines = [f"{game.contract.name}, {game.players} players, rules {game.contract.version}", ""]
    lines += [f"* {line}" for line in told(game, game.opening)]
    now = type(game).replay(game.record() | {"entries": [], "result": None})
    for step in game.steps:
        lines += ["", f"seat {step.seat}, {now.phase}: {', '.join(a.text for a in now.legal)}"]
        lines += [f"> {game.contract.text(step.action)}"]
        now.play(step.action)
        lines += [f"* {line}" for line in told(game, step.events)]
    lines += ["", f"scores {game.scores}", f"places {game.places}", ""]
    return "\n".join(lines)


def told(game: Game, events: tuple[Event, ...]) -> Iterator[str]:
    """What everybody was told, and what single seats were told besides."""
    for event in events:
        public = game.contract.relate(event.seen_by(0))
        yield json.dumps(public)
        for seat in range(game.players):
            seen = game.contract.relate(event.seen_by(1 << seat))
            if seen != public:
                yield f"  to {seat}: {json.dumps(seen)}"


def perft(contract: Contract, players: int) -> list[int]:
    """How many lines of 1, 2, … decisions there are from one position, till there are many.

    Chance is drawn by the path, so the counts are the same on every machine.
    """
    level, counts = [warmed_up(contract, players)], [1]
    kernel = contract.compiled
    out = np.zeros(contract.actions, np.int16)
    while counts[-1] * counts[-1] < PERFT_MOST * counts[-2 if len(counts) > 1 else -1]:
        following = []
        for state in level:
            n = 0 if state[0]["seat"] < 0 else kernel.legal_at(state, 0, out)
            for action in out[:n].tolist():
                after = state.copy()
                kernel.apply_at(after, 0, action, fast_row(len(counts), action), None)
                following.append(after)
        level = following
        counts.append(len(level))
    return counts[1:]


def warmed_up(contract: Contract, players: int) -> States:
    """A position some decisions into a random game."""
    states = contract.template(players)
    kernel = contract.compiled
    out = np.zeros(contract.actions, np.int16)
    kernel.setup_at(states, 0, fast_row(1), out, None)
    chance = Random(1)
    for number in range(PERFT_WARM_UP):
        n = kernel.legal_at(states, 0, out)
        kernel.apply_at(states, 0, int(out[chance.randrange(n)]), fast_row(number), None)
    return states
