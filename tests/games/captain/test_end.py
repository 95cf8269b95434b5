"""Oh Captain!: the end."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.games.captain.scene import asked, coins, discard, play, rich, scene, told
from veillee.games.captain import Game


def ended(seats: str = "nostromo moon red", **wanted: Any) -> Game:
    """Seat 2 draws the Arrival as soon as seat 1 has sold a lie."""
    options = {"bottom": 29, "laid": 0} | ({"six": True} if "ulrich" in seats else {})
    game = scene(seats, card="egg", cave="arrival", options=options, **wanted)
    play(game, "announce hook", "buy")
    if game.phase == "moon":
        play(game, "pass")
    if game.phase == "rich":
        play(game, "allegiance")
    assert game.over
    return game


def test_captain_end_when_the_arrival_is_drawn_at_once() -> None:
    game = rich(cave="arrival", options={"bottom": 29, "laid": 0}, up={1: "hook"}, discard="hook")
    events = play(game, "allegiance")
    assert told(events)[:2] == ["allegiance seat=1 captain=0", "nomads seat=1"]
    assert game.over
    assert coins(game) == [6, 5, 3], "allegiance paid stands; no power of Moon"
    assert told(events)[2:4] == ["show seat=1 card=purse cards=1", "show seat=2 card=purse cards=1"]
    assert game.scores == [6, 5 + 1 + 4, 4], "the discard counts for nobody"
    assert game.view(2)["seats"][1]["down"] == {"purse": 1}
    assert game.view(2)["discard"] is None
    assert discard(game) == "hook"


def test_captain_end_when_not_before() -> None:
    game = rich(cave="hook arrival", options={"bottom": 29, "laid": 0})
    play(game, "allegiance")
    assert asked(game) == (1, "announce")


def test_captain_end_when_the_arrival_is_the_last_card_of_all() -> None:
    game = Game(3, 1, bottom=0, laid=0, adventurers=["lys", "red", "nostromo"])
    chance = Random(1)
    while not game.over:
        game.play(chance.choice(game.legal))
    assert len(game.position["history"]) == 29
    for seat in range(3):
        dealt = game.resample(seat, seed=seat)
        assert dealt.scores == game.scores
        assert dealt.view(seat) == game.view(seat)


def test_captain_end_majority_most_of_each_kind_four_points() -> None:
    game = ended(up={0: "pistol", 1: "hook hook"}, down={1: "lizard", 2: "hook pistol pistol"})
    assert told(game.steps[-1].events)[-3:] == [
        "token card=pistol seat=2",
        "token card=hook seat=1",
        "token card=lizard seat=1",
    ]
    assert game.scores == [4 - 1, 4 + 8, 3 + 4]


def test_captain_end_majority_nobodys_on_a_tie() -> None:
    game = ended(up={0: "hook hook", 1: "hook"}, down={1: "hook", 2: "hook"})
    assert told(game.steps[-1].events)[-3:] == [
        "token card=pistol seat=None",
        "token card=hook seat=None",
        "token card=lizard seat=None",
    ]
    assert game.scores == [3, 4, 3]


def test_captain_end_majority_a_tie_for_less_does_not_matter() -> None:
    game = ended(up={0: "hook", 1: "hook"}, down={1: "", 2: "hook hook"})
    assert game.scores == [3, 4, 7]


def test_captain_lys_wins_ties_for_majorities() -> None:
    for seats, winner in (("lys moon red", 0), ("moon lys red", 1), ("moon red lys", 2)):
        game = ended(seats, up={0: "hook"}, down={1: "hook", 2: "hook"})
        assert f"token card=hook seat={winner}" in told(game.steps[-1].events)


def test_captain_lys_only_with_such_a_card() -> None:
    game = ended("lys moon red", down={1: "", 2: ""})
    assert game.scores == [3, 4, 3]
    game = ended("lys moon red", up={0: "hook"}, down={1: "hook hook", 2: ""})
    assert "token card=hook seat=1" in told(game.steps[-1].events)


def test_captain_end_score_what_each_card_is_worth() -> None:
    game = ended(
        "nostromo moon red ulrich",
        up={0: "lantern3 lantern2", 1: "lantern2"},
        down={1: "egg purse", 2: "lantern3 egg egg", 3: "purse purse"},
        coins={0: 2, 1: 4, 2: 1, 3: 0},
    )
    assert game.scores == [1 + 3 + 2 - 1, 5 + 2 - 1 + 1, 1 + 3 - 2, 2]


def test_captain_end_tie_the_captain_then_coins_then_shared() -> None:
    tied = ended(down={1: "", 2: ""}, coins={0: 6, 1: 3, 2: 4})
    assert tied.scores == [4, 4, 4]
    assert (tied.places, tied.winners) == ([1, 2, 2], [0])
    poor = ended(up={0: "lantern3"}, down={1: "", 2: ""}, coins={0: 2, 1: 3, 2: 5})
    assert (poor.scores, coins(poor)) == ([4, 4, 4], [2, 4, 4])
    assert poor.places == [1, 2, 2], "the Captain, with the fewest coins too"
    behind = ended(
        up={0: "lantern3", 2: "lantern3 lantern2"}, down={1: "", 2: ""}, coins={0: 3, 1: 3, 2: 0}
    )
    assert (behind.scores, behind.places) == ([4, 4, 5], [2, 3, 1]), "only among equals"
    coins_decide = ended(up={0: "egg egg"}, down={1: "", 2: "purse"}, coins={0: 4, 1: 3, 2: 3})
    assert coins_decide.scores == [0, 4, 4]
    assert coins_decide.places == [3, 1, 2]
    shared = ended(up={0: "egg"}, down={1: "", 2: ""}, coins={0: 5, 1: 3, 2: 4})
    assert shared.places == [3, 1, 1]
    assert shared.winners == [1, 2]


def test_captain_end_tie_the_captain_wins_even_against_all_coins_in_the_game() -> None:
    lanterns = "lantern3 lantern3 lantern3 lantern2 lantern2 lantern2 lantern2"
    game = ended(
        up={0: f"{lanterns} hook lizard pistol", 1: "egg egg"},
        down={1: "", 2: ""},
        coins={0: 1, 1: 29, 2: 0},
    )
    assert (game.scores, coins(game)) == ([28, 28, 0], [0, 30, 0])
    assert game.places == [1, 2, 3]


def test_captain_end_tie_points_come_first() -> None:
    game = ended(down={1: "", 2: "lantern3"}, coins={0: 4, 1: 4, 2: 3})
    assert game.scores == [2, 5, 6]
    assert game.places == [3, 2, 1]
    low = ended(up={0: "egg egg egg"}, down={1: "", 2: ""}, coins={0: 2, 1: 0, 2: 1})
    assert low.scores == [-3, 1, 1]
    assert low.places == [3, 1, 1]
