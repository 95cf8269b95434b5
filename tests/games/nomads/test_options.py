"""Nomads: what a table may choose, and what it may not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.nomads.scene import LEGENDS, hand, legal, load, new, refused, scene, written
from veillee.games.nomads import SPEC

ROWS = {name: [2, 3, 4, 5] for name in LEGENDS}


def test_values_of_legends_can_be_changed() -> None:
    options = {"legends": ROWS | {"ember": [1, 10, 20, 30]}}
    game = scene(holds={"ulrich": "ember"}, options=options)
    assert legal(game, "write") == ["write ember I"]
    game = scene(cards={"ulrich": {"ember": 30}}, options=options)
    assert game.scores == [30, 0]


def test_a_song_may_cost_another_number_than_it_scores() -> None:
    options = {"songs": {"cost": [2, 5, 6, 7], "points": [11, 5, 6, 7]}}
    game = scene(holds={"ulrich": "ember shell"}, options=options)
    game.play("sing I ember shell")
    assert game.scores == [11, 0]


def test_a_coin_from_oh_captain_is_a_wild_to_begin_with() -> None:
    game = new(3, coins=[0, 2])
    assert [hand(game, seat) for seat in range(3)] == ["wild", "", "wild"]
    assert game.scores == [-1, 0, -1]
    assert game.position["options"] == {"coins": [0, 2]}


def test_a_small_game_can_be_played_to_the_end() -> None:
    game = new(2, **SPEC.options.SMALL)
    for _ in range(200):
        if game.over:
            break
        game.play(game.legal[0])
    assert game.over


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("quick", 1),
        ("quick", "yes"),
        ("adventurers", "draw"),
        ("adventurers", ["ulrich"]),
        ("adventurers", ["ulrich", "ulrich"]),
        ("adventurers", ["ulrich", "lys"]),
        ("adventurers", ["ulrich", ["red"]]),
        ("adventurers", {"ulrich": 0}),
        ("adventurers", 5),
        ("first", 2),
        ("first", -1),
        ("first", True),
        ("first", "0"),
        ("keeper", 2),
        ("keeper", 0.0),
        ("coins", [2]),
        ("coins", [0, 0]),
        ("coins", [True]),
        ("coins", 0),
        ("coins", None),
        ("legends", {}),
        ("legends", [2, 3, 4, 5]),
        ("legends", ROWS | {"wild": [2, 3, 4, 5]}),
        ("legends", ROWS | {"whale": [2, 3, 4]}),
        ("legends", ROWS | {"whale": [0, 3, 4, 5]}),
        ("legends", ROWS | {"whale": [2, 3, 4, 31]}),
        ("legends", ROWS | {"whale": [2, 3, 4, 5.0]}),
        ("legends", ROWS | {"whale": "2345"}),
        ("songs", {"cost": [4, 5, 6, 7]}),
        ("songs", [4, 5, 6, 7]),
        ("songs", {"cost": [4, 5, 6, 7], "points": [4, 5, 6]}),
        ("songs", {"cost": [4, 5, 6, 7], "points": [4, 5, 6, True]}),
        ("story", [14] * 6),
        ("story", [14] * 6 + [15]),
        ("story", [14] * 6 + [-1]),
        ("story", 98),
        ("wilds", 3),
        ("wilds", -1),
        ("moons", 13),
        ("ring", 3),
        ("ring", 9),
        ("stacks_at_end", 8),
        ("patience", 0),
        ("patience", 101),
    ],
)
def test_a_wrong_value_is_refused(name: str, value: Any) -> None:
    with refused("nomads.option", "option", "veillee.option.wrong") as refusal:
        new(2, **{name: value})
    assert refusal.facts["name"] == name
    assert refusal.facts["value"] == value
    with refused("nomads.option", "option", "veillee.option.wrong"):
        load(written() | {"options": {name: value}})


def test_an_unknown_option_is_refused() -> None:
    with refused("nomads.option", "option", "veillee.option.unknown") as refusal:
        new(2, quik=True)
    assert refusal.facts["name"] == "quik"
    assert "quick" in refusal.facts["options"]


@pytest.mark.parametrize(
    ("options", "tiles", "fewest", "most"),
    [
        ({"ring": 6}, 112, 6, 84),
        ({"story": [0] * 7, "moons": 3}, 5, 8, 112),
    ],
)
def test_there_must_be_as_many_tiles_as_fit(
    options: dict[str, Any], tiles: int, fewest: int, most: int
) -> None:
    with refused("nomads.setup.stacks", "option", "nomads.option.tiles") as refusal:
        new(2, **options)
    assert refusal.facts == {"tiles": tiles, "fewest": fewest, "most": most}


@pytest.mark.parametrize("players", [0, 1, 6, "2", None])
def test_two_to_five_play(players: Any) -> None:
    with refused("nomads.players", "option", "veillee.players"):
        new(players)
