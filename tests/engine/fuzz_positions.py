"""Positions, views and records that a careless or hostile program might load.

`python -m tests.engine.fuzz --positions 1000000` loads a million, half of them compiled, in one
process. Each must be refused with a clause or be played to the end by random play.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from rich.progress import track

from veillee.engine.game import Game, game_class
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games

LONGEST_GAME = 20_000
GAMES_KEPT = 40
"""Games of each kind and number of players from which positions are taken."""

ARGUMENTS = ("self", "players", "seed", "names", "compiled", "rules", "options")
"""Names that options must not have: they are arguments of a game."""

Json = Any
Place = tuple[Any, Any]
"""A container and the key or index of a value in it."""


class PositionFuzzer:
    """Makes positions, views and records of real games and changes a little in them."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.kinds = [game_class(spec) for spec in games().values()]
        self.sound: dict[str, list[Json]] = {kind.spec.name: [] for kind in self.kinds}
        self.words: dict[str, list[str]] = {}
        for kind in self.kinds:
            for players in kind.spec.player_counts:
                self._collect(kind, players)
            found = {word for sound in self.sound[kind.spec.name] for word in strings(sound)}
            self.words[kind.spec.name] = sorted({*kind.spec.phases, *found, *ARGUMENTS})

    def _collect(self, kind: type[Game], players: int) -> None:
        """Keep positions, views and the record of a random game, finished ones among them."""
        kept = self.sound[kind.spec.name]
        options = [{}, dict(kind.spec.options.SMALL)]
        for seed in range(GAMES_KEPT // len(kind.spec.player_counts)):
            try:
                game = kind(players, seed, **options[seed % 4 == 3])
            except Refusal:
                continue
            while not game.over:
                if self.chance.random() < 0.15:
                    kept.append(game.position)
                    kept.append(game.view(self.chance.choice([None, *range(players)])))
                game.play(self.chance.choice(game.legal))
            kept += [game.position, game.view(None), game.view(self.chance.randrange(players))]
            kept.append(game.record())

    def __iter__(self) -> Iterator[tuple[type[Game], Json]]:
        while True:
            kind = self.chance.choice(self.kinds)
            data = copy.deepcopy(self.chance.choice(self.sound[kind.spec.name]))
            for _ in range(self.chance.choice((0, 1, 1, 1, 1, 2, 2, 3, 5))):
                self.change(data, self.words[kind.spec.name])
            yield kind, data

    def change(self, data: Json, words: list[str]) -> None:
        """Change one value somewhere inside."""
        chance = self.chance
        holder, key = chance.choice(list(places(data)))
        value = holder[key]
        kind = chance.random()
        if isinstance(holder, list) and kind < 0.15:
            other = chance.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        elif kind < 0.25:
            del holder[key]
        elif isinstance(holder, list) and kind < 0.3:
            holder.append(copy.deepcopy(value))
        elif kind < 0.4:
            where, at = chance.choice(list(places(data)))
            holder[key] = copy.deepcopy(where[at])
        elif isinstance(value, bool):
            holder[key] = not value
        elif isinstance(value, int):
            holder[key] = value + chance.choice((-1, 1, 1, -2, 2, 5, -100, 10**9))
        elif isinstance(value, str) or value is None:
            holder[key] = chance.choice([None, *words])
        elif isinstance(value, dict):
            value[chance.choice(words)] = chance.choice((0, 1, 2, None, chance.choice(words)))


def places(data: Json) -> Iterator[Place]:
    """Every value inside, by its container and key."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def strings(data: Json) -> Iterator[str]:
    for holder, key in places(data):
        if isinstance(holder[key], str) and len(holder[key]) < 20:
            yield holder[key]


def load(kind: type[Game], data: Json, compiled: bool) -> Game | None:
    """Load a position, view or record; None if it was refused as it should be."""
    try:
        if "entries" in data or "format" in data:
            return kind.replay(data, compiled)
        return kind.from_position(data, 5, compiled=compiled)
    except Refusal:
        return None


def play_to_the_end(game: Game, chance: Random) -> None:
    """Take random actions; now and then view and resample, as a server and a bot would."""
    for _ in range(LONGEST_GAME):
        if chance.random() < 0.05:
            seats = [seat for seat in range(game.players) if chance.random() < 0.4]
            other = game.resample(*seats, seed=chance.randrange(1 << 30))
            assert other.seen_by(*seats).tobytes() == game.seen_by(*seats).tobytes()
            game = other
            game.spec.position.check(game.state)
        if game.over:
            assert 1 in game.places
            return
        legal = game.legal_numbers()
        assert legal, (game.phase, game.position)
        game.play(chance.choice(legal))
    raise AssertionError("no end")


def run_positions(n: int, seed: int, *, progress: bool = False) -> Counter[str]:
    """Load n positions and play the accepted ones out; how many were accepted and refused.

    Every second one is loaded and played compiled.
    """
    fuzzer = PositionFuzzer(seed)
    counts: Counter[str] = Counter()
    numbers = track(range(n), "loading", disable=not progress)
    for number, (kind, data) in zip(numbers, fuzzer, strict=False):
        fast = number % 2 == 1
        text = json.dumps(data)
        try:
            game = load(kind, json.loads(text), fast)
            counts[f"{kind.spec.name} {'refused' if game is None else 'played'}"] += 1
            if game is not None:
                play_to_the_end(game, fuzzer.chance)
        except Exception as error:
            raise AssertionError(f"{kind.spec.name}, compiled: {fast}: {text}") from error
    return counts
