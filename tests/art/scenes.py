"""Positions to draw: many, of every game and number of players, by random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import Canvas
from veillee.engine.game import Game, game_class
from veillee.engine.i18n import Words
from veillee.engine.registry import games

DRAWN = [spec for spec in games().values() if spec.picture is not None]
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
        return self.game.spec.picture

    def seen_by(self, *seats: int) -> Any:
        return self.game.spec.twin(self.game.seen_by(*seats))

    def board(self, shape: Shape = "wide", words: Words = EN) -> str:
        return "".join(self.parts(shape, words))

    def parts(self, shape: Shape = "wide", words: Words = EN) -> list[str]:
        drawn = self.draw.board(words, self.seen_by(), self.game.names, shape, None, self.ids)
        assert isinstance(drawn, Canvas)
        return drawn.parts

    def private(self, seat: int, shape: Shape = "wide", words: Words = EN) -> str:
        drawn = self.draw.private(words, self.seen_by(seat), seat, shape)
        assert isinstance(drawn, str)
        return drawn

    def ghost(self, action: int, shape: Shape = "wide", words: Words = EN) -> str:
        drawn = self.draw.ghost(words, self.seen_by(self.game.seat), action, shape)
        assert isinstance(drawn, str)
        return drawn


def played(spec: Any, players: int, seed: int, **options: Any) -> Iterator[Scene]:
    """Every position of one random game, set-up and end included."""
    names = NAMES[:players]
    game = game_class(spec)(players=players, seed=seed, names=names, **options)
    rng = random.Random(seed)
    scene = Scene(game, None)
    ids = spec.picture.follow(None, scene.seen_by(), [])
    while True:
        yield Scene(game, ids)
        if game.over:
            return
        events = [event.seen_by(0) for event in game.play(choose(game, rng))]
        ids = spec.picture.follow(ids, scene.seen_by(), events)


def choose(game: Game, rng: random.Random) -> int:
    """Any legal action, the rare kinds as often as the common ones."""
    kinds: dict[str, list[int]] = {}
    for action in game.legal:
        do = game.spec.notation.describe(game.state, action)["do"]
        kinds.setdefault(do, []).append(action)
    return rng.choice(rng.choice(list(kinds.values())))


def scenes(spec: Any, every: int = 7, seed: int = 1) -> Iterator[Scene]:
    """Some positions of a game for each number of players, the first and the last among them."""
    for players in spec.player_counts:
        for i, scene in enumerate(played(spec, players, seed + players)):
            if i % every == 0 or scene.game.over:
                yield scene
