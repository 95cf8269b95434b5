"""Nomads: the scorings under the Opal Moons."""

from __future__ import annotations

import pytest

from tests.games.nomads.scene import gone, scene, told, won
from veillee.engine.game import Game


def under_moons(seats: str, holds: dict[str, str] | None = None, chart: int = 4) -> Game:
    """The first seat moves and hears nothing, while so many Moons lie on the chart."""
    piles = {1: f"{seats.split()[0]} nomad"}
    return scene(seats, chart=chart, piles=piles, stacks={2: ""}, holds=holds)


def test_nomads_moons_when_four_lie_at_the_end_of_a_turn() -> None:
    game = scene(
        piles={1: "ulrich", 5: "nomad"}, stacks={2: "moon"}, chart=3, holds={"siana": "whale"}
    )
    events = told(game.play("sow 1 left"), "take", "moons")
    assert events == [
        "take seat=0 space=2 tile=moon under=nothing",
        "moons seat=0 points=0 won=3",
        "moons seat=1 points=-1 won=1",
    ]
    assert game.position["chart"] == 0
    assert won(game) == [3, 1]


def test_nomads_moons_when_not_with_three() -> None:
    game = under_moons("ulrich siana", chart=3)
    assert told(game.play("sow 1 left"), "moons") == []
    assert game.position["chart"] == 3


def test_nomads_moons_when_the_excess_goes_back() -> None:
    game = under_moons("ulrich siana", {"siana": "whale"}, chart=6)
    game.play("sow 1 left")
    assert game.position["chart"] == 2
    assert won(game) == [3, 1]


def test_nomads_moons_when_one_scoring_per_end_of_turn() -> None:
    game = under_moons("ulrich siana", {"siana": "whale whale"}, chart=8)
    game.play("sow 1 left")
    assert (game.position["chart"], won(game)) == (4, [3, 1])
    # Whatever that turn was: here she writes.
    game.play("write whale I")
    assert (game.position["chart"], won(game)) == (0, [4, 4])


def test_nomads_moons_when_also_after_a_song() -> None:
    game = under_moons("ulrich siana", {"ulrich": "whale stag cedar comet"})
    assert told(game.play("sing I whale stag cedar comet"), "moons") == [
        "moons seat=0 points=4 won=3",
        "moons seat=1 points=0 won=1",
    ]


def test_nomads_moons_when_also_after_a_legend() -> None:
    game = under_moons("ulrich siana", {"ulrich": "whale whale"})
    assert told(game.play("write whale I"), "moons") == [
        "moons seat=0 points=2 won=3",
        "moons seat=1 points=0 won=1",
    ]


def test_nomads_moons_score_cards_less_tiles() -> None:
    game = scene(
        "ulrich red",
        chart=4,
        piles={1: "ulrich nomad"},
        stacks={2: ""},
        holds={"ulrich": "whale wild", "red": "shell"},
        cards={"ulrich": {"whale": 3, "shell": 5, "song": 6}, "red": {"ember": 5}},
    )
    assert told(game.play("sow 1 left"), "moons") == [
        "moons seat=0 points=12 won=3",
        "moons seat=1 points=4 won=1",
    ]


def test_nomads_moons_score_the_example_of_the_rulebook() -> None:
    game = scene(
        "ulrich red siana",
        chart=4,
        piles={1: "ulrich nomad"},
        stacks={2: ""},
        holds={
            "ulrich": "whale stag",
            "red": "whale stag",
            "siana": "whale stag stag ember ember ember shell",
        },
        cards={"ulrich": {"comet": 3, "storm": 4}, "red": {"ember": 4}},
    )
    assert told(game.play("sow 1 left"), "moons") == [
        "moons seat=0 points=5 won=3",
        "moons seat=1 points=2 won=1",
        "moons seat=2 points=-7 won=0",
    ]
    assert won(game) == [3, 1, 0]


def test_nomads_moons_score_moons_won_before_do_not_count() -> None:
    game = scene(
        "ulrich red",
        chart=4,
        piles={1: "ulrich nomad"},
        stacks={2: ""},
        moons={"ulrich": 4},
        holds={"ulrich": "whale"},
    )
    game.play("sow 1 left")
    assert won(game) == [5, 3]


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", range(3))
def test_nomads_moons_award_three_to_the_highest_one_to_the_second(first: int, second: int) -> None:
    if first == second:
        return
    names = ["ulrich", "siana", "red"]
    tiles = dict.fromkeys(names, "whale whale") | {names[second]: "whale", names[first]: ""}
    game = under_moons("ulrich siana red", tiles)
    game.play("sow 1 left")
    assert [won(game)[seat] for seat in (first, second)] == [3, 1]
    assert sum(won(game)) == 4
    assert gone(game)["moon"] == 8


def split(tiles: list[int]) -> tuple[list[int], int]:
    """The Moons won with so many tiles in front of each, and those that leave the game."""
    names = ["ulrich", "siana", "red", "moon", "nostromo"][: len(tiles)]
    held = {name: " ".join(["stag"] * n) for name, n in zip(names, tiles, strict=True)}
    game = under_moons(" ".join(names), held)
    before = gone(game)["moon"]
    game.play("sow 1 left")
    assert game.position["chart"] == 0
    return won(game), gone(game)["moon"] - before


@pytest.mark.parametrize(
    ("tiles", "moons", "lost"),
    [
        ([0, 0], [2, 2], 0),
        ([0, 0, 1], [2, 2, 0], 0),
        ([1, 0, 0], [0, 2, 2], 0),
        ([0, 0, 0], [1, 1, 1], 1),
        ([1, 0, 0, 0], [0, 1, 1, 1], 1),
        ([0, 0, 0, 0], [1, 1, 1, 1], 0),
        ([0, 0, 1, 0, 0], [1, 1, 0, 1, 1], 0),
        ([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], 4),
    ],
)
def test_nomads_moons_tie_for_first_splits_all_four(
    tiles: list[int], moons: list[int], lost: int
) -> None:
    assert split(tiles) == (moons, lost)


@pytest.mark.parametrize(
    ("tiles", "moons"),
    [
        ([0, 1, 1], [3, 0, 0]),
        ([1, 0, 1], [0, 3, 0]),
        ([1, 1, 0], [0, 0, 3]),
        ([2, 1, 1, 0], [0, 0, 0, 3]),
        ([1, 1, 1, 1, 0], [0, 0, 0, 0, 3]),
        ([1, 2, 0, 2, 1], [0, 0, 3, 0, 0]),
    ],
)
def test_nomads_moons_tie_for_second_nobody_has_the_one(tiles: list[int], moons: list[int]) -> None:
    assert split(tiles) == (moons, 1)


@pytest.mark.parametrize(
    ("tiles", "moons"),
    [
        ([2, 1, 0], [0, 1, 3]),
        ([2, 2, 1, 0], [0, 0, 1, 3]),
        ([0, 2, 2, 1], [3, 0, 0, 1]),
        ([3, 3, 3, 1, 0], [0, 0, 0, 1, 3]),
        ([1, 1, 0, 2, 2], [0, 0, 3, 0, 0]),
    ],
)
def test_nomads_moons_tie_further_down_changes_nothing(tiles: list[int], moons: list[int]) -> None:
    assert split(tiles) == (moons, 4 - sum(moons))
