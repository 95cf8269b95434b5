"""Oh Captain!: nobody can tell two worlds apart that differ in what they never saw.

Twin worlds: a finished game is resampled for some seats, that other game is played from its first
shuffle by the same actions, and every byte that these seats get on the way must be the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.games.captain.worlds import TANGLED, played
from veillee.engine.events import Event, new_buffer, read
from veillee.engine.jit.compile import Build
from veillee.games.captain import SPEC, Game
from veillee.games.captain.core import actions as a
from veillee.games.captain.core import rules
from veillee.games.captain.core.state import Card, How

View = Callable[[Any, int], None]
Log = Callable[[Event, int], Event]

OUT = np.zeros(SPEC.actions, np.int16)
not_on_mutants = pytest.mark.skipif(
    "MUTANT_UNDER_TEST" in os.environ, reason="a mutant's functions can't be replaced"
)


class Told:
    """Plays the plain rules with every shuffle and random pick as a finished game tells it."""

    def __init__(self, story: Any) -> None:
        self.story = story
        self.rules = Build("told", SPEC.package, compiled=False).module(rules)
        space = self.rules.setup.__globals__
        space["fill_cave"] = self._fill_cave
        space["random_hidden"] = self._random_hidden

    def _fill_cave(self, s: Any, rng: Any) -> None:
        for i in range(s.size):
            s.cave[i] = self.story.cave[i]

    def _random_hidden(self, s: Any, rng: Any) -> int:
        return int(self.story.hit[s.row])


def retold(game: Game, end: Any, seats: int, view: View, log: Log) -> Iterator[Any]:
    """All that the seats get in the course of a game that ends as told."""
    teller = Told(end).rules
    options = {**game.options, "captain": end.first}
    options["adventurers"] = [step["adventurer"] for step in game.position["seats"]]
    states = SPEC.template(game.players, options)
    s = SPEC.twin(states)
    buffer = new_buffer()
    scratch = OUT.data
    teller.setup(s, None, scratch, buffer.data)
    actions = [step.action for step in game.steps if not 1 <= step.action <= 6]
    for action in [*actions, None]:
        yield [log(event, seats) for event in read(buffer, SPEC.events.KINDS)]
        seen = states.copy()
        view(SPEC.twin(seen), seats)
        yield seen.tobytes()
        if action is None:
            break
        if seats >> s.seat & 1:
            n = teller.legal(s, scratch)
            yield OUT[:n].tolist()
        hidden = action
        if not seats >> s.seat & 1:
            hidden = same_choice(s, action, end)
        buffer[0, 0] = 0
        teller.apply(s, hidden, None, buffer.data)


def same_choice(s: Any, action: int, end: Any) -> int:
    """A choice among hidden cards, as that other game tells it."""
    if a.FISH <= action < a.FISH + 7:
        return int(a.FISH + end.took[s.row] - 1)
    if a.GIVE_HIDDEN <= action < a.GIVE_HIDDEN + 7:
        return int(a.GIVE_HIDDEN + end.hit[s.row])
    return action


def true_view(s: Any, seats: int) -> None:
    SPEC.plain.view(s, seats)


def true_log(event: Event, seats: int) -> Event:
    return event.seen_by(seats)


def leaking_view(s: Any, seats: int) -> None:
    """Forgets to redact the card in the Explorer's hand."""
    card = s.cave[s.drawn - 1] if s.drawn else 0
    SPEC.plain.view(s, seats)
    if s.drawn:
        s.cave[s.drawn - 1] = card


def leaking_log(event: Event, seats: int) -> Event:
    """Tells everybody which card was shot."""
    return event if event.name == "shoot" else event.seen_by(seats)


def twins(view: View, log: Log, games: int) -> Iterator[tuple[list[Any], list[Any], bool]]:
    """What some seats get in a game and in its twin, and whether the twin is another game."""
    for seed in range(games):
        players = 3 + seed % 4
        options = TANGLED if seed % 2 else {}
        *_, (game, _) = played(players, seed, **options)
        chance = Random(seed)
        for seats in (1 << chance.randrange(players), chance.randrange(1 << players)):
            other = game.resample(*[k for k in range(players) if seats >> k & 1], seed=seed)
            one = list(retold(game, game.state, seats, view, log))
            two = list(retold(game, other.state, seats, view, log))
            yield one, two, other.states.tobytes() != game.states.tobytes()


@not_on_mutants
def test_captain_know_memory_twin_worlds_give_the_same_bytes() -> None:
    different = 0
    for one, two, differs in twins(true_view, true_log, 40):
        assert one == two
        different += differs
    assert different > 40


@not_on_mutants
@pytest.mark.parametrize(("view", "log"), [(leaking_view, true_log), (true_view, leaking_log)])
def test_a_leak_is_caught(view: View, log: Log) -> None:
    assert any(one != two for one, two, _ in twins(view, log, 12))


@not_on_mutants
def test_the_story_retold_is_the_game_itself() -> None:
    for seed in range(6):
        *_, (game, _) = played(4, seed, **TANGLED)
        everyone = (1 << 4) - 1
        *_, last = retold(game, game.state, everyone, lambda s, seats: None, true_log)
        assert last == game.states.tobytes()


def test_captain_know_memory_a_resampled_game_looks_the_same() -> None:
    for seed in range(12):
        players = 3 + seed % 4
        chance = Random(seed)
        for game, _ in played(players, seed, **({} if seed % 2 else TANGLED)):
            seats = chance.choice(
                [0, 1 << chance.randrange(players), chance.randrange(1 << players)]
            )
            if chance.random() < 0.3:
                assert not caught(game, seats, true_view)


def caught(game: Game, seats: int, view: View) -> bool:
    chosen = [seat for seat in range(game.players) if seats >> seat & 1]
    other = game.resample(*chosen, seed=seats)
    SPEC.position.check(other.state)
    one, two = game.states.copy(), other.states.copy()
    view(SPEC.twin(one), seats)
    view(SPEC.twin(two), seats)
    return one.tobytes() != two.tobytes()


def test_a_leaking_view_is_caught_by_resampling() -> None:
    found = False
    for game, _ in played(5, 3):
        found = found or caught(game, 1, leaking_view)
    assert found


def test_captain_material_cards_none_is_lost_at_any_step() -> None:
    for seed in range(8):
        for game, _ in played(3 + seed % 4, seed):
            position = game.position
            cards = sum(
                sum(seat["up"].values()) + sum(seat["down"].values()) for seat in position["seats"]
            )
            cards += position["discards"] + len(position["cave"])
            cards += game.phase in ("announce", "choice") or game.over
            assert cards == 30 + game.players - 1
            assert position["reserve"] + sum(seat["coins"] for seat in position["seats"]) == 30


def test_events_are_redacted_by_their_audience() -> None:
    event = Event("hook", 0b11, {"card": int(Card.EGG), "how": int(How.FACE_DOWN)}, ("card",))
    assert event.seen_by(0b100).values["card"] is None
    assert replace(event, audience=0b100).seen_by(0b100).values["card"] == Card.EGG
