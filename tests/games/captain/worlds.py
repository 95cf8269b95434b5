"""Games for the tests of knowledge: positions with what each seat was told on the way."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.games.captain.reader import Reader
from veillee.engine.events import Event
from veillee.games.captain import Game
from veillee.games.captain.core.state import Card, How, Phase

TANGLED = {
    "cards": {"lantern 3": 1, "lantern 2": 1, "egg": 2, "hook": 2, "pistol": 2},
    "laid": 2,
    "bottom": 2,
    "captain_coins": 1,
    "explorer_coins": 2,
    "six": True,
}
"""Few cards, many mutinies."""
FAVOURITES = {
    "announce hook": 4,
    "announce pistol": 4,
    "announce lantern": 3,
    "leave": 4,
    "accept": 4,
    "take hidden": 6,
    "mutiny": 2,
}


def played(players: int, seed: int, **options: Any) -> Iterator[tuple[Game, list[Event]]]:
    """A game at every decision, with all that happened; by players who like to meddle."""
    game = Game(players, seed, **options)
    chance = Random(seed)
    events = list(game.opening)
    yield game, events
    while not game.over:
        legal = game.legal
        weights = [FAVOURITES.get(action.text, 1) for action in legal]
        events += game.play(chance.choices(legal, weights)[0])
        yield game, events


def read_as(game: Game, events: list[Event], seats: int, given: Any = None) -> Reader:
    s = game.state
    reader = Reader(game.players, tuple(s.total[card] for card in range(Card.PURSE)), given)
    reader.read(event.seen_by(seats) for event in events)
    if game.phase == "siana":
        reader.siana_chooses(game.seat, game.position)
    return reader


def story(s: Any) -> tuple[int, ...]:
    """Every card that moved out of sight or into the light, in order, as the record tells it."""
    if s.drawn == 0:
        return ()
    told = [s.cave[i] for i in range(s.laid)]
    for row in range(s.row + 1):
        if s.took[row]:
            told.append(s.took[row] - 1)
        if s.laid + row < s.drawn and s.cave[s.laid + row] != Card.ARRIVAL:
            told.append(s.cave[s.laid + row])
        if s.how[row] & 3 >= How.FACE_DOWN:
            told.append(s.hit[row])
    return tuple(told)


def lies(s: Any) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    loot = tuple(tuple(s.down[seat, card] for card in range(7)) for seat in range(s.players))
    return loot, tuple(s.discard)


def is_set_up(game: Game) -> bool:
    return bool(game.state.phase != Phase.ADVENTURER)
