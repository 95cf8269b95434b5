"""Nomads: the end, the last cards and the score."""

from __future__ import annotations

from typing import Any

from tests.games.nomads.scene import forbidden, hand, legal, new, refused, scene, told
from veillee.engine.game import Game

EMPTY = dict.fromkeys(range(1, 9), "")
LAST_STORY = EMPTY | {2: "whale", 5: "stag stag", 6: "stag stag"}
"""Three stacks left; the one on space 2 is a single tile."""


def ending(seats: str = "ulrich siana", **wanted: Any) -> Game:
    """The first seat hears the last tile of the third stack from the end."""
    active = seats.split()[wanted.get("turn", 0)]
    game = scene(seats, piles={1: active, 5: "nomad", 6: "nomad"}, stacks=LAST_STORY, **wanted)
    game.play("sow 1 left")
    return game


def test_nomads_end_when_two_stacks_are_left_at_the_start_of_a_turn() -> None:
    game = scene(piles={1: "ulrich", 5: "nomad", 6: "nomad"}, stacks=LAST_STORY)
    assert game.phase == "turn"
    assert told(game.play("sow 1 left"), "last") == ["last seat=1 stacks=2"]
    assert (game.phase, game.seat, game.over) == ("over", -1, True)


def test_nomads_end_when_not_with_three() -> None:
    stacks = LAST_STORY | {2: "whale whale"}
    game = scene(piles={1: "ulrich", 5: "nomad", 6: "nomad"}, stacks=stacks)
    game.play("sow 1 left")
    assert (game.phase, game.over) == ("turn", False)
    assert game.winners == []


def test_nomads_end_when_even_fewer_are_left() -> None:
    stacks = EMPTY | {2: "whale", 5: "stag", 6: "stag stag"}
    game = scene(piles={1: "ulrich", 5: "siana", 6: "nomad"}, stacks=stacks)
    assert told(game.play("sow 1 left"), "last") == ["last seat=1 stacks=1"]
    assert game.over


def test_nomads_end_when_a_table_may_choose_another_number() -> None:
    stacks = LAST_STORY | {2: "whale whale"}
    game = scene(
        piles={1: "ulrich", 5: "nomad", 6: "nomad"}, stacks=stacks, options={"stacks_at_end": 3}
    )
    game.play("sow 1 left")
    assert game.over


def test_nomads_end_when_it_may_be_before_the_first_turn() -> None:
    story = [4, 4, 4, 0, 0, 0, 0]
    game = new(2, adventurers=["ulrich", "siana"], ring=4, story=story, stacks_at_end=4, first=0)
    while game.phase != "lys":
        game.play(game.legal[-1])
    assert told(game.play("lys 3")) == [
        "lys seat=1 space=3 phase=lys",
        "last seat=0 stacks=4",
    ]
    assert game.over


def test_nomads_end_when_over_nothing_can_be_done() -> None:
    game = ending()
    assert game.legal == []
    with refused("nomads.end", "over"):
        game.play("pass")


def test_nomads_end_write_each_may_write_one_last_card_from_the_active_player() -> None:
    game = ending(
        "ulrich siana red",
        holds={"ulrich": "stag stag", "siana": "comet comet comet", "red": "ember ember"},
    )
    assert (game.phase, game.seat) == ("last", 1)
    assert legal(game) == ["pass", "write comet I", "write comet II"]
    forbidden(game, "sow 1 left", "nomads.end.write")
    forbidden(game, "lys 1", "nomads.end.write")
    forbidden(game, "place siana 1", "nomads.end.write")
    forbidden(game, "write ember I", "nomads.write.legend")
    game.play("write comet I")
    assert (game.phase, game.seat) == ("last", 2)
    game.play("write ember I")
    assert (game.phase, game.seat) == ("last", 0)
    game.play("write stag I")
    assert game.over
    assert game.scores == [1, 1, 2]


def test_nomads_end_write_is_not_compulsory() -> None:
    game = ending(holds={"ulrich": "stag stag", "siana": "comet comet"})
    assert told(game.play("pass")) == ["pass seat=1"]
    assert (game.phase, game.seat) == ("last", 0)
    game.play("pass")
    assert game.over


def test_nomads_end_write_who_cannot_is_passed_over() -> None:
    game = ending(
        "ulrich siana red moon",
        holds={"ulrich": "stag stag", "siana": "comet", "red": "ember ember", "moon": "shell"},
    )
    assert game.seat == 2
    game.play("pass")
    assert game.seat == 0
    game.play("pass")
    assert game.over


def test_nomads_end_write_the_turn_order_goes_round_the_table() -> None:
    game = ending(
        "ulrich siana red",
        turn=1,
        holds={"ulrich": "stag stag", "siana": "comet comet", "red": "ember ember"},
    )
    seats = []
    while not game.over:
        seats.append(game.seat)
        game.play("pass")
    assert seats == [2, 0, 1]


def test_nomads_end_write_a_song_too() -> None:
    game = ending(holds={"siana": "stag cedar comet wild"})
    assert "sing I stag cedar comet" in legal(game)
    game.play("sing I stag cedar comet")
    assert game.over
    assert game.scores == [-1, 4]


def test_nomads_end_write_who_has_sung_cannot_sing_again() -> None:
    game = ending(holds={"siana": "stag cedar comet shell"}, cards={"siana": {"song": 5}})
    assert game.over


def test_nomads_end_write_a_song_that_is_gone_does_not_count() -> None:
    game = ending(holds={"siana": "stag cedar comet shell"}, cards={"ulrich": {"song": 4}})
    assert game.over


def test_nomads_end_write_a_song_with_wilds_alone_counts() -> None:
    game = ending(
        holds={"siana": "wild"},
        options={"songs": {"cost": [1, 5, 6, 7], "points": [4, 5, 6, 7]}},
    )
    assert legal(game) == ["pass", "sing I"]


def test_nomads_end_write_a_legend_with_a_wild_counts() -> None:
    game = ending(holds={"siana": "shell wild"})
    assert legal(game) == ["pass", "write shell I wilds 1"]


def test_nomads_end_write_upgrades_and_what_is_put_back_is_for_the_next() -> None:
    game = ending(
        "ulrich siana red",
        holds={"siana": "comet", "red": "comet comet"},
        cards={"siana": {"comet": 2}, "ulrich": {"comet": 5}},
    )
    assert legal(game) == ["pass", "write comet II"]
    game.play("write comet II")
    assert legal(game) == ["pass", "write comet I"]
    game.play("write comet I")
    assert game.over
    assert game.scores == [4, 3, 2]


def test_nomads_end_write_one_not_able_before_may_be_by_what_is_put_back() -> None:
    game = ending(
        "ulrich siana red",
        holds={"siana": "comet", "red": "comet comet"},
        cards={"siana": {"comet": 2}},
    )
    game.play("pass")
    # The 2 is still Siana's: Red, with two tiles, is passed over.
    assert game.over


def test_nomads_end_write_one_card_only() -> None:
    game = ending(holds={"siana": "comet comet stag stag"})
    game.play("write comet I")
    assert game.over
    assert hand(game, 1) == "stag stag"


def test_nomads_end_write_one_card_only_for_those_after_the_first_too() -> None:
    game = ending(
        "ulrich siana red",
        holds={"siana": "comet comet", "red": "ember ember shell shell", "ulrich": "stag stag"},
    )
    game.play("write comet I")
    game.play("write ember I")
    assert game.seat == 0
    game.play("write stag I")
    assert game.over


def test_nomads_end_write_no_moon_scoring_follows() -> None:
    game = scene(
        piles={1: "ulrich", 5: "nomad", 6: "nomad"},
        stacks=LAST_STORY,
        chart=8,
        holds={"siana": "comet comet"},
    )
    first = told(game.play("sow 1 left"), "moons")
    assert [line.split()[-1] for line in first] == ["won=3", "won=1"]
    assert told(game.play("write comet I"), "moons") == []
    assert game.over
    assert game.position["chart"] == 4


def test_nomads_end_score_cards_and_moons_less_tiles() -> None:
    game = ending(
        moons={"ulrich": 3, "siana": 1},
        holds={"ulrich": "stag wild", "siana": "shell"},
        cards={"ulrich": {"comet": 4, "song": 7}, "siana": {"storm": 5}},
    )
    game.play("pass")
    assert game.over
    assert game.scores == [4 + 7 + 3 - 3, 5 + 1 - 1]


def test_nomads_end_score_moons_left_on_the_chart_are_nobodys() -> None:
    game = ending(chart=3)
    assert game.over
    assert game.scores == [-1, 0]


def test_nomads_end_tie_the_highest_wins() -> None:
    game = ending("ulrich siana red", cards={"ulrich": {"comet": 3}, "red": {"storm": 5}})
    assert game.scores == [2, 0, 5]
    assert game.places == [2, 3, 1]
    assert game.winners == [2]


def test_nomads_end_tie_moons_won_count() -> None:
    game = ending("ulrich siana red", moons={"siana": 4, "red": 3}, cards={"red": {"storm": 2}})
    assert game.scores == [-1, 4, 5]
    assert game.places == [3, 2, 1]

    game = ending("ulrich siana red", moons={"siana": 4}, cards={"red": {"storm": 3}})
    assert game.places == [3, 1, 2]


def test_nomads_end_tie_goes_to_the_most_legend_cards() -> None:
    game = ending(
        "ulrich siana red",
        cards={"siana": {"comet": 5}, "red": {"storm": 2, "comet": 3}},
    )
    assert game.scores == [-1, 5, 5]
    assert game.places == [3, 2, 1]
    assert game.winners == [2]


def test_nomads_end_tie_a_song_is_no_legend_card() -> None:
    game = ending(
        "ulrich siana red",
        cards={"siana": {"comet": 2, "song": 4}, "red": {"storm": 2, "comet": 4}},
    )
    assert game.scores == [-1, 6, 6]
    assert game.winners == [2]


def test_nomads_end_tie_then_the_win_is_shared() -> None:
    game = ending("ulrich siana red", cards={"siana": {"comet": 5}, "red": {"storm": 5}})
    assert game.scores == [-1, 5, 5]
    assert game.places == [3, 1, 1]
    assert game.winners == [1, 2]


def quiet(idle: int, **wanted: Any) -> Game:
    """A turn in which no tile is taken and no card written."""
    piles = {1: "ulrich nomad", 5: "siana nomad"}
    return scene(piles=piles, stacks={2: "", 6: ""}, idle=idle, **wanted)


def test_nomads_end_stall_after_a_hundred_idle_turns() -> None:
    game = quiet(98)
    game.play("sow 1 left")
    assert (game.phase, game.position["idle"]) == ("turn", 99)
    events = told(game.play("sow 5 left"), "last")
    assert events == ["last seat=0 stacks=6"]
    assert game.over


def test_nomads_end_stall_a_tile_heard_begins_the_count_anew() -> None:
    game = scene(piles={1: "ulrich"}, idle=99)
    game.play("sow 1 left")
    assert (game.phase, game.position["idle"]) == ("turn", 0)


def test_nomads_end_stall_so_does_a_tile_that_a_sleeper_loses() -> None:
    game = scene(piles={1: "ulrich nomad", 5: "red"}, idle=99)
    game.play("sow 1 left")
    assert (game.phase, game.position["idle"]) == ("turn", 0)


def test_nomads_end_stall_so_does_a_card() -> None:
    game = quiet(99, holds={"ulrich": "whale whale"})
    game.play("write whale I")
    assert (game.phase, game.position["idle"]) == ("turn", 0)


def test_nomads_end_stall_last_cards_are_written_as_ever() -> None:
    game = quiet(99, holds={"ulrich": "whale whale", "siana": "shell shell"})
    game.play("sow 1 left")
    assert (game.phase, game.seat) == ("last", 1)


def test_nomads_end_stall_a_table_may_choose_its_patience() -> None:
    game = quiet(1, options={"patience": 2})
    game.play("sow 1 left")
    assert game.over


def test_nomads_end_stall_each_turn_counts_for_itself() -> None:
    game = scene(piles={1: "ulrich", 5: "siana nomad"}, stacks={2: "whale", 6: ""})
    game.play("sow 1 left")
    assert game.position["idle"] == 0
    assert game.position["heard"] is False
    game.play("sow 5 left")
    assert game.position["idle"] == 1
