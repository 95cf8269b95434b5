"""Nomads: a turn, and what may be chosen in it."""

from __future__ import annotations

import pytest

from tests.games.nomads.scene import forbidden, gone, hand, legal, pile, scene, stack, told


def test_nomads_turn_order_passes_clockwise() -> None:
    game = scene("ulrich siana red", turn=1, piles={1: "siana nomad", 3: "ulrich", 5: "red nomad"})
    game.play("sow 1 left")
    assert (game.seat, game.position["turn"]) == (2, 2)
    game.play("sow 5 left")
    game.play("keep")
    assert (game.seat, game.position["turn"]) == (0, 0)
    game.play("sow 3 left")
    assert (game.seat, game.position["turn"]) == (1, 1)


def test_nomads_turn_order_also_after_writing() -> None:
    game = scene("ulrich siana red", turn=2, holds={"red": "whale whale"})
    game.play("write whale I")
    assert game.seat == 0


@pytest.mark.parametrize("action", ["lys 1", "lys 7", "sow 1 left skip 1", "sow 1 left double 1"])
def test_nomads_turn_powers_are_for_ones_own_adventurer_only(action: str) -> None:
    game = scene("red siana ulrich", piles={1: "nomad red nomad"})
    forbidden(game, action, "nomads.turn.powers")


def test_nomads_turn_powers_sleepers_have_none() -> None:
    """Ulrich, Siana and Moon are asleep; Red and Nostromo have nothing of theirs."""
    game = scene("red nostromo", piles={1: "nomad ulrich siana moon red"}, lys=5)
    assert legal(game, "sow", "lys") == ["sow 1 left", "sow 1 right", "sow 8 left", "sow 8 right"]


def test_nomads_turn_powers_are_optional() -> None:
    game = scene("ulrich moon", piles={1: "ulrich nomad", 4: "moon"}, lys=6)
    assert "sow 1 left" in legal(game)
    game.play("sow 1 left")
    assert "sow 4 right" in legal(game)


def test_nomads_turn_moon_may_move_lys_to_a_neighbour() -> None:
    game = scene("moon red", piles={1: "nomad moon"}, stacks={4: "whale", 6: "stag"}, lys=5)
    assert legal(game)[:2] == ["lys 6", "lys 4"]
    assert told(game.play("lys 4")) == ["lys seat=0 space=4 phase=turn"]
    assert game.position["lys"] == 4
    assert game.position["lys_moved"] is True


def test_nomads_turn_moon_gets_no_bonus_from_it_and_still_has_her_turn() -> None:
    game = scene("moon red", piles={1: "nomad moon"}, stacks={4: "whale"}, lys=5)
    game.play("lys 4")
    assert hand(game, 0) == ""
    assert (game.phase, game.seat) == ("turn", 0)
    assert "sow 1 left" in legal(game)


def test_nomads_turn_moon_moves_lys_once_and_one_step() -> None:
    game = scene("moon red", lys=5)
    for far in ("lys 1", "lys 3", "lys 5", "lys 7"):
        forbidden(game, far, "nomads.turn.moon")
    game.play("lys 6")
    forbidden(game, "lys 7", "nomads.turn.moon")
    forbidden(game, "lys 5", "nomads.turn.moon")


def test_nomads_turn_moon_may_move_lys_again_in_her_next_turn() -> None:
    game = scene("moon ulrich", lys=5, piles={1: "moon", 3: "ulrich"})
    game.play("lys 6")
    game.play("sow 1 left")
    assert legal(game, "lys") == []
    game.play("sow 3 left")
    assert legal(game, "lys") == ["lys 7", "lys 5"]


def test_nomads_turn_moon_whatever_she_does_then() -> None:
    game = scene("moon red", lys=8, holds={"moon": "whale whale"})
    game.play("lys 1")
    game.play("write whale I")
    assert game.scores == [2, 0]
    assert game.position["lys"] == 1


def test_nomads_turn_choice_is_to_sow_or_to_write() -> None:
    game = scene(piles={2: "nomad ulrich", 3: "ulrich"}, holds={"ulrich": "stag stag stag"})
    assert legal(game) == [
        "sow 2 left",
        "sow 2 left double 1",
        "sow 2 right",
        "sow 2 right double 1",
        "sow 3 left",
        "sow 3 right",
        "write stag I",
        "write stag II",
    ]


def test_nomads_turn_choice_is_one_of_them() -> None:
    game = scene(piles={2: "nomad ulrich", 5: "siana"}, holds={"ulrich": "stag stag"})
    game.play("sow 2 left")
    assert game.seat == 1

    game = scene(piles={2: "nomad ulrich", 5: "siana"}, holds={"ulrich": "stag stag"})
    game.play("write stag I")
    assert game.seat == 1
    assert pile(game, 2) == "nomad ulrich"


def test_nomads_turn_choice_there_is_no_passing() -> None:
    forbidden(scene(), "pass", "nomads.turn.choice")
    forbidden(scene(), "place ulrich 1", "nomads.turn.choice")


def test_nomads_turn_choice_writing_makes_nobody_listen() -> None:
    game = scene(piles={2: "ulrich", 3: "red"}, holds={"ulrich": "stag stag"})
    before = [stack(game, space) for space in range(1, 9)]
    game.play("write stag I")
    assert [stack(game, space) for space in range(1, 9)] == before
    assert hand(game, 0) == ""
    assert gone(game)["stag"] == gone(scene(holds={"ulrich": "stag stag"}))["stag"] + 2
