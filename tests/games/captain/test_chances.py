"""captain.know.memory: the chances by which unseen cards are dealt are exact, not only close.

`future` returns the probability of all that some seats saw, given the cards they know. It is
compared with the sum over every table that agrees, as a second implementation enumerates them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod
from typing import Any

import pytest

from tests.games.captain.reader import Reader
from tests.games.captain.scene import play, scene
from tests.games.captain.worlds import TANGLED, is_set_up, played, story
from veillee.engine.events import Event
from veillee.engine.jit.scratch import stack_array
from veillee.engine.seed import fast_row
from veillee.games.captain import SPEC, Game
from veillee.games.captain.core import resample
from veillee.games.captain.core.state import UNKNOWN, Card
from veillee.games.captain.core.view import view

MOST_TABLES = 250


class Weigher(Reader):
    """Notes the size of every pool that a card left, by which the rules do not divide."""

    def __init__(self, players: int, cards: tuple[int, ...]) -> None:
        super().__init__(players, cards)
        self.sizes: list[int] = []

    def _hit(self, target: int, to: int | None, card: int | None, how: int) -> None:
        self.sizes.append(sum(next(iter(self.tables)).loot[target]))
        super()._hit(target, to, card, how)

    def _fish(self, seat: int, card: int | None) -> None:
        self.sizes.append(sum(next(iter(self.tables)).discard))
        super()._fish(seat, card)


def positions(
    players: int, seed: int, every: int = 7, **options: Any
) -> Iterator[tuple[Game, int, Weigher]]:
    """Positions of a game with few enough tables to enumerate, each with the seats that look."""
    for number, (game, events) in enumerate(played(players, seed, **TANGLED | options)):
        wanted = game.over or game.phase == "siana" or (number + seed) % every == 0
        if is_set_up(game) and wanted:
            seats = (1 << number % players) | (number % 4 == 0)
            reader = weighed(game, events, seats)
            if 1 < len(reader.tables) < MOST_TABLES:
                yield game, seats, reader


def weighed(game: Game, events: list[Event], seats: int) -> Weigher:
    s = game.state
    reader = Weigher(game.players, tuple(s.total[card] for card in range(Card.PURSE)))
    reader.read(event.seen_by(seats) for event in events)
    if game.phase == "siana":
        reader.siana_chooses(game.seat, game.position)
    return reader


def chance_of_known(s: Any) -> Fraction:
    """The chance of the cards that a view shows in the Cave, at the places where they lay."""
    left = [s.total[card] for card in range(Card.PURSE)]
    chance = Fraction(1)
    laid = [s.cave[i] for i in range(s.laid) if s.cave[i] != UNKNOWN]
    if laid:
        chance /= comb(sum(left), len(laid))
        for card in range(Card.PURSE):
            chance *= comb(left[card], laid.count(card))
            left[card] -= laid.count(card)
    for i in range(s.laid, s.drawn):
        if 0 <= s.cave[i] < Card.PURSE:
            chance *= Fraction(left[s.cave[i]], sum(left))
            left[s.cave[i]] -= 1
    return chance


def future(s: Any, seats: int, last: int, memoised: bool) -> float:
    memo = stack_array(resample.ROOM)
    for slot in range(resample.MEMO_SLOTS):
        memo[slot] = 0.0
    return resample.future(s, seats, 0, last, memo, memoised)


def check_chance(game: Game, seats: int, reader: Weigher) -> None:
    states = game.states.copy()
    s = SPEC.twin(states)
    view(s, seats)
    resample.recall(s)
    before = states.tobytes()
    expected = float(sum(reader.tables.values()) / chance_of_known(s))
    end = (s.row + 1) * resample.PARTS + resample.looks_at_end(s) - 1
    for memoised in (False, True):
        chance = future(s, seats, end, memoised)
        assert chance == pytest.approx(expected * prod(reader.sizes))
        assert states.tobytes() == before, "what was tried is undone"
    clues = future(s, seats, resample.last_clue(s, seats), False)
    assert any(
        clues == pytest.approx(expected * prod(reader.sizes[:n]))
        for n in range(len(reader.sizes) + 1)
    ), "after the last clue, cards only move"


def check_worlds(game: Game, seats: int, reader: Weigher, n: int) -> None:
    agreeing = {table.told for table in reader.tables}
    rng = fast_row(n, seats).data
    for _ in range(n):
        states = game.states.copy()
        SPEC.plain.resample(SPEC.twin(states), seats, rng)
        assert story(SPEC.twin(states)) in agreeing


@pytest.mark.parametrize(
    ("players", "seed"), [(3, 1), (3, 5), (3, 12), (4, 2), (4, 9), (5, 0), (5, 3), (6, 1)]
)
def test_captain_know_memory_the_chance_of_all_that_was_seen_is_exact(
    players: int, seed: int
) -> None:
    checked = 0
    for game, seats, reader in positions(players, seed):
        check_chance(game, seats, reader)
        checked += 1
    assert checked > 0


@pytest.mark.parametrize("seed", range(8))
def test_captain_siana_what_she_gave_is_remembered_as_no_egg(seed: int) -> None:
    """She is in every game, and gives cards that others know only not to be Eggs."""
    names = ["siana", "nostromo", "moon"]
    checked = 0
    for game, seats, reader in positions(3, seed, 3, adventurers=names):
        check_chance(game, seats, reader)
        check_worlds(game, seats, reader, 10)
        checked += 1
    assert checked > 0


def test_captain_siana_the_chance_that_she_can_choose() -> None:
    """Two of the 28 cards that seat 1 has not seen, and not two of the seven Eggs."""
    game = scene("lys red siana moon", card="pistol", down={2: "egg hook"})
    play(game, "announce pistol", "leave", "target 2", "accept")
    states = game.states.copy()
    s = SPEC.twin(states)
    view(s, 0b10)
    resample.recall(s)
    last = resample.last_clue(s, 0b10)
    assert future(s, 0b10, last, False) == pytest.approx(1 - comb(7, 2) / comb(28, 2))
