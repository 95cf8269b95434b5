"""Oh Captain!: positions in and out, and what is refused."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from tests.captain.scene import cards, play, refused, scene, written
from veillee.engine.refusal import Refusal
from veillee.games.captain import GAME, Game


def load(position: Any) -> Game:
    return Game.from_position(json.loads(json.dumps(position)))


def test_a_view_can_be_read_and_dealt_anew() -> None:
    game = Game(5, 3)
    chance = Random(1)
    while not game.over:
        for seat in (None, chance.randrange(5)):
            seats = () if seat is None else (seat,)
            dealt = load(game.view(seat))
            assert dealt.seen_by(*seats).tobytes() == game.seen_by(*seats).tobytes()
            GAME.check(dealt.state)
        game.play(chance.choice(game.legal))


def test_a_position_by_hand_gets_a_history() -> None:
    game = scene("lys moon red", discard="egg", up={0: "hook", 2: "lizard"}, down={2: "egg purse"})
    rows = game.position["history"]
    assert [(row["explorer"], row["card"]) for row in rows] == [
        (0, "hook"),
        (2, "egg"),
        (2, "lizard"),
    ]
    assert game.position["laid"] == ["egg"]
    assert load(game.position).states.tobytes() == game.states.tobytes()
    assert game.view(1)["history"][1]["card"] is None
    assert game.view(2)["history"][1]["card"] == "egg"
    assert game.view(1)["history"][2]["card"] == "lizard"


def test_a_position_by_hand_in_the_middle_of_a_turn() -> None:
    scenes: list[tuple[dict[str, Any], int, str, dict[str, Any]]] = [
        ({"announced": "hook", "fate": "left"}, 1, "target", {"down": {1: "egg purse"}}),
        ({"announced": "hook", "fate": "bought"}, 0, "target", {"up": {0: "egg"}}),
        (
            {"announced": "hook", "fate": "left", "answer": "accused", "target": 2},
            1,
            "card",
            {"up": {1: "egg"}},
        ),
    ]
    for now, seat, phase, loot in scenes:
        game = scene("lys red moon nostromo", card="egg", now=now, seat=seat, phase=phase, **loot)
        assert game.position["history"] == []
        assert load(game.position).states.tobytes() == game.states.tobytes()


def test_every_position_of_a_game_goes_out_and_in() -> None:
    for players in (3, 6):
        game = Game(players, players)
        chance = Random(players)
        while not game.over:
            assert load(game.position).states.tobytes() == game.states.tobytes()
            game.play(chance.choice(game.legal))
        assert load(game.position).states.tobytes() == game.states.tobytes()


WRONG = [
    ({"captain": 3}, "captain.setup.roles"),
    ({"reserve": 3}, "captain.material.cards"),
    ({"turn": 0}, "captain.turn.order"),
    ({"seat": 2}, "captain.turn.order"),
    ({"phase": "choice"}, "captain.turn.order"),
    ({"phase": "fish"}, "captain.material.cards"),
    ({"phase": "rich", "now": {}}, "captain.turn.rich"),
    ({"phase": "dance"}, "captain.position"),
    ({"now": {}}, "captain.position"),
    ({"now": {"card": "arrival"}}, "captain.setup.cave"),
    ({"now": {"card": "purse"}}, "captain.setup.cave"),
    ({"now": {"card": "egg", "dance": 1}}, "captain.position"),
    ({"now": {"card": "egg", "announced": "egg"}}, "captain.position"),
    ({"cave": ["egg"] * 8}, "captain.material.cards"),
    ({"cave": ["purse"]}, "captain.setup.cave"),
    ({"cave": ["arrival", "arrival"]}, "captain.material.cards"),
    ({"discards": 2}, "captain.know.public"),
    ({"purses": 1}, "captain.setup.purses"),
    ({"discard": None}, "captain.know.memory"),
    ({"discard": {"egg": -1}}, "captain.material.cards"),
    ({"discard": {"frog": 1}}, "captain.material.cards"),
    ({"history": [], "laid": [], "now": {"card": "egg"}, "cave": []}, "captain.material.cards"),
    ({"discard": {"egg": 7, "hook": 7, "lizard": 7, "pistol": 9}}, "captain.material.cards"),
]


@pytest.mark.parametrize(("change", "clause"), WRONG, ids=[str(change) for change, _ in WRONG])
def test_an_impossible_position_is_refused(change: dict[str, Any], clause: str) -> None:
    with pytest.raises(Refusal) as caught:
        load(written(card="egg") | change)
    assert caught.value.code == "impossible"
    assert caught.value.clause.startswith("captain.")
    assert caught.value.clause == clause


def test_two_captains_or_two_bottles_cannot_be_written() -> None:
    with refused("captain.position", "impossible"):
        load(written() | {"bottles": 2})


def test_wrong_seats_are_refused() -> None:
    position = written("lys moon red")
    for change, clause in (
        ({"coins": -1}, "captain.material.cards"),
        ({"hidden": 3}, "captain.know.public"),
        ({"down": cards("arrival")}, "captain.material.cards"),
        ({"adventurer": None}, "captain.setup.adventurers"),
        ({"adventurer": "ulrich"}, "captain.setup.adventurers"),
        ({"adventurer": "frog"}, "captain.material.adventurers"),
    ):
        seats = [dict(seat) for seat in position["seats"]]
        seats[2] |= change
        with refused(clause, "impossible"):
            load(position | {"seats": seats})


def test_a_history_that_is_too_long_is_refused() -> None:
    game = scene()
    row = {"captain": 0, "explorer": 1, "card": "egg", "fate": "left"}
    with pytest.raises(Refusal):
        load(game.position | {"history": [row] * 29})
    with pytest.raises(Refusal):
        load(game.position | {"history": [row]})


def test_notation_there_and_back() -> None:
    for action in range(GAME.actions):
        assert GAME.parse(GAME.text(action)) == action
    assert GAME.text(GAME.parse("  take   lantern 3 ")) == "take lantern 3"
    for wrong in (
        "",
        "take",
        "take arrival",
        "target 6",
        "target x",
        "announce egg",
        "give hidden",
        "buy now",
    ):
        with refused("captain.notation", "unreadable"):
            GAME.parse(wrong)


def test_describe_tells_parts() -> None:
    game = scene("lys red moon nostromo", card="egg")
    play(game, "announce hook", "leave")
    assert [GAME.describe(game.state, int(action)) for action in game.legal] == [
        {"do": "target", "seat": 2},
        {"do": "target", "seat": 3},
    ]
