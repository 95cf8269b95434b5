"""Nomads, A: listening to the stories."""

from __future__ import annotations

from tests.games.nomads.scene import gone, hand, pile, scene, stack, told


def test_nomads_listen_order_from_the_active_player_clockwise() -> None:
    game = scene(
        "ulrich siana red",
        turn=1,
        piles={1: "siana", 3: "ulrich", 4: "red", 5: "siana", 6: "nomad"},
        stacks={2: "whale", 3: "stag", 4: "cedar", 5: "comet"},
    )
    assert told(game.play("sow 1 left"), "take") == [
        "take seat=1 space=2 tile=whale under=nothing",
        "take seat=1 space=5 tile=comet under=nothing",
        "take seat=2 space=4 tile=cedar under=nothing",
        "take seat=0 space=3 tile=stag under=nothing",
    ]


def test_nomads_listen_order_everyone_must_take() -> None:
    game = scene(piles={1: "ulrich", 2: "siana nomad", 5: "siana"}, stacks={2: "ember", 5: "whale"})
    game.play("sow 1 left")
    assert pile(game, 2) == "siana nomad ulrich"
    assert (hand(game, 0), hand(game, 1)) == ("ember", "whale")


def test_nomads_listen_order_a_covered_disc_hears_nothing() -> None:
    game = scene(piles={1: "ulrich", 5: "siana nomad"}, stacks={5: "whale"})
    game.play("sow 1 left")
    assert hand(game, 1) == ""
    assert stack(game, 5) == "whale"


def test_nomads_listen_order_one_tile_of_each_stack() -> None:
    game = scene(piles={1: "ulrich"}, stacks={2: "whale whale whale"})
    game.play("sow 1 left")
    assert hand(game, 0) == "whale"
    assert stack(game, 2) == "whale whale"


def test_nomads_listen_story_is_kept_in_front_of_the_player() -> None:
    game = scene(piles={1: "ulrich", 5: "siana"}, stacks={2: "storm", 5: "wild"})
    game.play("sow 1 left")
    assert (hand(game, 0), hand(game, 1)) == ("storm", "wild")
    assert game.view(0)["seats"][1]["tiles"] == {"wild": 1}
    assert game.position["chart"] == 0


def test_nomads_listen_moon_goes_on_the_chart() -> None:
    game = scene(piles={1: "ulrich", 5: "siana"}, stacks={2: "moon", 5: "moon"}, chart=1)
    game.play("sow 1 left")
    assert (hand(game, 0), hand(game, 1)) == ("", "")
    assert game.position["chart"] == 3


def test_nomads_listen_empty_nothing_is_taken() -> None:
    game = scene(piles={1: "ulrich", 5: "red"}, stacks={2: "", 5: ""})
    assert told(game.play("sow 1 left"), "take", "lose") == []
    assert hand(game, 0) == ""


def test_nomads_listen_sleeper_the_tile_leaves_the_game() -> None:
    game = scene(
        piles={1: "ulrich", 5: "moon", 6: "red"}, stacks={2: "", 5: "whale stag", 6: "wild"}
    )
    before = gone(game)
    assert told(game.play("sow 1 left"), "lose") == [
        "lose disc=moon space=5 tile=stag under=whale",
        "lose disc=red space=6 tile=wild under=nothing",
    ]
    assert gone(game) - before == {"stag": 1, "wild": 1}
    assert (hand(game, 0), hand(game, 1)) == ("", "")
    assert stack(game, 5) == "whale"


def test_nomads_listen_sleeper_a_moon_goes_on_the_chart() -> None:
    game = scene(piles={1: "ulrich", 5: "moon"}, stacks={2: "", 5: "whale moon"})
    before = gone(game)
    game.play("sow 1 left")
    assert game.position["chart"] == 1
    assert gone(game) == before


def test_nomads_listen_nomad_the_tile_stays() -> None:
    game = scene(piles={1: "ulrich nomad", 2: "nomad", 3: "nomad"}, stacks={3: "whale moon"})
    game.play("sow 1 left")
    assert stack(game, 3) == "whale moon"
    assert game.position["chart"] == 0


def test_nomads_listen_nomad_where_no_disc_lies_the_tile_stays() -> None:
    game = scene(piles={1: "ulrich"}, stacks={1: "whale stag", 2: ""})
    game.play("sow 1 left")
    assert pile(game, 1) == ""
    assert stack(game, 1) == "whale stag"


def test_nomads_listen_order_the_example_of_the_rulebook() -> None:
    """Ulrich and Siana take stories, Red a Moon; Moon, asleep, loses one; Nostromo is covered."""
    game = scene(
        "ulrich red siana nostromo",
        piles={
            1: "ulrich",
            3: "nomad siana",
            4: "red",
            5: "nomad moon",
            6: "nostromo nomad",
            7: "nostromo frog nomad",
        },
        stacks={2: "whale", 3: "stag", 4: "moon", 5: "cedar", 6: "comet", 7: "comet"},
    )
    before = gone(game)
    game.play("sow 1 left")
    assert [hand(game, seat) for seat in range(4)] == ["whale", "", "stag", ""]
    assert game.position["chart"] == 1
    assert gone(game) - before == {"cedar": 1}
    assert (stack(game, 6), stack(game, 7)) == ("comet", "comet")
