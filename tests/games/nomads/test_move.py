"""Nomads, A: moving a pile around the fire."""

from __future__ import annotations

import pytest

from tests.games.nomads.scene import forbidden, hand, legal, pile, scene, stack, told
from veillee.engine.game import Game

ROUND = "nomad nomad nomad nomad nomad nomad siana ulrich moon"
"""Nine discs: more than there are spaces."""


def piles(game: Game) -> list[str]:
    return [pile(game, space) for space in range(1, 9)]


def test_nomads_move_pile_at_any_height() -> None:
    game = scene(piles={1: "ulrich nomad", 3: "nomad ulrich nomad", 5: "siana"})
    assert [text for text in legal(game) if "double" not in text] == [
        "sow 1 left",
        "sow 1 right",
        "sow 3 left",
        "sow 3 right",
    ]


def test_nomads_move_pile_only_where_one_has_a_disc() -> None:
    game = scene(piles={1: "nomad ulrich", 5: "siana", 6: ""})
    forbidden(game, "sow 5 left", "nomads.move.pile")
    forbidden(game, "sow 6 right", "nomads.move.pile")


def test_nomads_move_pile_is_taken_whole() -> None:
    game = scene(piles={3: "nomad siana ulrich red", 6: "nomad"})
    events = told(game.play("sow 3 left"), "sow")
    assert pile(game, 3) == ""
    assert events == ["sow seat=0 space=3 direction=left height=4"]


def test_nomads_move_sow_the_lowest_falls_first() -> None:
    game = scene(piles={3: "nomad siana ulrich", 4: "nomad", 5: "red", 6: ""})
    events = told(game.play("sow 3 left"), "sow", "drop", "skip")
    assert piles(game)[2:6] == ["", "nomad nomad", "red siana", "ulrich"]
    assert events == [
        "sow seat=0 space=3 direction=left height=3",
        "drop disc=nomad space=4",
        "drop disc=siana space=5",
        "drop disc=ulrich space=6",
    ]


def test_nomads_move_sow_to_the_right() -> None:
    game = scene(piles={3: "nomad siana ulrich", 2: "nomad", 1: "red", 8: ""}, lys=5)
    events = told(game.play("sow 3 right"), "sow", "drop")
    assert (pile(game, 2), pile(game, 1), pile(game, 8)) == ("nomad nomad", "red siana", "ulrich")
    assert events == [
        "sow seat=0 space=3 direction=right height=3",
        "drop disc=nomad space=2",
        "drop disc=siana space=1",
        "drop disc=ulrich space=8",
    ]


def test_nomads_move_sow_a_pile_over_seven_goes_round() -> None:
    game = scene("ulrich red", piles={1: ROUND, 2: "siana", 3: "red"}, lys=5)
    game.play("sow 1 left")
    assert pile(game, 8).endswith("siana")  # the seventh
    assert pile(game, 1) == "ulrich"  # the eighth, on the space it came from
    assert pile(game, 2) == "siana nomad moon"  # the ninth
    assert pile(game, 3) == "red nomad"


def test_nomads_move_sow_all_nineteen_go_round_twice() -> None:
    discs = ["nomad"] * 8 + ["siana", "siana", "moon", "moon", "red", "red"]
    everything = " ".join([*discs, "frog", "nostromo", "nostromo", "ulrich", "ulrich"])
    empty = dict.fromkeys(range(1, 8), "")
    game = scene("ulrich nostromo", piles=empty | {8: everything}, lys=5)
    game.play("sow 8 left")
    assert piles(game) == [
        "nomad siana nostromo",
        "nomad siana ulrich",
        "nomad moon ulrich",
        "nomad moon",
        "nomad red",
        "nomad red",
        "nomad frog",
        "nomad nostromo",
    ]


def test_nomads_move_nostromo_the_frog_moves_a_pile() -> None:
    game = scene("nostromo red", piles={2: "nomad frog red"})
    assert "sow 2 left" in legal(game)
    game.play("sow 2 left")
    assert pile(game, 4) == "nomad frog"


def test_nomads_move_nostromo_the_frog_listens() -> None:
    game = scene("nostromo red", piles={2: "frog"}, stacks={3: "whale stag"})
    game.play("sow 2 left")
    assert hand(game, 0) == "stag"


def test_nomads_move_nostromo_others_do_not_move_by_the_frog() -> None:
    game = scene("red nostromo", piles={2: "nomad frog"})
    forbidden(game, "sow 2 left", "nomads.move.pile")


def test_nomads_move_ulrich_may_drop_two_at_any_step() -> None:
    game = scene(piles={2: "nomad siana red ulrich"})
    assert legal(game, "sow")[:5] == [
        "sow 2 left",
        "sow 2 left double 1",
        "sow 2 left double 2",
        "sow 2 left double 3",
        "sow 2 right",
    ]
    forbidden(game, "sow 2 left double 4", "nomads.move.ulrich")


@pytest.mark.parametrize(
    ("step", "dropped"),
    [
        (1, ["nomad siana", "red", "ulrich", ""]),
        (2, ["nomad", "siana red", "ulrich", ""]),
        (3, ["nomad", "siana", "red ulrich", ""]),
    ],
)
def test_nomads_move_ulrich_the_lower_stays_below(step: int, dropped: list[str]) -> None:
    around = {3: "", 4: "", 5: "", 6: ""}
    game = scene(piles={2: "nomad siana red ulrich"} | around)
    events = told(game.play(f"sow 2 left double {step}"), "drop")
    assert piles(game)[2:6] == dropped
    assert events == [
        f"drop disc={disc} space={space}"
        for space, discs in enumerate(dropped, start=3)
        for disc in discs.split()
    ]


def test_nomads_move_ulrich_the_last_two_both_fell_last() -> None:
    game = scene(piles={2: "nomad ulrich"}, lys=3)
    game.play("sow 2 left double 1")
    assert game.phase == "bonus"


def test_nomads_move_ulrich_ends_a_space_earlier() -> None:
    game = scene(piles={2: "nomad siana ulrich"}, lys=5)
    game.play("sow 2 left double 1")
    assert game.phase == "turn"
    assert pile(game, 4) == "nomad ulrich"

    game = scene(piles={2: "nomad siana ulrich"}, lys=4)
    game.play("sow 2 left double 1")
    assert game.phase == "bonus"


def test_nomads_move_ulrich_when_the_pile_goes_round() -> None:
    game = scene("ulrich red", piles={1: ROUND, 2: "siana", 3: "red"}, lys=5)
    game.play("sow 1 left double 8")
    assert pile(game, 1) == "ulrich moon"
    assert pile(game, 2) == "siana nomad"


def test_nomads_move_ulrich_not_with_a_single_disc() -> None:
    forbidden(scene(piles={2: "ulrich"}), "sow 2 left double 1", "nomads.move.ulrich")
    forbidden(scene(piles={2: "nomad ulrich"}), "sow 2 left skip 1", "nomads.turn.powers")


def test_nomads_move_siana_may_pass_over_any_space() -> None:
    game = scene("siana ulrich", piles={2: "nomad siana red"})
    assert legal(game, "sow")[:5] == [
        "sow 2 left",
        "sow 2 left skip 1",
        "sow 2 left skip 2",
        "sow 2 left skip 3",
        "sow 2 right",
    ]
    forbidden(game, "sow 2 left skip 4", "nomads.move.siana")
    forbidden(game, "sow 2 left double 1", "nomads.turn.powers")


@pytest.mark.parametrize(
    ("visit", "dropped"),
    [
        (1, ["", "nomad", "siana", "red"]),
        (2, ["nomad", "", "siana", "red"]),
        (3, ["nomad", "siana", "", "red"]),
    ],
)
def test_nomads_move_siana_drops_nothing_there(visit: int, dropped: list[str]) -> None:
    game = scene("siana ulrich", piles={2: "nomad siana red", 3: "", 4: "", 5: "", 6: ""})
    events = told(game.play(f"sow 2 left skip {visit}"), "skip")
    assert piles(game)[2:6] == dropped
    assert events == [f"skip seat=0 space={2 + visit}"]


def test_nomads_move_siana_the_last_disc_falls_one_further() -> None:
    game = scene("siana ulrich", piles={2: "nomad siana"}, lys=4)
    game.play("sow 2 left skip 2")
    assert game.phase == "turn"

    game = scene("siana ulrich", piles={2: "nomad siana"}, lys=5)
    game.play("sow 2 left skip 2")
    assert game.phase == "bonus"


def test_nomads_move_siana_may_skip_her_own_space() -> None:
    game = scene("siana red", piles={1: ROUND, 2: "ulrich", 3: "red"}, lys=5)
    events = told(game.play("sow 1 left skip 8"), "skip")
    assert events == ["skip seat=0 space=1"]
    assert pile(game, 1) == ""
    assert pile(game, 2) == "ulrich nomad ulrich"
    assert pile(game, 3) == "red nomad moon"


def test_nomads_move_siana_a_later_visit_is_normal() -> None:
    game = scene("siana red", piles={1: ROUND, 2: "ulrich", 3: "red"}, lys=5)
    game.play("sow 1 left skip 1")
    # The first visit to space 2 dropped nothing, the ninth did.
    assert pile(game, 1) == "siana"
    assert pile(game, 2) == "ulrich ulrich"
    assert pile(game, 3) == "red nomad moon"


def test_nomads_move_lys_the_last_disc_of_whatever_colour_brings_her() -> None:
    game = scene(piles={1: "ulrich red"}, stacks={5: "whale stag"}, lys=3)
    game.play("sow 1 left")
    assert (game.phase, game.seat) == ("bonus", 0)
    assert legal(game) == [f"lys {space}" for space in (1, 2, 4, 5, 6, 7, 8)]
    forbidden(game, "lys 3", "nomads.move.lys")
    forbidden(game, "sow 2 left", "nomads.move.lys")
    forbidden(game, "write whale I", "nomads.move.lys")
    forbidden(game, "pass", "nomads.move.lys")
    events = told(game.play("lys 5"), "lys", "take")
    assert events[:2] == [
        "lys seat=0 space=5 phase=bonus",
        "take seat=0 space=5 tile=stag under=whale",
    ]
    assert game.position["lys"] == 5
    assert "stag" in hand(game, 0)


def test_nomads_move_lys_not_if_another_disc_falls_there() -> None:
    game = scene(piles={1: "ulrich red"}, lys=2)
    game.play("sow 1 left")
    assert game.phase == "turn"
    assert game.position["lys"] == 2


def test_nomads_move_lys_also_at_an_empty_stack() -> None:
    game = scene(piles={1: "ulrich"}, stacks={2: "", 5: "whale"}, lys=2)
    game.play("sow 1 left")
    assert game.phase == "bonus"


def test_nomads_move_lys_may_be_sent_to_an_empty_stack() -> None:
    game = scene(piles={1: "ulrich", 5: "nomad"}, stacks={2: "", 5: ""}, lys=2)
    game.play("sow 1 left")
    assert told(game.play("lys 5")) == ["lys seat=0 space=5 phase=bonus"]
    assert hand(game, 0) == ""
    assert game.seat == 1


def test_nomads_move_lys_may_be_sent_to_a_moon() -> None:
    game = scene(piles={1: "ulrich", 5: "nomad"}, stacks={2: "", 5: "whale moon"}, lys=2)
    game.play("sow 1 left")
    events = told(game.play("lys 5"))
    assert events[1:] == ["take seat=0 space=5 tile=moon under=whale"]
    assert hand(game, 0) == ""
    assert game.position["chart"] == 1
    assert stack(game, 5) == "whale"


def test_nomads_move_lys_the_tile_uncovered_is_heard_in_this_turn() -> None:
    game = scene(piles={1: "ulrich", 5: "siana"}, stacks={2: "ember", 5: "comet whale stag"}, lys=2)
    game.play("sow 1 left")
    events = told(game.play("lys 5"))
    assert events == [
        "lys seat=0 space=5 phase=bonus",
        "take seat=0 space=5 tile=stag under=whale",
        "take seat=0 space=2 tile=ember under=nothing",
        "take seat=1 space=5 tile=whale under=comet",
    ]
    assert (hand(game, 0), hand(game, 1)) == ("stag ember", "whale")


def test_nomads_move_red_may_lift_a_covered_disc_of_any_pile() -> None:
    game = scene(
        "red ulrich",
        piles={1: "red nomad", 5: "siana red nomad moon"},
        stacks={2: "", 5: "whale stag"},
    )
    game.play("sow 1 left")
    assert (game.phase, game.seat) == ("lift", 0)
    assert legal(game) == ["keep", "lift 5 2"]
    assert told(game.play("lift 5 2")) == [
        "lift seat=0 space=5 height=1",
        "take seat=0 space=5 tile=stag under=whale",
    ]
    assert pile(game, 5) == "siana nomad moon red"


def test_nomads_move_red_which_disc_matters_when_both_are_in_one_pile() -> None:
    before = {4: "red nomad red siana", 1: "nomad"}
    lower = scene("red ulrich", piles=before, phase="lift")
    assert legal(lower) == ["keep", "lift 4 1", "lift 4 3"]
    lower.play("lift 4 1")
    assert pile(lower, 4) == "nomad red siana red"

    upper = scene("red ulrich", piles=before, phase="lift")
    assert told(upper.play("lift 4 3"))[0] == "lift seat=0 space=4 height=2"
    assert pile(upper, 4) == "red nomad siana red"


def test_nomads_move_red_may_leave_them() -> None:
    game = scene("red ulrich", piles={1: "red nomad", 5: "red nomad"}, stacks={2: "stag ember"})
    game.play("sow 1 left")
    assert legal(game) == ["keep", "lift 5 1"]
    assert told(game.play("keep")) == ["take seat=0 space=2 tile=ember under=stag"]
    assert pile(game, 5) == "red nomad"
    assert game.seat == 1


def test_nomads_move_red_is_not_asked_with_none_covered() -> None:
    game = scene("red ulrich", piles={1: "red", 5: "nomad red"})
    game.play("sow 1 left")
    assert (game.phase, game.seat) == ("turn", 1)


def test_nomads_move_red_only_after_moving() -> None:
    game = scene("red ulrich", piles={1: "red nomad"}, holds={"red": "whale whale"})
    forbidden(game, "lift 1 1", "nomads.move.red")
    forbidden(game, "keep", "nomads.move.red")
    game.play("write whale I")
    assert (game.phase, game.seat) == ("turn", 1)


def test_nomads_move_red_lifts_no_other_disc_nor_one_on_top() -> None:
    game = scene("red ulrich", piles={1: "red nomad", 5: "nomad siana red nomad"})
    game.play("sow 1 left")
    assert game.phase == "lift"
    forbidden(game, "lift 5 2", "nomads.move.red")
    forbidden(game, "lift 2 2", "nomads.move.red")
    forbidden(game, "lys 1", "nomads.move.lys")
    forbidden(game, "sow 5 left", "nomads.move.red")
    forbidden(game, "sing I", "nomads.move.red")


def test_nomads_move_red_after_lys_and_before_listening() -> None:
    game = scene(
        "red ulrich",
        piles={1: "nomad", 2: "red", 5: "red nomad"},
        stacks={3: "cedar", 5: "whale stag comet"},
        lys=3,
    )
    game.play("sow 2 left")
    assert game.phase == "bonus"
    game.play("lys 5")
    assert (game.phase, hand(game, 0)) == ("lift", "comet")
    game.play("lift 5 1")
    assert hand(game, 0) == "stag cedar comet"


def test_nomads_move_red_is_nobody_elses() -> None:
    game = scene("ulrich red", piles={1: "ulrich", 5: "red nomad"})
    game.play("sow 1 left")
    assert (game.phase, game.seat) == ("turn", 1)
