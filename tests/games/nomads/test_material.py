"""Nomads: what is in the box."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.games.nomads.scene import (
    LEGENDS,
    forbidden,
    legal,
    load,
    new,
    pile,
    refused,
    scene,
    written,
)

SIX: dict[str, Any] = {"ring": 6, "story": [10] * 7}
"""A ring of six, and no more tiles than it has room for."""


def test_nomads_material_ring_left_is_clockwise_and_the_ring_closes() -> None:
    game = scene(piles={8: "ulrich", 4: "nomad"})
    game.play("sow 8 left")
    assert pile(game, 1) == "nomad ulrich"

    game = scene(piles={1: "ulrich", 4: "nomad"}, lys=5)
    game.play("sow 1 right")
    assert pile(game, 8).endswith("ulrich")


def test_nomads_material_ring_steps_between_neighbours() -> None:
    game = scene(piles={3: "ulrich"})
    game.play("sow 3 left")
    assert pile(game, 4) == "nomad ulrich"

    game = scene(piles={3: "ulrich"})
    game.play("sow 3 right")
    assert pile(game, 2) == "nomad ulrich"


def test_nomads_material_ring_a_space_beyond_a_small_one_is_refused() -> None:
    game = scene(piles={6: "ulrich"}, lys=3, options=SIX)
    forbidden(game, "sow 7 left", "nomads.material.ring")
    game.play("sow 6 left")
    assert pile(game, 1) == "nomad ulrich"

    game = scene("moon red", lys=6, options=SIX)
    forbidden(game, "lys 7", "nomads.material.ring")
    game.play("lys 1")
    assert game.position["lys"] == 1

    game = scene("moon red", lys=1, options=SIX)
    game.play("lys 6")
    assert game.position["lys"] == 6

    game = new(2, adventurers=["ulrich", "nostromo"], **SIX)
    forbidden(game, "place frog 7", "nomads.material.ring")
    game.play("place frog 6")
    forbidden(game, "place red 8", "nomads.material.ring")


def test_nomads_material_ring_a_position_has_eight_spaces() -> None:
    position = written()
    position["spaces"].append({"discs": [], "tiles": []})
    with refused("nomads.material.ring", "impossible") as refusal:
        load(position)
    assert refusal.facts == {"path": "spaces", "value": "9", "expected": "8"}


def test_nomads_material_tiles_there_are_112() -> None:
    spaces = new(2).position["spaces"]
    found = Counter(tile for space in spaces for tile in space["tiles"])
    assert found == dict.fromkeys(LEGENDS, 14) | {"moon": 12, "wild": 2}
    assert found.total() == 112


def test_nomads_material_legends_four_of_each_worth_two_to_five() -> None:
    game = scene(holds={"ulrich": " ".join([*["whale"] * 5, *["stag"] * 5])})
    wanted = [
        f"write {name} {card}" for name in ("whale", "stag") for card in ["I", "II", "III", "IV"]
    ]
    assert legal(game, "write") == wanted
    values = [
        game.spec.notation.describe(game.state, n)["value"] for n in game.legal if "write" in str(n)
    ]
    assert values == [2, 3, 4, 5, 2, 3, 4, 5]


@pytest.mark.parametrize("legend", LEGENDS)
def test_nomads_material_legends_every_legend_has_the_same(legend: str) -> None:
    game = scene(holds={"ulrich": " ".join([legend] * 4)})
    assert legal(game, "write") == [f"write {legend} {card}" for card in ("I", "II", "III")]


def test_nomads_material_songs_ask_for_four_to_seven_different_tiles() -> None:
    game = scene(holds={"ulrich": " ".join(LEGENDS)})
    cheapest = {song: [t for t in legal(game, "sing") if t.split()[1] == song] for song in
                ("I", "II", "III", "IV")}  # fmt: skip
    assert {len(text.split()) - 2 for text in cheapest["I"]} == {4}
    assert {len(text.split()) - 2 for text in cheapest["II"]} == {5}
    assert {len(text.split()) - 2 for text in cheapest["III"]} == {6}
    assert cheapest["IV"] == ["sing IV " + " ".join(LEGENDS)]
    # As many as there are ways to choose 4, 5, 6 or 7 out of seven.
    assert [len(ways) for ways in cheapest.values()] == [35, 21, 7, 1]


def test_nomads_material_songs_score_as_many_points() -> None:
    for song, points in zip(("I", "II", "III", "IV"), (4, 5, 6, 7), strict=True):
        game = scene(holds={"ulrich": " ".join(LEGENDS[:points])})
        game.play(f"sing {song} {' '.join(LEGENDS[:points])}")
        assert game.scores == [points, 0]
        assert game.position["seats"][0]["song"] == points


def test_nomads_material_table_other_values_can_be_tried() -> None:
    legends = {name: [2, 3, 4, 5] for name in LEGENDS} | {"comet": [1, 6, 6, 9]}
    songs = {"cost": [2, 3, 4, 5], "points": [1, 10, 20, 30]}
    game = scene(
        holds={"ulrich": "comet comet comet comet comet comet stag"},
        options={"legends": legends, "songs": songs},
    )
    assert legal(game, "write", "sing") == [
        "write comet I",
        "write comet II",
        "write comet III",
        "sing I stag comet",
    ]
    game.play("write comet III")
    assert game.scores == [5, 0]

    game = scene(holds={"ulrich": "comet stag"}, options={"songs": songs})
    game.play("sing I stag comet")
    assert game.scores == [1, 0]


def test_nomads_material_discs_there_are_nineteen() -> None:
    game = new(5, quick=True, adventurers=["ulrich", "moon", "red", "siana", "nostromo"])
    found = Counter(disc for space in game.position["spaces"] for disc in space["discs"])
    pairs = dict.fromkeys(("ulrich", "moon", "red", "siana", "nostromo"), 2)
    assert found == {"nomad": 8, "frog": 1} | pairs
    assert found.total() == 19


def test_nomads_material_discs_before_set_up_all_are_in_the_box() -> None:
    game = new(4)
    assert list(game.state.box) == [8, 2, 2, 2, 2, 2, 1]
    assert [pile(game, space) for space in range(1, 9)] == [""] * 8


def test_nomads_material_lys_points_at_one_space() -> None:
    with refused("nomads.material.lys", "impossible"):
        load(written() | {"lys": [3, 5]})
    with refused("nomads.material.lys", "impossible"):
        load(written() | {"lys": 9})


def test_nomads_material_lys_is_not_playable() -> None:
    with refused("nomads.notation", "unreadable"):
        new(2).play("adventurer lys")
    with refused("nomads.option", "option"):
        new(2, adventurers=["lys", "red"])
