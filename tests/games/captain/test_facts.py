"""Oh Captain!: what a phase tells everybody holds in every dealt world."""

from __future__ import annotations

import json
from collections import Counter
from math import comb
from typing import Any

import pytest

from tests.games.captain.scene import play, refused, scene, written
from veillee.games.captain import SPEC, Game
from veillee.games.captain.core.state import Card


def siana_chooses(down: str = "egg hook", tool: str = "pistol", **wanted: Any) -> Game:
    """Seat 1 attacks Siana, seat 2, who is asked which card is hit."""
    game = scene("lys red siana moon", card="pistol", down={2: down}, **wanted)
    play(game, f"announce {tool}", "leave", "target 2", "accept")
    assert (game.seat, game.phase) == (2, "siana")
    return game


@pytest.mark.parametrize("seats", [(), (0,), (1,), (3,), (0, 1, 3)])
@pytest.mark.parametrize("tool", ["pistol", "hook", "lantern"])
def test_captain_siana_has_a_card_to_give_in_every_world(seats: tuple[int, ...], tool: str) -> None:
    game = siana_chooses(tool=tool)
    dealt: Counter[int] = Counter()
    for seed in range(400):
        world = game.resample(*seats, seed=seed)
        assert world.legal, "she was asked, so she can choose"
        assert world.seen_by(*seats).tobytes() == game.seen_by(*seats).tobytes()
        dealt[world.position["seats"][2]["down"].get("egg", 0)] += 1
    assert set(dealt) == {0, 1}


def test_captain_siana_worlds_are_as_likely_as_they_should_be() -> None:
    """Both of her cards are unknown: all pairs but two Eggs, each as likely."""
    game = siana_chooses()
    one_egg = sum(
        game.resample(1, seed=seed).position["seats"][2]["down"].get("egg", 0)
        for seed in range(3000)
    )
    unseen = 29 - 1
    pairs = comb(unseen, 2) - comb(7, 2)
    expected = 3000 * 7 * (unseen - 7) / pairs
    assert abs(one_egg - expected) < 4 * (expected * (1 - expected / 3000)) ** 0.5


def test_captain_siana_of_several_unknown_cards_not_all_are_eggs() -> None:
    """Of four, up to three; how many is as likely as if worlds with four had been thrown away."""
    game = siana_chooses("egg egg hook lizard")
    worlds = 1500
    eggs: Counter[int] = Counter()
    for seed in range(worlds):
        dealt = game.resample(1, seed=seed).position
        cards = dealt["seats"][2]["down"]
        assert sum(cards.values()) == 4
        assert Game.from_position(dealt).legal, "all cards are there, once"
        eggs[cards.get("egg", 0)] += 1
    unseen = 29 - 1
    ways = [comb(7, n) * comb(unseen - 7, 4 - n) for n in range(4)]
    assert set(eggs) <= set(range(4))
    for n, way in enumerate(ways):
        expected = worlds * way / sum(ways)
        assert abs(eggs[n] - expected) < 4 * expected**0.5, n


def test_captain_siana_among_many_eggs_one_of_her_cards_is_another() -> None:
    """Seven Eggs and two Hooks are unseen; she has three of them: 42 ways to one Hook, 7 to two."""
    few = {"cards": {"egg": 7, "hook": 2, "pistol": 1}, "laid": 0, "bottom": 0, "six": True}
    game = siana_chooses("egg egg hook", options=few)
    seen = game.seen_by(1).tobytes()
    eggs: Counter[int] = Counter()
    for seed in range(400):
        world = game.resample(1, seed=seed)
        SPEC.position.check(world.state)
        assert world.seen_by(1).tobytes() == seen
        eggs[world.state.down[2, Card.EGG]] += 1
    assert set(eggs) == {1, 2}
    assert abs(eggs[1] / 400 - 7 / 49) < 0.06


def test_captain_siana_known_cards_count() -> None:
    """Everybody knows of the Purse that she was dealt, so the rest may be Eggs."""
    game = siana_chooses("egg purse")
    down = [game.resample(1, seed=seed).position["seats"][2]["down"] for seed in range(400)]
    assert all(cards["purse"] == 1 for cards in down)
    assert {cards.get("egg", 0) for cards in down} == {0, 1}


@pytest.mark.parametrize("seat", [None, 0, 1, 3])
def test_captain_siana_a_view_loads_into_a_game_that_goes_on(seat: int | None) -> None:
    view = json.loads(json.dumps(siana_chooses().view(seat)))
    for seed in range(200):
        assert Game.from_position(view, seed).legal


NO_ACTION: list[tuple[dict[str, Any], str]] = [
    # Siana is asked, and has nothing but Eggs.
    (
        {
            "seats": "lys red siana moon",
            "down": {1: "egg purse", 2: "egg egg"},
            "now": {"announced": "hook", "fate": "left", "target": 2, "answer": "accepted"},
            "seat": 2,
            "phase": "siana",
        },
        "captain.siana",
    ),
    # A Lizard, and nobody has a coin.
    (
        {
            "coins": {2: 0},
            "down": {1: "egg purse"},
            "now": {"announced": "lizard", "fate": "left"},
            "seat": 1,
            "phase": "target",
        },
        "captain.effect.can",
    ),
    # A card is chosen from none.
    (
        {
            "down": {1: "egg", 2: ""},
            "now": {"announced": "hook", "fate": "left", "target": 2, "answer": "accepted"},
            "seat": 1,
            "phase": "card",
        },
        "captain.effect.can",
    ),
    # The Captain is asked whether to buy, without a coin.
    (
        {"coins": {0: 0}, "now": {"announced": "hook"}, "seat": 0, "phase": "choice"},
        "captain.turn.choice",
    ),
    # Red robs, and is not the poorest: others have no coin.
    (
        {
            "seats": "lys red moon nostromo",
            "coins": {1: 0, 2: 0},
            "down": {1: "egg purse"},
            "now": {"announced": "lizard", "fate": "left"},
            "seat": 1,
            "phase": "red",
        },
        "captain.red",
    ),
    # Moon turns cards down, and has none face up.
    (
        {
            "down": {1: "egg purse"},
            "now": {"announced": "lizard", "fate": "left"},
            "seat": 1,
            "phase": "moon",
        },
        "captain.moon",
    ),
    # The target of an answer has nothing to lose.
    (
        {
            "coins": {2: 0},
            "down": {1: "egg purse"},
            "now": {"announced": "lizard", "fate": "left", "target": 2},
            "seat": 2,
            "phase": "answer",
        },
        "captain.effect.can",
    ),
]


@pytest.mark.parametrize(("wanted", "clause"), NO_ACTION, ids=[clause for _, clause in NO_ACTION])
def test_a_phase_whose_facts_do_not_hold_is_refused(wanted: dict[str, Any], clause: str) -> None:
    with refused(clause, "impossible"):
        Game.from_position(written(card="egg", **wanted))
