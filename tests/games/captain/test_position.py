"""Oh Captain!: positions in and out, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.games.captain.scene import cards, play, refused, scene, written
from veillee.engine.refusal import Refusal
from veillee.games.captain import SPEC, Game


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
            SPEC.position.check(dealt.state)
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
        ({"announced": "hook", "fate": "left"}, 1, "target", {"down": {1: "hook purse"}}),
        ({"announced": "hook", "fate": "bought"}, 0, "target", {"up": {0: "hook"}}),
        (
            {"announced": "hook", "fate": "left", "answer": "accused", "target": 2},
            1,
            "card",
            {"up": {1: "hook", 2: "lizard"}},
        ),
    ]
    for now, seat, phase, loot in scenes:
        game = scene("lys red moon nostromo", card="hook", now=now, seat=seat, phase=phase, **loot)
        assert len(game.position["history"]) == ("lizard" in loot.get("up", {}).get(2, ""))
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
    for action in range(SPEC.actions):
        assert SPEC.notation.parse(SPEC.notation.text(action)) == action
    assert SPEC.notation.text(SPEC.notation.parse("  take   lantern 3 ")) == "take lantern 3"
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
            SPEC.notation.parse(wrong)


def test_describe_tells_parts() -> None:
    game = scene("lys red moon nostromo", card="egg")
    play(game, "announce hook", "leave")
    assert [SPEC.notation.describe(game.state, int(action)) for action in game.legal] == [
        {"do": "target", "seat": 2},
        {"do": "target", "seat": 3},
    ]


def test_captain_know_loot_a_view_without_the_loot_of_its_seat_is_refused() -> None:
    game = scene("lys moon red", discard="egg", down={1: "hook", 2: "egg purse"})
    for view, seats in ((game.view(), [1]), (game.view(2), [1]), (game.view(1), [0, 1])):
        with refused("captain.position", "impossible"):
            load(view | {"seen_by": seats})


def finished() -> Game:
    game = Game(5, 8)
    chance = Random(8)
    while not game.over:
        game.play(chance.choice(game.legal))
    return game


CONTRADICTIONS: list[Callable[[dict[str, Any]], object]] = [
    lambda view: view["history"][0].update(card="egg" if view["history"][0]["card"] else "hook"),
    lambda view: view["seats"][0]["down"].update(egg=view["seats"][0]["down"].get("egg", 0) + 1),
    lambda view: view["laid"].__setitem__(0, "egg"),
    lambda view: view["history"].pop(),
    lambda view: view["now"].pop("card"),
    lambda view: view.update(phase="announce", seat=view["turn"]),
    lambda view: view.update(discards=view["discards"] + 1),
    lambda view: view["cave"].append(None),
]


@pytest.mark.parametrize("change", CONTRADICTIONS)
@pytest.mark.parametrize("compiled", [False, True])
def test_a_view_of_a_finished_game_that_contradicts_itself_is_refused(
    change: Callable[[dict[str, Any]], object], compiled: bool
) -> None:
    game = finished()
    for seat in (None, 0, 3):
        view = json.loads(json.dumps(game.view(seat)))
        change(view)
        with pytest.raises(Refusal):
            Game.from_position(view, compiled=compiled)


def test_a_view_of_a_finished_game_with_an_empty_cave_loads() -> None:
    """The Arrival was the very last card."""
    for seed in range(40):
        game = Game(4, seed, bottom=0)
        chance = Random(seed)
        while not game.over:
            game.play(chance.choice(game.legal))
        assert game.position["cave"] == []
        for seat in (None, *range(4)):
            again = load(game.view(seat))
            assert (again.over, again.scores) == (True, game.scores)


def test_captain_know_memory_captains_follow_from_mutinies() -> None:
    game = scene("lys moon red", up={1: "egg"})
    for change in ({"first": 2}, {"history": [game.position["history"][0] | {"captain": 2}]}):
        with refused("captain.know.memory", "impossible"):
            load(game.position | change)


def test_captain_setup_roles_the_first_captain_is_captain_while_adventurers_are_chosen() -> None:
    position = Game(3, 1, captain=1).position
    with refused("captain.setup.adventurers", "impossible"):
        load(position | {"first": 0})
