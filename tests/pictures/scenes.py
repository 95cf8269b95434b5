"""Positions to draw: many, of every game and number of players, by random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veillee.engine.game import Game, game_of
from veillee.engine.library import games
from veillee.engine.words import Words

DRAWN = [contract for contract in games().values() if contract.picture is not None]
NAMES = (
    "Amélie",
    "Bartholomew the Unreasonably Long",
    "<b>&'\"",
    "陳大文",
    "Zoë",
    "a\u0000b\u202e",
)
EN = Words("en")


@dataclass(frozen=True)
class Scene:
    """A game in play, with the ids that were followed up to here."""

    game: Game
    ids: Any

    @property
    def draw(self) -> Any:
        return self.game.contract.picture

    def seen_by(self, *seats: int) -> Any:
        return self.game.contract.twin(self.game.seen_by(*seats))

    def board(self, tall: bool = False, words: Words = EN) -> str:
        return "".join(self.parts(tall, words))

    def parts(self, tall: bool = False, words: Words = EN) -> list[str]:
        drawn = self.draw.board(words, self.seen_by(), self.game.names, tall, None, self.ids)
        assert isinstance(drawn, list)
        return drawn

    def private(self, seat: int, tall: bool = False, words: Words = EN) -> str:
        drawn = self.draw.private(words, self.seen_by(seat), seat, tall)
        assert isinstance(drawn, str)
        return drawn

    def ghost(self, action: int, tall: bool = False, words: Words = EN) -> str:
        drawn = self.draw.ghost(words, self.seen_by(self.game.seat), action, tall)
        assert isinstance(drawn, str)
        return drawn


def played(contract: Any, players: int, seed: int, **options: Any) -> Iterator[Scene]:
    """Every position of one random game, set-up and end included."""
    names = NAMES[:players]
    game = game_of(contract)(players=players, seed=seed, names=names, **options)
    rng = random.Random(seed)
    scene = Scene(game, None)
    ids = contract.picture.follow(None, scene.seen_by(), [])
    while True:
        yield Scene(game, ids)
        if game.over:
            return
        events = [event.seen_by(0) for event in game.play(choose(game, rng))]
        ids = contract.picture.follow(ids, scene.seen_by(), events)


def choose(game: Game, rng: random.Random) -> int:
    """Any legal action, the rare kinds as often as the common ones."""
    kinds: dict[str, list[int]] = {}
    for action in game.legal:
        do = game.contract.describe(game.state, action)["do"]
        kinds.setdefault(do, []).append(action)
    return rng.choice(rng.choice(list(kinds.values())))


def scenes(contract: Any, every: int = 7, seed: int = 1) -> Iterator[Scene]:
    """Some positions of a game for each number of players, the first and the last among them."""
    for players in contract.seats:
        for i, scene in enumerate(played(contract, players, seed + players)):
            if i % every == 0 or scene.game.over:
                yield scene
