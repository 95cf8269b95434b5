"""Nomads, B: writing a Song or a Legend."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from tests.games.nomads.scene import LEGENDS, forbidden, gone, hand, legal, refused, scene, told
from veillee.engine.game import Game


def values(**changed: list[int]) -> dict[str, Any]:
    """A table of Legends of one's own, as options."""
    return {"legends": {name: [2, 3, 4, 5] for name in LEGENDS} | changed}


def writing(game: Game) -> list[str]:
    return legal(game, "write", "sing")


def test_nomads_write_one_card_per_turn() -> None:
    game = scene(holds={"ulrich": "whale whale stag stag"})
    assert writing(game) == ["write whale I", "write stag I"]
    game.play("write whale I")
    assert game.seat == 1
    assert writing(game) == []


def test_nomads_write_one_out_of_those_on_offer() -> None:
    game = scene(holds={"ulrich": "whale whale whale"}, cards={"siana": {"whale": 2}})
    assert writing(game) == ["write whale II"]
    forbidden(game, "write whale I", "nomads.write.one")


def test_nomads_write_one_a_song_is_there_once() -> None:
    game = scene(holds={"ulrich": "whale stag cedar comet"}, cards={"siana": {"song": 4}})
    assert writing(game) == []
    forbidden(game, "sing I whale stag cedar comet", "nomads.write.one")


def test_nomads_write_one_a_card_written_is_on_offer_no_more() -> None:
    game = scene(holds={"ulrich": "whale whale", "siana": "whale whale whale"})
    game.play("write whale I")
    assert writing(game) == ["write whale II"]

    four = "whale stag cedar comet"
    game = scene(holds={"ulrich": four, "siana": four + " storm"})
    game.play("sing I whale stag cedar comet")
    assert writing(game) == ["sing II whale stag cedar comet storm"]


def test_nomads_write_song_costs_different_tiles() -> None:
    game = scene(holds={"ulrich": "whale whale stag cedar comet ember"})
    ways = list(combinations(("whale", "stag", "cedar", "comet", "ember"), 4))
    assert sorted(writing(game)) == sorted(
        [f"sing I {' '.join(way)}" for way in ways]
        + ["sing II whale stag cedar comet ember", "write whale I"]
    )
    events = told(game.play("sing I whale stag comet ember"))
    assert events == ["sing seat=0 value=4 paid=whale+stag+comet+ember wilds=0"]
    assert hand(game, 0) == "whale cedar"
    assert game.position["seats"][0]["song"] == 4
    assert list(game.state.song_offer) == [0, 1, 1, 1]


def test_nomads_write_song_not_with_tiles_one_has_not() -> None:
    game = scene(holds={"ulrich": "whale whale stag cedar"})
    assert legal(game, "sing") == []
    forbidden(game, "sing I whale stag cedar comet", "nomads.write.song")
    with refused("nomads.notation", "unreadable"):
        game.play("sing I whale whale stag cedar")


def test_nomads_write_song_not_with_too_many() -> None:
    game = scene(holds={"ulrich": "whale stag cedar comet storm"})
    forbidden(game, "sing I whale stag cedar comet storm", "nomads.write.song")


def test_nomads_write_song_one_per_player_and_not_exchanged() -> None:
    game = scene(holds={"ulrich": " ".join(LEGENDS)}, cards={"ulrich": {"song": 4}})
    assert legal(game, "sing") == []
    forbidden(game, "sing IV " + " ".join(LEGENDS), "nomads.write.song")


def test_nomads_write_legend_costs_its_value_in_tiles_of_it() -> None:
    game = scene(holds={"ulrich": "cedar cedar cedar cedar stag"})
    assert writing(game) == ["write cedar I", "write cedar II", "write cedar III"]
    events = told(game.play("write cedar II"))
    assert events == ["write seat=0 legend=cedar value=3 tiles=3 wilds=0"]
    assert hand(game, 0) == "stag cedar"
    assert game.position["seats"][0]["legends"] == {"cedar": 3}
    assert game.scores == [1, 0]


def test_nomads_write_legend_not_with_too_few() -> None:
    game = scene(holds={"ulrich": "cedar cedar stag stag"})
    forbidden(game, "write cedar II", "nomads.write.legend")
    forbidden(game, "write whale I", "nomads.write.legend")


def test_nomads_write_upgrade_costs_the_difference() -> None:
    game = scene(holds={"ulrich": "comet comet"}, cards={"ulrich": {"comet": 3}})
    assert writing(game) == ["write comet III", "write comet IV"]
    events = told(game.play("write comet III"))
    assert events == ["write seat=0 legend=comet value=4 tiles=1 wilds=0"]
    assert hand(game, 0) == "comet"
    assert game.position["seats"][0]["legends"] == {"comet": 4}


def test_nomads_write_upgrade_steps_may_be_jumped() -> None:
    game = scene(holds={"ulrich": "comet comet comet"}, cards={"ulrich": {"comet": 2}})
    game.play("write comet IV")
    assert hand(game, 0) == ""
    assert game.scores == [5, 0]


def test_nomads_write_upgrade_the_lower_card_is_on_offer_again() -> None:
    game = scene(holds={"ulrich": "comet", "siana": "comet comet"}, cards={"ulrich": {"comet": 2}})
    game.play("write comet II")
    assert writing(game) == ["write comet I"]
    game.play("write comet I")
    assert [seat["legends"] for seat in game.position["seats"]] == [{"comet": 3}, {"comet": 2}]


def test_nomads_write_upgrade_never_to_a_lower_or_the_same() -> None:
    game = scene(holds={"ulrich": "comet comet comet comet"}, cards={"ulrich": {"comet": 4}})
    assert writing(game) == ["write comet IV"]
    for card in ("I", "II", "III"):
        forbidden(game, f"write comet {card}", "nomads.write.upgrade")


def test_nomads_write_upgrade_not_with_too_few() -> None:
    game = scene(holds={"ulrich": "comet"}, cards={"ulrich": {"comet": 2}})
    forbidden(game, "write comet III", "nomads.write.upgrade")


def test_nomads_write_upgrade_a_card_of_equal_value_is_not_higher() -> None:
    game = scene(
        holds={"ulrich": "comet comet comet comet"},
        cards={"ulrich": {"comet": "#2"}},
        options=values(comet=[3, 3, 3, 5]),
    )
    assert writing(game) == ["write comet IV"]
    forbidden(game, "write comet I", "nomads.write.upgrade")
    game.play("write comet IV")
    assert hand(game, 0) == "comet comet"
    assert [game.state.offer[3, card] for card in range(4)] == [1, 1, 1, 0]


def test_nomads_write_wild_stands_for_a_tile_of_a_legend() -> None:
    game = scene(holds={"ulrich": "whale whale wild wild"})
    assert legal(game, "write")[:7] == [
        "write whale I",
        "write whale I wilds 1",
        "write whale I wilds 2",
        "write whale II wilds 1",
        "write whale II wilds 2",
        "write whale III wilds 2",
        "write stag I wilds 2",
    ]


def test_nomads_write_wild_the_player_chooses_how_many() -> None:
    game = scene(holds={"ulrich": "whale whale wild wild"})
    events = told(game.play("write whale II wilds 2"))
    assert events == ["write seat=0 legend=whale value=3 tiles=1 wilds=2"]
    assert hand(game, 0) == "whale"


def test_nomads_write_wild_alone_will_do() -> None:
    game = scene(holds={"ulrich": "wild wild"})
    assert writing(game) == [f"write {legend} I wilds 2" for legend in LEGENDS]
    game.play("write ember I wilds 2")
    assert hand(game, 0) == ""
    assert game.scores == [2, 0]


def test_nomads_write_wild_exactly_the_price() -> None:
    game = scene(holds={"ulrich": "whale whale wild"}, cards={"ulrich": {"whale": 2}})
    assert writing(game) == [
        "write whale II",
        "write whale II wilds 1",
        "write whale III",
        "write whale III wilds 1",
        "write whale IV wilds 1",
    ]
    forbidden(game, "write whale II wilds 2", "nomads.write.wild")
    forbidden(game, "write stag I wilds 2", "nomads.write.wild")
    game.play("write whale II wilds 1")
    assert hand(game, 0) == "whale whale"


def test_nomads_write_wild_not_more_than_the_price() -> None:
    game = scene(holds={"ulrich": "whale wild wild"}, cards={"ulrich": {"whale": 2}})
    forbidden(game, "write whale II wilds 2", "nomads.write.wild")


def test_nomads_write_wild_in_a_song_each_is_a_kind_not_otherwise_paid() -> None:
    game = scene(holds={"ulrich": "whale stag cedar comet wild wild"})
    kinds = ("whale", "stag", "cedar", "comet")
    assert sorted(legal(game, "sing")) == sorted(
        [f"sing I {' '.join(way)}" for n in (2, 3, 4) for way in combinations(kinds, n)]
        + [f"sing II {' '.join(way)}" for n in (3, 4) for way in combinations(kinds, n)]
        + ["sing III whale stag cedar comet"]
    )
    events = told(game.play("sing I stag comet"))
    assert events == ["sing seat=0 value=4 paid=stag+comet wilds=2"]
    assert hand(game, 0) == "whale cedar"


def test_nomads_write_wild_one_cannot_pay_for_two_kinds() -> None:
    game = scene(holds={"ulrich": "whale stag wild"})
    assert legal(game, "sing") == []
    forbidden(game, "sing I whale stag", "nomads.write.wild")


def test_nomads_write_wild_a_song_may_be_paid_by_wilds_alone() -> None:
    songs = {"cost": [2, 5, 6, 7], "points": [2, 5, 6, 7]}
    game = scene(holds={"ulrich": "wild wild"}, options={"songs": songs})
    assert legal(game, "sing") == ["sing I"]
    assert told(game.play("sing I")) == ["sing seat=0 value=2 paid=nothing wilds=2"]
    assert hand(game, 0) == ""


def test_nomads_write_wild_a_coin_from_oh_captain_is_one() -> None:
    game = scene(holds={"ulrich": "wild wild wild"}, options={"coins": [0]})
    assert legal(game, "write")[:2] == ["write whale I wilds 2", "write whale II wilds 3"]
    game.play("write whale II wilds 3")
    assert hand(game, 0) == ""
    assert gone(game)["wild"] == 3


def test_nomads_write_discard_tiles_paid_leave_the_game() -> None:
    game = scene(holds={"ulrich": "whale whale wild stag"})
    before = gone(game)
    game.play("write whale II wilds 1")
    assert gone(game) - before == {"whale": 2, "wild": 1}

    game = scene(holds={"ulrich": "whale stag cedar shell wild"})
    before = gone(game)
    game.play("sing I whale cedar shell")
    assert gone(game) - before == Counter(["whale", "cedar", "shell", "wild"])
    assert hand(game, 0) == "stag"
