"""Stored games and playthroughs. `python -m tests.golden` writes them anew: look at the diff."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from veillee.engine.events import Event
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.registry import game, games, versions
from veillee.engine.seed import fast_row

FOLDER = Path(__file__).parent
DEALS = FOLDER / "deals.json"
PERFT_WARM_UP = 25
PERFT_MOST = 20_000


def tables() -> Iterator[tuple[GameSpec, int]]:
    """Yield every version of every game with each number of players."""
    for newest in games().values():
        for version in versions(newest):
            spec = game(newest.name, version)
            for players in spec.player_counts:
                yield spec, players


def label(spec: GameSpec, players: int) -> str:
    version = "" if spec.version == 1 else f"-v{spec.version}"
    return f"{spec.name}{version}-{players}"


def record_file(spec: GameSpec, players: int) -> Path:
    return FOLDER / f"{label(spec, players)}.json"


def playthrough_file(spec: GameSpec, players: int) -> Path:
    return FOLDER / f"{label(spec, players)}.txt"


def golden_game(spec: GameSpec, players: int) -> Game:
    """A whole game by players who take any action."""
    played = game_class(spec)(players, f"golden {spec.name} {players}")
    chance = Random(players)
    while not played.over:
        played.play(chance.choice(played.legal))
    return played


def playthrough(game: Game) -> str:
    """A game as text: every decision, its choices, and what each seat was told of it."""
    lines = [f"{game.spec.name}, {game.players} players, rules {game.spec.version}", ""]
    lines += [f"* {line}" for line in told(game, game.opening)]
    now = type(game).replay(game.record() | {"entries": [], "result": None})
    for step in game.steps:
        lines += ["", f"seat {step.seat}, {now.phase}: {', '.join(a.text for a in now.legal)}"]
        lines += [f"> {game.spec.notation.text(step.action)}"]
        now.play(step.action)
        lines += [f"* {line}" for line in told(game, step.events)]
    lines += ["", f"scores {game.scores}", f"places {game.places}", ""]
    return "\n".join(lines)


def told(game: Game, events: tuple[Event, ...]) -> Iterator[str]:
    """What everybody was told, and what single seats were told besides."""
    for event in events:
        public = game.spec.relate(event.seen_by(0))
        yield json.dumps(public)
        for seat in range(game.players):
            seen = game.spec.relate(event.seen_by(1 << seat))
            if seen != public:
                yield f"  to {seat}: {json.dumps(seen)}"


def deals(game: Game) -> str:
    """A digest of games resampled along a stored one, for who decides and for spectators.

    The same seed deals the same game everywhere: a bot that is given a seed repeats itself.
    """
    digest = hashlib.sha256()
    now = type(game).replay(game.record() | {"entries": [], "result": None}, compiled=False)
    for number, step in enumerate(game.steps):
        for seats in ((step.seat,), ()):
            dealt = now.resample(*seats, seed=number).position
            digest.update(json.dumps(dealt, sort_keys=True).encode())
        now.play(step.action)
    return digest.hexdigest()


def perft(spec: GameSpec, players: int) -> list[int]:
    """How many lines of 1, 2, … decisions there are from one position, till there are many.

    Chance is drawn by the path, so the counts are the same on every machine.
    """
    level, counts = [warmed_up(spec, players)], [1]
    kernel = spec.compiled
    out = np.zeros(spec.actions, np.int16)
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


def warmed_up(spec: GameSpec, players: int) -> States:
    """A position some decisions into a random game."""
    states = spec.template(players)
    kernel = spec.compiled
    out = np.zeros(spec.actions, np.int16)
    kernel.setup_at(states, 0, fast_row(1), out, None)
    chance = Random(1)
    for number in range(PERFT_WARM_UP):
        n = kernel.legal_at(states, 0, out)
        kernel.apply_at(states, 0, int(out[chance.randrange(n)]), fast_row(number), None)
    return states
