"""Nomads: positions out and in, and those that can't be."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.games.nomads.scene import (
    ADVENTURERS,
    LEGENDS,
    hand,
    legal,
    load,
    new,
    pile,
    refused,
    scene,
    stack,
    written,
)

# ---------------------------------------------------------------- out and in


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_position_of_a_game_goes_out_and_in(players: int, seed: int) -> None:
    game = new(players, seed=seed)
    chance = random.Random(seed)
    while not game.over:
        written_out = json.loads(json.dumps(game.position))
        again = load(written_out)
        assert again.states.tobytes() == game.states.tobytes()
        assert again.position == game.position
        assert legal(again) == legal(game)
        game.play(chance.choice(game.legal))
    again = load(game.position)
    assert (again.over, again.scores, again.places) == (True, game.scores, game.places)


def test_a_position_keeps_the_options() -> None:
    options: dict[str, Any] = {
        "quick": True,
        "coins": [1],
        "story": [10] * 7,
        "wilds": 1,
        "moons": 8,
        "ring": 6,
        "stacks_at_end": 1,
        "patience": 7,
        "songs": {"cost": [1, 2, 3, 4], "points": [9, 8, 7, 6]},
        "legends": {name: [1, 2, 2, 3] for name in LEGENDS},
    }
    game = new(2, **options)
    assert game.position["options"] == options
    again = load(game.position)
    assert again.states.tobytes() == game.states.tobytes()


def test_a_position_names_only_the_options_that_were_changed() -> None:
    assert new(2).position["options"] == {}
    assert new(2, adventurers="deal").position["options"] == {"adventurers": "deal"}
    # Who goes first and who plays whom is told by the position itself.
    assert new(2, adventurers=["red", "ulrich"], first=1).position["options"] == {}


def test_a_position_tells_equal_cards_apart_by_number() -> None:
    options = {
        "legends": {name: [2, 3, 4, 5] for name in LEGENDS} | {"comet": [3, 3, 4, 4]},
        "songs": {"cost": [1, 2, 3, 4], "points": [6, 6, 7, 8]},
    }
    cards = {"ulrich": {"comet": "#2", "song": "#2"}, "siana": {"comet": "#4", "song": 8}}
    game = scene(cards=cards, options=options)
    assert [seat["legends"] for seat in game.position["seats"]] == [
        {"comet": "#2"},
        {"comet": "#4"},
    ]
    assert [seat["song"] for seat in game.position["seats"]] == ["#2", 8]
    assert load(game.position).states.tobytes() == game.states.tobytes()
    assert [game.state.offer[3, card] for card in range(4)] == [1, 0, 1, 0]
    assert list(game.state.song_offer) == [1, 0, 1, 0]


def test_a_card_named_by_a_value_that_several_have_is_the_first() -> None:
    options = {"legends": {name: [2, 3, 3, 5] for name in LEGENDS}}
    game = scene(cards={"ulrich": {"comet": 3}}, options=options)
    assert game.position["seats"][0]["legends"] == {"comet": "#2"}


def test_a_handwritten_position_needs_little() -> None:
    camp = ["nomad"] * 8 + ["ulrich", "ulrich", "moon", "moon", "red", "red"]
    game = load(
        {
            "spaces": [
                {"discs": [*camp, "siana", "siana", "nostromo", "nostromo"], "tiles": ["whale"]},
                {"tiles": ["stag", "moon"]},
                {"tiles": ["wild"]},
                *[{}] * 5,
            ],
            "lys": 3,
            "seats": [{"adventurer": "red"}, {"adventurer": "siana"}],
        }
    )
    assert (game.phase, game.seat) == ("turn", 0)
    position = game.position
    assert (position["turn"], position["first"], position["keeper"]) == (0, 0, 1)
    assert (position["chart"], position["idle"], position["last_writers"]) == (0, 0, 0)
    assert (position["lys_moved"], position["heard"]) == (False, False)
    assert position["gone"] == {
        "whale": 13, "stag": 13, "cedar": 14, "comet": 14, "storm": 14, "ember": 14, "shell": 14,
        "wild": 1, "moon": 11,
    }  # fmt: skip
    assert list(game.state.box) == [0, 0, 0, 0, 0, 0, 1]
    assert list(game.state.owner) == [-1, -1, -1, 0, 1, -1, -1]
    assert legal(game)[:2] == ["sow 1 left", "sow 1 right"]


def test_a_position_may_begin_in_set_up() -> None:
    game = load(
        {
            "spaces": [{}] * 8,
            "lys": 1,
            "seats": [{}, {"adventurer": "nostromo"}],
            "phase": "adventurer",
            "first": 1,
            "seat": 0,
        }
    )
    game.play("adventurer red")
    assert (game.phase, game.seat) == ("frog", 1)


def test_a_view_goes_in_and_is_dealt_out() -> None:
    game = new(3, quick=True, seed=9)
    for _ in range(6):
        game.play(game.legal[0])
    again, twin = load(game.view(1)), load(game.view(1))
    assert again.view(1) == game.view(1)
    first = again.legal[0]
    again.play(first)
    twin.play(first)
    assert None not in [tile for space in again.position["spaces"] for tile in space["tiles"]]
    assert twin.position == again.position
    again.undo()
    assert again.view(1) == game.view(1)
    assert again.position["spaces"] != game.position["spaces"]
    chance = random.Random(1)
    while not again.over:
        again.play(chance.choice(again.legal))
        assert load(again.position).states.tobytes() == again.states.tobytes()
    replayed = type(again).replay(again.record())
    assert replayed.states.tobytes() == again.states.tobytes()


def test_a_whole_position_is_not_dealt_anew() -> None:
    game = scene(stacks={2: "whale stag moon comet"})
    assert stack(game, 2) == "whale stag moon comet"


# ---------------------------------------------------------------- what can't be


def changed(seat: int = 0, **values: Any) -> dict[str, Any]:
    """The default scene with something changed in front of a seat."""
    position = written()
    position["seats"][seat] |= values
    return position


def test_113_tiles() -> None:
    position = new(2, quick=True).position
    extra = position["spaces"][0]["tiles"][0]
    del position["gone"]
    position["seats"][0]["tiles"] = {"whale": 1}
    with refused("nomads.material.tiles", "impossible", "nomads.position.tiles") as refusal:
        load(position)
    assert refusal.facts == {"tile": "whale", "n": 15, "most": 14}
    position["seats"][0]["tiles"] = {}
    position["spaces"][0]["tiles"] += [extra] * 3
    with refused("nomads.material.tiles", "impossible", "veillee.position.wrong") as refusal:
        load(position)
    assert refusal.facts["path"] == "spaces[0].tiles"


def test_thirteen_moons() -> None:
    with refused("nomads.material.tiles", "impossible", "nomads.position.tiles") as refusal:
        scene(chart=3, moons={"ulrich": 8, "siana": 1}, stacks={1: "moon"})
    assert refusal.facts == {"tile": "moon", "n": 13, "most": 12}


def test_three_wilds() -> None:
    with refused("nomads.material.tiles", "impossible", "nomads.position.tiles") as refusal:
        scene(holds={"ulrich": "wild wild wild"})
    assert refusal.facts == {"tile": "wild", "n": 3, "most": 2}


def test_a_coin_is_nobody_elses() -> None:
    scene(holds={"ulrich": "wild wild wild", "siana": "wild"}, options={"coins": [0, 1]})
    with refused("nomads.material.tiles", "impossible"):
        scene(holds={"ulrich": "wild wild wild wild"}, options={"coins": [0, 1]})
    with refused("nomads.material.tiles", "impossible"):
        scene(holds={"ulrich": "wild wild wild"}, options={"coins": [1]})


def test_a_tile_that_is_nowhere_though_all_that_left_are_named() -> None:
    position = scene().position
    position["gone"]["moon"] -= 1
    with refused("nomads.material.tiles", "impossible", "nomads.position.lost") as refusal:
        load(position)
    assert refusal.facts == {"n": 1}


def test_an_unknown_top_tile() -> None:
    position = new(2, quick=True).view()
    position["spaces"][4]["tiles"][-1] = None
    with refused("nomads.setup.stacks", "impossible", "nomads.position.top"):
        load(position)


def test_too_few_tiles_to_be_the_unknown_ones() -> None:
    position = new(2, quick=True).view()
    position["gone"] = {"whale": 1}
    with refused("nomads.material.tiles", "impossible", "nomads.position.unknown") as refusal:
        load(position)
    assert refusal.facts == {"n": 104, "rest": 103}


def test_only_some_of_the_hidden_tiles_known() -> None:
    position = new(2, quick=True).position
    position["spaces"][0]["tiles"][0] = None
    with refused("nomads.public", "impossible"):
        load(position)


def test_two_lys() -> None:
    with refused("nomads.material.lys", "impossible") as refusal:
        load(written() | {"lys": [1, 2]})
    assert refusal.facts == {"path": "lys", "value": "[1, 2]", "expected": "1–8"}
    position = written()
    del position["lys"]
    with refused("nomads.position", "impossible"):
        load(position)


@pytest.mark.parametrize(("disc", "most"), [("red", 2), ("nomad", 8), ("nostromo", 2)])
def test_nine_discs_of_red(disc: str, most: int) -> None:
    with refused("nomads.material.discs", "impossible", "nomads.position.discs") as refusal:
        scene(piles={1: " ".join([disc] * 9)})
    assert refusal.facts == {"disc": disc, "n": 9, "most": most}


def test_a_disc_missing() -> None:
    position = written(piles={1: "red", 2: "red"})
    position["spaces"][0]["discs"] = []
    with refused("nomads.material.discs", "impossible", "nomads.position.missing") as refusal:
        load(position)
    assert refusal.facts == {"disc": "red", "n": 1, "all": 2}


def test_a_nomad_missing() -> None:
    position = written(piles={1: "nomad"})
    position["spaces"][0]["discs"] = []
    with refused("nomads.setup.nomads", "impossible"):
        load(position)


def test_the_frog_without_nostromo_and_nostromo_without_the_frog() -> None:
    with refused("nomads.setup.frog", "impossible"):
        scene("ulrich siana", piles={1: "frog"})
    position = written("ulrich nostromo", piles={1: "frog"})
    position["spaces"][0]["discs"] = []
    with refused("nomads.setup.frog", "impossible"):
        load(position)


def test_two_players_the_same_adventurer() -> None:
    with refused("nomads.setup.adventurers", "impossible"):
        load(changed(1, adventurer="ulrich"))


def test_a_player_without_an_adventurer() -> None:
    with refused("nomads.setup.adventurers", "impossible"):
        load(changed(1, adventurer=None))


@pytest.mark.parametrize("name", ["lys", "frog", "nomad", "Ulrich", 3, ["ulrich"]])
def test_no_such_adventurer(name: Any) -> None:
    with refused("nomads.position", "impossible", "veillee.position.wrong") as refusal:
        load(changed(1, adventurer=name))
    assert refusal.facts["path"] == "seats[1].adventurer"
    assert refusal.facts["expected"] == ", ".join(ADVENTURERS)


def test_a_card_held_twice() -> None:
    cards = {"ulrich": {"whale": 3}, "siana": {"whale": 3}}
    with refused("nomads.material.legends", "impossible", "nomads.position.cards"):
        scene(cards=cards)
    songs = {"ulrich": {"song": 4}, "siana": {"song": 4}}
    with refused("nomads.material.songs", "impossible", "nomads.position.cards"):
        scene(cards=songs)


@pytest.mark.parametrize("card", [1, 8, "#0", "#5", "3", True, 3.0, [3]])
def test_no_such_card(card: Any) -> None:
    with refused("nomads.position", "impossible", "veillee.position.wrong") as refusal:
        load(changed(0, legends={"stag": card}))
    assert refusal.facts["path"] == "seats[0].legends.stag"
    assert refusal.facts["expected"] == "2, 3, 4, 5"
    with refused("nomads.position", "impossible"):
        load(changed(0, song=card))


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"tiles": {"moon": 1}}, "seats[0].tiles.moon"),
        ({"tiles": {"whale": -1}}, "seats[0].tiles.whale"),
        ({"tiles": {"whale": "2"}}, "seats[0].tiles.whale"),
        ({"tiles": ["whale"]}, "seats[0].tiles"),
        ({"legends": {"wild": 2}}, "seats[0].legends.wild"),
        ({"legends": []}, "seats[0].legends"),
        ({"moons": 13}, "seats[0].moons"),
        ({"moons": True}, "seats[0].moons"),
        ({"name": "Ada"}, "seats[0].name"),
    ],
)
def test_wrong_in_front_of_a_seat(values: dict[str, Any], path: str) -> None:
    with refused("nomads.position", "impossible") as refusal:
        load(changed(**values))
    assert refusal.facts["path"] == path


@pytest.mark.parametrize(
    ("values", "clause", "path"),
    [
        ({"chart": 13}, "nomads.position", "chart"),
        ({"chart": "4"}, "nomads.position", "chart"),
        ({"turn": 2}, "nomads.position", "turn"),
        ({"first": -1}, "nomads.position", "first"),
        ({"keeper": 2}, "nomads.position", "keeper"),
        ({"phase": "night"}, "nomads.position", "phase"),
        ({"lys_moved": 1}, "nomads.position", "lys_moved"),
        ({"heard": "no"}, "nomads.position", "heard"),
        ({"idle": 101}, "nomads.position", "idle"),
        ({"last_writers": 3}, "nomads.position", "last_writers"),
        ({"seat": 2}, "nomads.position", "seat"),
        ({"gone": {"ink": 1}}, "nomads.position", "gone.ink"),
        ({"lyss": 3}, "nomads.position", "lyss"),
        ({"spaces": []}, "nomads.material.ring", "spaces"),
        ({"spaces": 8}, "nomads.material.ring", "spaces"),
        ({"spaces": [{"discs": "red"}] * 8}, "nomads.material.discs", "spaces[0].discs"),
        ({"spaces": [{"discs": ["lys"]}] * 8}, "nomads.material.discs", "spaces[0].discs"),
        ({"spaces": [{"discs": [None]}] * 8}, "nomads.material.discs", "spaces[0].discs"),
        ({"spaces": [{"discs": ["nomad"] * 20}] * 8}, "nomads.material.discs", "spaces[0].discs"),
        ({"spaces": [{"tiles": ["ink"]}] * 8}, "nomads.material.tiles", "spaces[0].tiles"),
        ({"spaces": [{"tile": []}] * 8}, "nomads.material.tiles", "spaces[0].tile"),
        ({"spaces": [3] * 8}, "nomads.material.ring", "spaces[0]"),
    ],
)
def test_wrong_on_the_table(values: dict[str, Any], clause: str, path: str) -> None:
    with refused(clause, "impossible") as refusal:
        load(written() | values)
    assert refusal.facts["path"] == path


@pytest.mark.parametrize(
    "position", [None, [], "", 7, {}, {"seats": 2}, {"seats": [], "options": 1}]
)
def test_no_position_at_all(position: Any) -> None:
    with refused("nomads.position", "impossible", "veillee.position.object"):
        load(position)


def test_another_games_position() -> None:
    with refused("nomads.position", "impossible", "veillee.position.object"):
        load(written() | {"game": "captain"})


def test_one_player_or_six() -> None:
    for players in (1, 6):
        with refused("nomads.players", "option", "veillee.players") as refusal:
            load(written() | {"seats": [{}] * players})
        assert refusal.facts == {"players": players, "fewest": 2, "most": 5}


@pytest.mark.parametrize(
    "values",
    [
        {"turn": 0, "seat": 1},
        {"turn": 0, "seat": 1, "phase": "bonus"},
        {"turn": 0, "seat": 1, "phase": "lift"},
        {"turn": 0, "seat": 1, "phase": "last"},
        {"phase": "adventurer"},
        {"phase": "frog"},
        {"phase": "sleepers", "keeper": 1, "seat": 0},
        {"phase": "sleepers", "keeper": 0, "seat": 0},
        {"phase": "discs"},
        {"phase": "lys", "first": 0, "seat": 0},
    ],
)
def test_the_wrong_seat_to_decide(values: dict[str, Any]) -> None:
    with refused("nomads.turn.order", "impossible", "nomads.position.seat") as refusal:
        load(written() | values)
    assert refusal.facts == {"phase": values.get("phase", "turn")}


def test_a_lift_without_a_disc_of_red_to_lift() -> None:
    with refused("nomads.move.red", "impossible", "nomads.position.seat"):
        scene("ulrich red", piles={1: "red nomad"}, phase="lift")
    with refused("nomads.move.red", "impossible", "nomads.position.seat"):
        scene("red ulrich", piles={1: "red", 2: "nomad red"}, phase="lift")
    assert legal(scene("red ulrich", piles={1: "red", 2: "red nomad"}, phase="lift"))


def test_a_last_card_for_one_who_can_write_none() -> None:
    with refused("nomads.end.write", "impossible", "nomads.position.seat"):
        scene(phase="last")
    game = scene(phase="last", holds={"siana": "whale whale"}, last_writers=1, seat=1)
    assert legal(game) == ["pass", "write whale I"]


def test_five_discs_on_a_space_in_set_up() -> None:
    game = new(2, first=0, adventurers=["ulrich", "siana"])
    for space in (1, 1, 1, 2, 2, 2):
        game.play(legal(game)[0].rsplit(" ", 1)[0] + f" {space}")
    position = game.position
    assert position["phase"] == "discs"
    assert pile(game, 1).count(" ") == 3
    position["spaces"][0]["discs"].append(position["spaces"][1]["discs"].pop())
    with refused("nomads.setup.limit", "impossible"):
        load(position)


@pytest.mark.parametrize(
    ("phase", "clause"),
    [
        ("adventurer", "nomads.material.discs"),
        ("frog", "nomads.material.discs"),
        ("sleepers", "nomads.material.discs"),
    ],
)
def test_discs_on_the_board_before_their_time(phase: str, clause: str) -> None:
    position = new(2, first=0, adventurers=["ulrich", "nostromo"]).position
    assert position["phase"] == "frog"
    if phase == "adventurer":
        position["seats"][1]["adventurer"] = None
    if phase == "sleepers":
        for space in position["spaces"]:
            space["discs"] = ["nomad"]
        position["spaces"][7]["discs"].insert(0, "frog")
    position["spaces"][0]["discs"].append("ulrich")
    with refused(clause, "impossible"):
        load(position | {"phase": phase, "seat": 1})


def test_sleepers_still_in_the_box_when_players_place_theirs() -> None:
    position = new(2, first=0, adventurers=["ulrich", "siana"]).position
    assert position["phase"] == "sleepers"
    with refused("nomads.material.discs", "impossible"):
        load(position | {"phase": "discs", "seat": 0})


def test_a_nomad_on_the_board_before_the_frog() -> None:
    position = new(2, first=0, adventurers=["ulrich", "nostromo"]).position
    position["spaces"][0]["discs"] = ["nomad"]
    with refused("nomads.setup.nomads", "impossible"):
        load(position)


def test_more_moons_than_a_turn_can_begin_with() -> None:
    assert scene(chart=8).position["chart"] == 8
    with refused("nomads.moons.when", "impossible"):
        scene(chart=9)
    assert scene(chart=9, phase="bonus").position["chart"] == 9


def test_a_position_refused_names_no_hand_of_its_own_making() -> None:
    """A coin in play is a Wild in the hand only if the position says so."""
    game = scene(options={"coins": [0]})
    assert hand(game, 0) == ""
    assert game.position["gone"]["wild"] == 3
