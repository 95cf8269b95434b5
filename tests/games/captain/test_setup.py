"""Oh Captain!: material and set-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.games.captain.scene import asked, coins, down, legal, play, refused, scene, told
from veillee.games.captain import SPEC, Game


def test_captain_material_cards_there_are_35_and_30_coins() -> None:
    position = Game(6, 1).position
    lying: Counter[str] = Counter(position["cave"])
    for seat in position["seats"]:
        lying.update(seat["down"])
    assert lying == {
        "lantern 3": 3,
        "lantern 2": 4,
        "egg": 7,
        "hook": 5,
        "lizard": 5,
        "pistol": 5,
        "purse": 5,
        "arrival": 1,
    }
    assert position["reserve"] + sum(seat["coins"] for seat in position["seats"]) == 30


def test_captain_material_cards_more_of_a_kind_are_refused() -> None:
    with refused("captain.material.cards", "impossible"):
        scene(up={0: "pistol pistol pistol", 2: "pistol pistol pistol"})
    with refused("captain.setup.purses", "impossible"):
        scene(down={1: "purse purse purse", 2: ""})
    with refused("captain.material.cards", "impossible"):
        scene(coins={0: 20, 1: 20})


def test_captain_material_adventurers_two_stay_at_home_with_fewer_than_five() -> None:
    four = ["adventurer lys", "adventurer nostromo", "adventurer moon", "adventurer red"]
    both = ["adventurer siana", "adventurer ulrich"]
    assert legal(Game(4, 1)) == four
    assert legal(Game(3, 1)) == four
    assert legal(Game(4, 1, six=True)) == four + both
    assert legal(Game(5, 1)) == four + both
    with refused("captain.material.adventurers"):
        Game(4, 1).play("adventurer siana")
    with refused("captain.material.adventurers", "option"):
        Game(3, 1, adventurers=["siana", "lys", "red"])


@pytest.mark.parametrize(("players", "reserve"), [(3, 19), (4, 16), (5, 13), (6, 10)])
def test_captain_setup_roles_five_coins_and_three(players: int, reserve: int) -> None:
    game = Game(players, 1, captain=1)
    assert coins(game) == [3, 5, *[3] * (players - 2)]
    assert game.position["reserve"] == reserve
    assert told(game.opening)[0] == "bottle captain=1"


def test_captain_setup_roles_the_first_captain_is_random() -> None:
    assert {Game(3, seed).position["captain"] for seed in range(20)} == {0, 1, 2}


def test_captain_setup_purses_one_for_each_explorer() -> None:
    game = Game(4, 1, captain=2)
    assert [down(game, seat) for seat in range(4)] == ["purse", "purse", "", "purse"]
    assert game.position["purses"] == 0
    assert [seat["purses"] for seat in game.position["seats"]] == [1, 1, 0, 1]
    assert SPEC.template(4)[0]["total"][6] == 3


def test_captain_setup_adventurers_counter_clockwise_from_the_captain() -> None:
    game = Game(5, 1, captain=1)
    order = []
    for name in ("lys", "red", "siana", "moon", "ulrich"):
        order.append(asked(game))
        assert game.position["discards"] == 0
        events = play(game, f"adventurer {name}")
    assert order == [(seat, "adventurer") for seat in (1, 0, 4, 3, 2)]
    assert told(events)[:2] == ["adventurer seat=2 adventurer=ulrich", "discard cards=3"]
    assert [seat["adventurer"] for seat in game.position["seats"]] == [
        "red",
        "lys",
        "ulrich",
        "moon",
        "siana",
    ]


def test_captain_setup_adventurers_no_two_play_the_same() -> None:
    game = Game(3, 1, captain=0)
    play(game, "adventurer moon")
    assert legal(game) == ["adventurer lys", "adventurer nostromo", "adventurer red"]
    with refused("captain.setup.adventurers"):
        play(game, "adventurer moon")
    with refused("captain.setup.adventurers"):
        play(game, "buy")
    with refused("captain.setup.adventurers", "impossible"):
        scene("lys red lys")


def test_captain_setup_adventurers_the_last_has_no_choice() -> None:
    game = Game(4, 1, captain=0)
    events = play(game, "adventurer lys", "adventurer red", "adventurer moon")
    assert "adventurer seat=1 adventurer=nostromo" in told(events)
    assert game.phase == "announce"
    last = play(Game(6, 1, captain=0, adventurers="deal"))
    assert last == []


def test_captain_setup_adventurers_may_be_dealt_or_agreed() -> None:
    dealt = {
        Game(3, seed, adventurers="deal").position["seats"][0]["adventurer"] for seed in range(40)
    }
    assert dealt == {"lys", "nostromo", "moon", "red"}
    game = Game(3, 1, adventurers=["red", "moon", "lys"])
    assert [seat["adventurer"] for seat in game.position["seats"]] == ["red", "moon", "lys"]
    assert game.phase == "announce"


def test_captain_setup_adventurers_that_were_dealt_are_told() -> None:
    game = Game(3, 1, captain=0, adventurers="deal")
    names = [seat["adventurer"] for seat in game.position["seats"]]
    lines = told(game.opening)
    assert lines[:4] == [
        "bottle captain=0",
        *(f"adventurer seat={seat} adventurer={names[seat]}" for seat in (0, 2, 1)),
    ]
    assert lines[4] == "discard cards=3"


def test_captain_setup_adventurers_that_were_agreed_leave_the_rest_to_be_told() -> None:
    game = Game(3, 1, captain=0, adventurers=["lys", "red", "moon"])
    assert told(game.opening, 0) == [
        "bottle captain=0",
        "discard cards=3",
        *(f"look seat=0 card={card}" for card in game.position["laid"]),
        "draw seat=1 card=None",
    ]


def test_captain_setup_cave_the_arrival_is_among_the_last_four() -> None:
    places = Counter(Game(3, seed).position["cave"].index("arrival") for seed in range(120))
    assert set(places) == {26, 27, 28, 29}
    tops = {Game(3, seed).position["cave"][0] for seed in range(60)}
    assert len(tops) == 6
    with refused("captain.setup.cave", "impossible"):
        scene(cave="arrival")


def test_captain_setup_cave_every_card_may_lie_anywhere() -> None:
    last = {Game(3, seed).position["cave"][-1] for seed in range(120)}
    assert last == {"lantern 3", "lantern 2", "egg", "hook", "lizard", "pistol", "arrival"}


def test_captain_setup_discard_three_from_the_top_for_the_captain_alone() -> None:
    game = Game(3, 1, captain=2)
    top = sorted(game.position["cave"][:3])
    events = play(game, "adventurer lys", "adventurer moon", "adventurer red")
    laid = game.position["laid"]
    assert sorted(laid) == top
    assert laid == sorted(laid, key=GAME_ORDER.index)
    assert len(game.position["cave"]) == 26
    assert told(events, 2)[4:7] == [f"look seat=2 card={card}" for card in laid]
    assert told(events, 0)[4:7] == ["look seat=2 card=None"] * 3
    assert game.view(2)["discard"] is not None
    assert game.view(0)["discard"] is None
    assert game.view(0)["discards"] == 3


GAME_ORDER = ["lantern 3", "lantern 2", "egg", "hook", "lizard", "pistol"]


def test_captain_setup_discard_lies_sorted_however_many_cards_it_has() -> None:
    for seed in range(20):
        game = Game(3, seed, adventurers=["lys", "red", "moon"], laid=6)
        laid = game.position["laid"]
        assert laid == sorted(laid, key=GAME_ORDER.index)


def test_captain_setup_first_is_at_the_captains_left() -> None:
    assert asked(Game(3, 1, captain=0, adventurers=["lys", "red", "moon"])) == (1, "announce")
    assert asked(Game(3, 1, captain=2, adventurers=["lys", "red", "moon"])) == (0, "announce")


def test_options_that_cannot_be_are_refused() -> None:
    with refused("captain.setup.cave", "option"):
        Game(3, 1, bottom=20, laid=10)
    with refused("captain.setup.cave", "option"):
        Game(3, 1, cards=dict.fromkeys(GAME_ORDER, 7))
    with refused("captain.setup.roles", "option"):
        Game(3, 1, coins=10)
    wrong: list[dict[str, Any]] = [
        {"captain": 3},
        {"captain": True},
        {"adventurers": ["lys", "lys", "red"]},
        {"adventurers": ["lys", "frog", "red"]},
        {"adventurers": ["lys"]},
        {"cards": {"purse": 1}},
        {"cards": {"egg": 8}},
        {"cards": []},
    ]
    for option in wrong:
        with refused("captain.option", "option"):
            Game(3, 1, **option)


def test_captain_setup_discard_the_page_says_that_the_captain_may_look_at_any_time() -> None:
    game = scene("lys moon red", discard="egg")
    assert "Only the Captain may look at it, at any time." in game.picture(seat=0)
    assert "Only the Captain may look at it" not in game.picture(seat=1)


def test_captain_know_loot_the_page_says_that_own_cards_may_be_looked_at_any_time() -> None:
    game = scene("lys moon red")
    for seat in range(3):
        assert "You may look at them at any time." in game.picture(seat=seat)
