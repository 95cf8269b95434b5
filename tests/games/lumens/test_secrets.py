"""What each may know: view, resample, twin worlds; and that leaks would be found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.games.lumens.scene import scene
from veillee.engine.events import Event, new_buffer
from veillee.engine.events import read as read_events
from veillee.engine.i18n import Words
from veillee.engine.jit.events import ALL
from veillee.engine.jit.layout import States
from veillee.engine.refusal import Refusal
from veillee.engine.seed import fast_row
from veillee.games.lumens import SPEC, Game
from veillee.games.lumens.core.state import UNKNOWN

NARROW = ".....\n..a..\n..a..\n..b..\n.....\n"
"""So narrow that players are often out with tokens left."""
NAMES = ("Timo", "Max", "Pia", "Sarah")


def some_states(players: int, games: int) -> States:
    """Every state of some random games."""
    found = []
    for seed in range(games):
        game = Game(players, seed)
        chance = Random(seed)
        found.append(game.states.copy())
        while not game.over:
            game.play(chance.choice(game.legal))
            found.append(game.states.copy())
    return np.concatenate(found)


def view_all(states: States, seats: int) -> None:
    SPEC.plain.view_all(SPEC.twins(states), seats)


def resample_all(states: States, seats: int, rng: Any) -> None:
    SPEC.plain.resample_all(SPEC.twins(states), seats, rng.data)


# ---------------------------------------------------------------- view and resample


def test_lumens_know() -> None:
    game = scene({"b2": ["green 1", "yellow 2"]}, hands=["1/6", "2/5"])
    mine, watcher = game.view(0), game.view()
    assert [seat["hand"] for seat in mine["seats"]] == ["1/6", None]
    assert [seat["hand"] for seat in watcher["seats"]] == [None, None]
    assert mine["squares"]["b2"] == ["green 1", "yellow 2"], "covered tokens are public"
    assert [sum(seat["left"].values()) for seat in watcher["seats"]] == [22, 22]
    assert (mine.pop("seen_by"), watcher["seen_by"]) == ([0], [])
    assert {k: v for k, v in mine.items() if k != "seats"} == {
        k: v for k, v in game.position.items() if k != "seats"
    }


def test_lumens_know_several_seats_together() -> None:
    game = Game(4, seed=1)
    seen = SPEC.twin(game.seen_by(1, 3))
    assert [hand != -1 for hand in seen.hand] == [False, True, False, True]


def test_lumens_know_that_a_hand_is_empty() -> None:
    game = Game(3, seed=1, first=0)
    game.play(game.legal[0])
    assert list(SPEC.twin(game.seen_by()).hand)[:3] == [0, -1, -1]
    assert game.resample(seed=3).state.hand[0] == 0


def check_resample(
    states: States, seats: int, view: Callable[..., None], resample: Callable[..., None]
) -> None:
    """The two theorems, byte for byte."""
    seen = states.copy()
    view(seen, seats)
    dealt = states.copy()
    resample(dealt, seats, fast_row(3))
    from_view = seen.copy()
    resample(from_view, seats, fast_row(3))
    assert dealt.tobytes() == from_view.tobytes()
    view(dealt, seats)
    assert dealt.tobytes() == seen.tobytes()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_resampled_game_cannot_be_told_from_the_true_one(players: int) -> None:
    states = some_states(players, 3)
    for seats in range(1 << players):
        check_resample(states, seats, view_all, resample_all)


def test_a_leaking_view_is_caught() -> None:
    states = some_states(3, 1)

    def leaks_the_next_hand(seen: States, seats: int) -> None:
        kept = seen["hand"].copy()
        view_all(seen, seats)
        seen["hand"][:, 2] = kept[:, 2]

    with pytest.raises(AssertionError):
        check_resample(states, 0b001, leaks_the_next_hand, resample_all)


def test_a_resample_that_peeks_is_caught() -> None:
    states = some_states(3, 1)

    def keeps_the_true_hands(dealt: States, seats: int, rng: Any) -> None:
        if (dealt["hand"] == UNKNOWN).any():
            resample_all(dealt, seats, rng)

    with pytest.raises(AssertionError):
        check_resample(states, 0b001, view_all, keeps_the_true_hands)


def test_resample_deals_each_token_that_is_left_equally_often() -> None:
    """Against exact counting: each pair of hands as often as tokens make it up."""
    squares = {"b1": ["green 1"], "c1": ["green 6"], "d1": ["green 2"], "e1": ["red 3"]}
    squares |= {f"{c}3": ["red 4"] for c in "abcd"} | {"a1": ["yellow 1"], "o1": ["green 1"]}
    game = scene(squares | {"h15": ["red 3"]}, hands=["3/4", "1/6", "2/5"])
    left = [[game.state.left[seat, kind] for kind in range(3)] for seat in range(3)]
    assert left == [[7, 8, 8], [5, 7, 8], [8, 8, 2]]
    n = 20_000
    worlds = np.repeat(game.states, n)
    resample_all(worlds, 0b001, fast_row(5))
    assert set(worlds["hand"][:, 0]) == {3}, "one's own hand stays"
    dealt = Counter(map(tuple, worlds["hand"][:, 1:3].tolist()))
    square = 0.0
    for mine in range(3):
        for theirs in range(3):
            expected = n * left[1][mine] / 20 * left[2][theirs] / 18
            square += (dealt[mine + 1, theirs + 1] - expected) ** 2 / expected
    assert square < 20.09, "chi-square with 8 degrees of freedom, 1 in 100"


def test_resample_agrees_with_bayes_over_whole_games() -> None:
    """Games with the same public course: the hidden hand is as often each kind as it is dealt."""
    true: Counter[int] = Counter()
    dealt: Counter[int] = Counter()
    chance = Random(4)
    for seed in range(800):
        game = Game(2, seed, tokens=[1, 2, 1], first=0)
        while len(game.steps) < 4:
            game.play(chance.choice(game.legal))
        if game.state.left[1, 0] == 1 and game.state.left[1, 1] == 1:
            true[game.state.hand[1]] += 1
            dealt[game.resample(0, seed=seed).state.hand[1]] += 1
    for seen in (true, dealt):
        n = sum(seen.values())
        assert set(seen) == {1, 2}
        assert abs(seen[1] - n / 2) < 2.6 * (n / 4) ** 0.5


def test_a_hidden_hand_of_which_only_one_kind_is_left_is_certain() -> None:
    game = scene({}, hands=["3/4", "2/5"], options={"tokens": [1, 1, 1]})
    game.play("b1 3")
    assert game.resample(1, seed=1).state.hand[0] == 2


def test_an_event_carries_nothing_but_its_values() -> None:
    """No secret rides along in what no reader is shown."""
    told = set()
    for seed in range(6):
        states = SPEC.template(3, {"board": NARROW, "tokens": [3, 2, 3]})
        s = SPEC.twin(states)
        actions, buffer = np.zeros(SPEC.actions, np.int16), new_buffer()
        rng, chance = fast_row(seed).data, Random(seed)
        SPEC.plain.setup_at([s], 0, rng, actions.data, buffer.data)
        while s.seat >= 0:
            n = SPEC.plain.legal_at([s], 0, actions.data)
            SPEC.plain.apply_at([s], 0, int(actions[chance.randrange(n)]), rng, buffer.data)
        for kind, audience, *values in buffer[1 : buffer[0, 0] + 1].tolist():
            event = SPEC.events.KINDS[kind]
            told.add(event.name)
            assert not any(values[len(event.fields) :])
            assert audience == (1 << values[0] if event.secret else ALL)
    assert told == {event.name for event in SPEC.events.KINDS}


# ---------------------------------------------------------------- twin worlds

Told = tuple[bytes, tuple[int, ...], tuple[Event, ...], tuple[str | None, ...], str]


class World:
    """One deal, played step by step, with all that a seat is told on the way."""

    def __init__(self, players: int, seat: int, **options: Any) -> None:
        self.seat = seat
        self.states = SPEC.template(players, options)
        self.kernel = SPEC.plain
        self.s = SPEC.twin(self.states)
        self.told: list[Told] = []
        self._do("setup_at", fast_row(players).data, np.zeros(1350, np.int16).data)

    def play(self, action: int, seed: int) -> None:
        self._do("apply_at", action, fast_row(seed).data)

    def legal(self) -> list[int]:
        out = np.zeros(SPEC.actions, np.int16)
        return out[: self.kernel.legal_at([self.s], 0, out.data)].tolist()  # type: ignore[no-any-return]

    def _do(self, what: str, *args: Any) -> None:
        buffer = new_buffer()
        getattr(self.kernel, what)([self.s], 0, *args, buffer.data)
        events = tuple(self.redacted(event) for event in read_events(buffer, SPEC.events.KINDS))
        seen = self.states.copy()
        SPEC.plain.view_at([SPEC.twin(seen)], 0, 1 << self.seat)
        words = Words("fr")
        self.told.append(
            (
                seen.tobytes(),
                tuple(self.listed()) if self.s.seat == self.seat else (),
                events,
                tuple(SPEC.text.tell(words, event, NAMES) for event in events),
                SPEC.text.board(words, SPEC.twin(seen), NAMES),
            )
        )

    def redacted(self, event: Event) -> Event:
        return event.seen_by(1 << self.seat)

    def listed(self) -> list[int]:
        return self.legal()


def twins(kind: type[World], players: int, seed: int, seat: int) -> Iterator[tuple[World, World]]:
    """Pairs of worlds that differ in tokens of others that are never played.

    Who is out keeps a token in hand: in the other world, another one was drawn.
    """
    options = {"board": NARROW, "tokens": [3, 2, 3], "first": seed % players}
    chance = Random(seed)
    one = kind(players, seat, **options)
    course: list[tuple[int, int, int]] = []
    while one.s.seat >= 0:
        who, action = one.s.seat, chance.choice(one.legal())
        course.append((who, action, chance.randrange(1 << 30)))
        one.play(action, course[-1][2])
    stuck = [s for s in range(players) if one.s.hand[s] and s != seat]
    for other in stuck:
        last = max((i for i, step in enumerate(course) if step[0] == other))
        if last < players:
            continue
        for again in range(30):
            two = kind(players, seat, **options)
            for i, (_, action, rng) in enumerate(course):
                two.play(action, again if i == last else rng)
            if two.s.hand[other] != one.s.hand[other]:
                yield one, two
                break


def check_twins(kind: type[World]) -> int:
    pairs = 0
    for seed in range(24):
        players = 2 + seed % 3
        for one, two in twins(kind, players, seed, seat=seed // 3 % players):
            pairs += 1
            assert one.states.tobytes() != two.states.tobytes()
            assert one.told == two.told
    return pairs


def test_twin_worlds() -> None:
    assert check_twins(World) > 20


def test_a_leaking_log_is_caught() -> None:
    class LeakingLog(World):
        def redacted(self, event: Event) -> Event:
            return replace(event, audience=ALL)

    with pytest.raises(AssertionError):
        check_twins(LeakingLog)


def test_a_leaking_order_of_actions_is_caught() -> None:
    class LeakingOrder(World):
        def listed(self) -> list[int]:
            turned = sum(self.s.hand[other] == 1 for other in range(self.s.players))
            found = self.legal()
            return found[turned:] + found[:turned]

    with pytest.raises(AssertionError):
        check_twins(LeakingOrder)


def test_lumens_know_a_view_without_the_hand_of_its_seat_is_refused() -> None:
    game = Game(3, seed=1)
    for view, seats in ((game.view(), [0]), (game.view(1), [0]), (game.view(1), [0, 1])):
        with pytest.raises(Refusal) as refused:
            Game.from_position(view | {"seen_by": seats})
        assert refused.value.code == "impossible"
