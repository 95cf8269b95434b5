"""The end, points and winners."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.games.lumens.scene import SMALL_BOARD, scene
from veillee.engine.jit.layout import OVER
from veillee.engine.seed import fast_row
from veillee.games.lumens import SPEC, Game

FOUR = ("3/4",) * 4
NAMES = {"timo": "yellow", "max": "green", "pia": "red", "sarah": "purple"}


def table(squares: dict[str, list[str]], players: int = 4) -> Game:
    """Four at the table, as in the rulebook: Timo, Max, Pia, Sarah."""
    named = {
        square: [f"{NAMES[who]} {face}" for who, face in (token.split() for token in tokens)]
        for square, tokens in squares.items()
    }
    return scene(named, hands=FOUR[:players])


def test_lumens_end_when_all_is_played() -> None:
    game = Game(2, seed=5)
    chance = Random(1)
    while not game.over:
        game.play(chance.choice(game.legal))
    assert len(game.steps) == 48
    assert game.phase == "over"
    assert all(sum(seat["left"].values()) == 0 for seat in game.position["seats"])


def test_lumens_end_when_nobody_can_place() -> None:
    game = scene(
        {"a1": ["yellow 6"], "c3": ["green 5", "green 4"]},
        options={"board": SMALL_BOARD},
        out=[1],
    )
    game.play("a1 4")
    assert game.over
    assert game.legal == []
    assert all(sum(seat["left"].values()) > 0 for seat in game.position["seats"])


def test_lumens_end_room() -> None:
    game = table({"a3": ["timo 6"], "b5": ["timo 4"], "d3": ["timo 5"], "f3": ["timo 3"]})
    assert game.scores == [8, 0, 0, 0], "rooms a and b; d3 is a passage"


def test_lumens_end_room_counts_the_top_only() -> None:
    game = table({"a3": ["timo 6", "max 1"]})
    assert game.scores == [0, 4, 0, 0]


def test_lumens_end_room_is_told_at_the_end() -> None:
    game = scene(
        {"a1": ["yellow 6"], "b2": ["yellow 3"], "c3": ["green 5", "green 4"]},
        options={"board": SMALL_BOARD},
        out=[1],
    )
    told = game.play("a1 4")
    assert [event.name for event in told] == ["place", "draw", "out", "room"]
    assert told[-1].values == {"room": 1, "seat": 0, "pips": 3, "points": 4}


def test_lumens_end_points_and_the_example_of_two_rooms() -> None:
    """Left: Timo 10, Max 9, Pia 4. Right: Sarah 12, Max 5, Timo 4."""
    left = {
        "a3": ["timo 6"],
        "b3": ["timo 4"],
        "a4": ["max 5"],
        "b4": ["max 4"],
        "c4": ["pia 4"],
    }
    right = {
        "m3": ["sarah 6"],
        "n3": ["sarah 6"],
        "m4": ["max 5"],
        "n4": ["timo 4"],
    }
    assert table(left).scores == [4, 2, 0, 0]
    assert table(right).scores == [0, 2, 0, 4]
    assert table(left | right).scores == [4, 4, 0, 4]


def test_lumens_end_points_with_three_and_two_players() -> None:
    squares = {"a3": ["timo 6"], "b3": ["max 5"]}
    assert table(squares, 3).scores == [4, 2, 0]
    assert table({"c1": ["timo 6"], "d1": ["max 5"]}, 2).scores == [4, 0]


def test_lumens_end_tie_for_first() -> None:
    """Pia 10, Sarah 10, Timo 6: four each, and no second."""
    game = table(
        {
            "a3": ["pia 6"],
            "b3": ["pia 4"],
            "a4": ["sarah 5"],
            "b4": ["sarah 5"],
            "c4": ["timo 6"],
        }
    )
    assert game.scores == [0, 0, 4, 4]


def test_lumens_end_tie_for_second() -> None:
    """Max 9, Sarah 4, Timo 4: the second place twice."""
    game = table({"a3": ["max 5"], "b3": ["max 4"], "a4": ["sarah 4"], "b4": ["timo 4"]})
    assert game.scores == [2, 4, 0, 2]


def test_lumens_end_tie_of_two_players() -> None:
    assert table({"c1": ["timo 5"], "d1": ["max 5"]}, 2).scores == [4, 4]


def test_lumens_end_tie_of_all_and_an_empty_room() -> None:
    everyone = {"a3": ["timo 2"], "b3": ["max 2"], "c3": ["pia 2"], "a4": ["sarah 2"]}
    assert table(everyone).scores == [4, 4, 4, 4]
    assert table({}).scores == [0, 0, 0, 0]


def test_lumens_end_tie_third_gets_nothing() -> None:
    game = table({"a3": ["timo 6"], "b3": ["max 5"], "c3": ["pia 4"], "a4": ["sarah 3"]})
    assert game.scores == [4, 2, 0, 0]


FIRSTS_AND_SECONDS = {
    "a3": ["sarah 6"], "b3": ["timo 2"],
    "f3": ["sarah 6"], "g3": ["timo 2"],
    "i3": ["sarah 6"], "j3": ["timo 2"],
    "m3": ["sarah 6"], "n3": ["timo 2"],
    "c7": ["sarah 6"], "d7": ["timo 2"],
    "l7": ["max 6"], "m7": ["pia 1"],
    "a11": ["max 6"], "b11": ["pia 1"],
    "f11": ["max 6"], "g11": ["pia 1"],
    "i11": ["max 6"], "j11": ["pia 1"],
    "n11": ["pia 6"], "o11": ["timo 2"],
    "h8": ["max 6"], "g8": ["timo 2"],
}  # fmt: skip


def test_lumens_end_win_by_the_central_room() -> None:
    """Max and Sarah 20 each, Timo 14, Pia 12; Max is in the central room, Sarah is not."""
    game = table(FIRSTS_AND_SECONDS)
    assert game.scores == [14, 20, 12, 20]
    assert game.places == [3, 1, 4, 2]


def test_lumens_end_win_by_points() -> None:
    game = table({"a3": ["timo 1"], "h8": ["max 6"], "f3": ["timo 1"]})
    assert game.scores == [8, 4, 0, 0]
    assert game.places == [1, 2, 3, 3], "the central room is asked among the tied only"


def test_lumens_end_win_shared() -> None:
    game = table({"h8": ["timo 6"], "g8": ["pia 6"], "a3": ["max 1"]})
    assert game.scores == [4, 4, 4, 0]
    assert game.places == [1, 3, 1, 4]


def test_lumens_end_win_lower_places_are_ranked_likewise() -> None:
    game = table(
        {"a3": ["timo 6"], "f3": ["timo 6"], "h8": ["max 3"], "i8": ["sarah 3"]} | {"i3": ["pia 6"]}
    )
    assert game.scores == [8, 4, 4, 4]
    assert game.places == [1, 2, 4, 2]


def test_lumens_end_win_counts_pips_of_those_without_points_too() -> None:
    game = table({"h8": ["timo 6"], "g8": ["max 5"], "i8": ["pia 4"], "h7": ["sarah 3"]})
    assert game.scores == [4, 2, 0, 0]
    assert game.places == [1, 2, 3, 4]


def test_nobody_wins_before_the_end() -> None:
    assert table({"a3": ["timo 6"]}).winners == []


def test_a_game_that_nobody_listens_to() -> None:
    """Playouts tell nothing, and end as games do."""
    state = SPEC.template(3)
    score, place = np.zeros((4, 3), np.int16), np.zeros((4, 3), np.int16)
    decisions = SPEC.plain.playouts(
        SPEC.twins(SPEC.template(3)),
        SPEC.twins(state),
        1,
        0,
        fast_row(0).data,
        np.zeros(SPEC.actions, np.int16).data,
        [row.data for row in score],
        [row.data for row in place],
    )
    assert decisions == 4 * 72
    assert state["seat"] == OVER
    assert (score.sum(axis=1) > 0).all()
    assert (place.min(axis=1) == 1).all()
    SPEC.position.check(SPEC.twin(state))
