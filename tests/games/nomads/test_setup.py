"""Nomads: from the box to the first turn."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.games.nomads.scene import (
    ADVENTURERS,
    TILES,
    forbidden,
    gone,
    legal,
    load,
    new,
    pile,
    refused,
    scene,
    stack,
    told,
)
from veillee.engine.game import Game
from veillee.games.nomads import SPEC


def play(game: Game, *actions: str) -> None:
    for action in actions:
        game.play(action)


def test_nomads_setup_stacks_eight_of_fourteen() -> None:
    spaces = new(3).position["spaces"]
    assert [len(space["tiles"]) for space in spaces] == [14] * 8


def test_nomads_setup_stacks_are_shuffled_and_the_same_again_from_the_same_seed() -> None:
    assert new(2, seed=7).position["spaces"] == new(2, seed=7).position["spaces"]
    assert new(2, seed=7).position["spaces"] != new(2, seed=8).position["spaces"]
    assert stack(new(2, seed=7), 1) == (
        "comet shell stag stag cedar whale storm stag cedar cedar storm ember comet whale"
    )
    assert stack(new(2, seed=7), 8) == (
        "ember cedar whale wild stag moon storm stag whale comet wild storm storm storm"
    )


def test_nomads_setup_stacks_any_tile_may_lie_anywhere() -> None:
    small = {"ring": 4, "story": [1, 1, 1, 0, 0, 0, 0], "wilds": 1, "moons": 0}
    found = Counter(
        (space, stack(game, space))
        for game in (new(2, seed=seed, **small) for seed in range(120))
        for space in range(1, 5)
    )
    assert len(found) == 16
    assert min(found.values()) > 12


def test_nomads_setup_stacks_what_does_not_come_out_even_goes_on_the_first() -> None:
    game = new(2, ring=4, story=[2, 2, 2, 0, 0, 0, 0], wilds=1, moons=3)
    assert [len(space["tiles"]) for space in game.position["spaces"]] == [3, 3, 2, 2]
    assert gone(game) == {}


def test_nomads_setup_stacks_the_tops_are_face_up() -> None:
    game = new(2)
    whole, seen = game.position["spaces"], game.view(0)["spaces"]
    for known, space in zip(whole, seen, strict=True):
        assert space["tiles"] == [None] * 13 + [known["tiles"][-1]]


def test_nomads_setup_cards_all_lie_open() -> None:
    game = new(2)
    assert all(game.state.offer[legend, card] == 1 for legend in range(7) for card in range(4))
    assert list(game.state.song_offer) == [1, 1, 1, 1]


def test_nomads_setup_adventurers_are_taken_in_turn_from_the_first_player() -> None:
    game = new(3, first=1)
    assert (game.phase, game.seat) == ("adventurer", 1)
    assert legal(game) == [f"adventurer {name}" for name in ADVENTURERS]
    assert told(game.play("adventurer red")) == ["adventurer seat=1 disc=red"]
    assert game.seat == 2
    assert legal(game) == [f"adventurer {name}" for name in ADVENTURERS if name != "red"]
    play(game, "adventurer ulrich")
    assert game.seat == 0
    play(game, "adventurer siana")
    names = [seat["adventurer"] for seat in game.position["seats"]]
    assert names == ["siana", "red", "ulrich"]


def test_nomads_setup_adventurers_no_two_play_the_same() -> None:
    game = new(2, first=0)
    game.play("adventurer red")
    forbidden(game, "adventurer red", "nomads.setup.adventurers")
    forbidden(game, "place red 1", "nomads.setup.adventurers")
    forbidden(game, "sow 1 left", "nomads.setup.adventurers")
    forbidden(game, "write whale I", "nomads.setup.adventurers")
    forbidden(game, "sing I whale stag cedar comet", "nomads.setup.adventurers")


def test_nomads_setup_adventurers_are_not_changed_later() -> None:
    game = new(2, quick=True, adventurers=["red", "moon"])
    forbidden(game, "adventurer siana", "nomads.setup.adventurers")


def test_nomads_setup_adventurers_may_be_dealt() -> None:
    dealt = set()
    for seed in range(40):
        game = new(2, seed=seed, adventurers="deal")
        assert game.phase in ("frog", "sleepers")
        dealt.add(tuple(seat["adventurer"] for seat in game.position["seats"]))
    assert len(dealt) > 12
    game = new(3, first=2, adventurers="deal")
    assert told(game.opening, "camp") == ["camp first=2"]
    assert [line[:17] for line in told(game.opening, "adventurer")] == [
        "adventurer seat=2",
        "adventurer seat=0",
        "adventurer seat=1",
    ]


def test_nomads_setup_adventurers_may_be_agreed_before() -> None:
    game = new(3, first=2, adventurers=["siana", "ulrich", "red"])
    assert [seat["adventurer"] for seat in game.position["seats"]] == ["siana", "ulrich", "red"]
    assert list(game.state.owner) == [-1, 1, -1, 2, 0, -1, -1]
    assert (game.phase, game.seat) == ("sleepers", 1)
    assert told(game.opening) == ["camp first=2", "nomads"]


def test_nomads_setup_first_is_random() -> None:
    firsts = Counter(new(5, seed=seed).position["first"] for seed in range(60))
    assert set(firsts) == {0, 1, 2, 3, 4}


def test_nomads_setup_first_may_be_agreed() -> None:
    for seat in range(4):
        game = new(4, first=seat)
        assert game.position["first"] == seat
        assert game.seat == seat
        assert told(game.opening) == [f"camp first={seat}"]


def test_nomads_setup_first_has_the_first_turn() -> None:
    game = new(4, first=2, quick=True)
    assert (game.phase, game.seat, game.position["turn"]) == ("turn", 2, 2)


def test_nomads_setup_frog_is_placed_by_nostromo_before_the_nomads() -> None:
    game = new(3, first=1, adventurers=["ulrich", "red", "nostromo"])
    assert (game.phase, game.seat) == ("frog", 2)
    assert legal(game) == [f"place frog {space}" for space in range(1, 9)]
    forbidden(game, "place nostromo 1", "nomads.setup.frog")
    forbidden(game, "sow 1 left", "nomads.setup.frog")
    assert told(game.play("place frog 5")) == ["place seat=2 disc=frog space=5", "nomads"]
    assert pile(game, 5) == "frog nomad"
    assert game.state.owner[6] == 2


def test_nomads_setup_frog_also_after_the_adventurers_were_chosen() -> None:
    game = new(2, first=1)
    play(game, "adventurer nostromo", "adventurer moon")
    assert (game.phase, game.seat) == ("frog", 1)
    assert game.state.owner[6] == 1


def test_nomads_setup_frog_stays_in_the_box_without_nostromo() -> None:
    game = new(2, first=0)
    game.play("adventurer red")
    assert told(game.play("adventurer moon")) == ["adventurer seat=1 disc=moon", "nomads"]
    assert game.phase == "sleepers"
    forbidden(game, "place frog 1", "nomads.setup.frog")
    quick = new(3, quick=True, adventurers=["red", "moon", "siana"])
    assert not any("frog" in space["discs"] for space in quick.position["spaces"])
    assert quick.state.owner[6] == -1


def test_nomads_setup_frog_two_are_placed_one_after_the_other() -> None:
    game = new(2, first=0, adventurers=["red", "nostromo"], frogs=2, discs=1)
    assert told(game.play("place frog 3")) == ["place seat=1 disc=frog space=3"]
    assert (game.phase, game.seat) == ("frog", 1)
    assert told(game.play("place frog 3")) == ["place seat=1 disc=frog space=3", "nomads"]
    assert pile(game, 3) == "frog frog nomad"
    assert game.phase == "sleepers"


def test_nomads_setup_frog_is_placed_once() -> None:
    game = new(2, first=0, adventurers=["nostromo", "red"])
    game.play("place frog 1")
    forbidden(game, "place frog 2", "nomads.setup.frog")


def test_nomads_setup_nomads_one_goes_on_every_space() -> None:
    game = new(5, first=0, adventurers=[*ADVENTURERS[:4], "nostromo"])
    assert [pile(game, space) for space in range(1, 9)] == [""] * 8
    game.play("place frog 3")
    assert [pile(game, space) for space in range(1, 9)] == [
        "nomad", "nomad", "frog nomad", "nomad", "nomad", "nomad", "nomad", "nomad",
    ]  # fmt: skip


def test_nomads_setup_sleepers_are_placed_at_the_first_players_right() -> None:
    game = new(3, first=1, adventurers=["ulrich", "siana", "red"])
    assert (game.phase, game.seat) == ("sleepers", 0)
    every = [f"place {disc} {space}" for disc in ("moon", "nostromo") for space in range(1, 9)]
    assert legal(game) == every
    assert told(game.play("place nostromo 2")) == ["place seat=0 disc=nostromo space=2"]
    assert (game.phase, game.seat) == ("sleepers", 0)
    assert legal(game) == every
    play(game, "place moon 2", "place nostromo 2")
    assert pile(game, 2) == "nomad nostromo moon nostromo"
    assert legal(game) == [f"place moon {space}" for space in (1, 3, 4, 5, 6, 7, 8)]
    forbidden(game, "place nostromo 1", "nomads.setup.sleepers")
    forbidden(game, "place ulrich 1", "nomads.setup.sleepers")
    forbidden(game, "lys 1", "nomads.setup.lys")
    forbidden(game, "sow 1 left", "nomads.setup.sleepers")
    game.play("place moon 1")
    assert (game.phase, game.seat) == ("discs", 1)


def test_nomads_setup_sleepers_may_be_another_players_charge() -> None:
    game = new(3, first=1, keeper=2, adventurers=["ulrich", "siana", "red"])
    assert (game.phase, game.seat) == ("sleepers", 2)
    play(game, "place moon 1", "place moon 1", "place nostromo 2", "place nostromo 2")
    assert (game.phase, game.seat) == ("discs", 1)
    for space in range(3, 9):
        play(game, f"place {game.position['seats'][game.seat]['adventurer']} {space}")
    # Lys is still the last player's.
    assert (game.phase, game.seat) == ("lys", 0)


def test_nomads_setup_sleepers_the_first_seats_right_is_the_last_seat() -> None:
    game = new(4, first=0, adventurers=["ulrich", "siana", "red", "moon"])
    assert (game.phase, game.seat) == ("sleepers", 3)
    assert game.position["keeper"] == 3


def test_nomads_setup_sleepers_there_are_none_with_five() -> None:
    game = new(5, first=3, adventurers=list(ADVENTURERS))
    game.play("place frog 1")
    assert (game.phase, game.seat) == ("discs", 3)


def test_nomads_setup_discs_one_at_a_time_from_the_first_player() -> None:
    game = new(5, first=3, adventurers=list(ADVENTURERS))
    game.play("place frog 8")
    placed = []
    for space in (1, 2, 3, 4, 5, 1, 2, 3, 4, 5):
        name = ADVENTURERS[game.seat]
        assert game.phase == "discs"
        assert legal(game) == [f"place {name} {n}" for n in range(1, 9)]
        placed.extend(told(game.play(f"place {name} {space}")))
    assert placed == [
        "place seat=3 disc=siana space=1",
        "place seat=4 disc=nostromo space=2",
        "place seat=0 disc=ulrich space=3",
        "place seat=1 disc=moon space=4",
        "place seat=2 disc=red space=5",
        "place seat=3 disc=siana space=1",
        "place seat=4 disc=nostromo space=2",
        "place seat=0 disc=ulrich space=3",
        "place seat=1 disc=moon space=4",
        "place seat=2 disc=red space=5",
    ]
    # On top of what is there, their own included.
    assert pile(game, 1) == "nomad siana siana"
    assert (game.phase, game.seat) == ("lys", 2)


def test_nomads_setup_discs_only_ones_own() -> None:
    game = new(5, first=0, adventurers=list(ADVENTURERS))
    game.play("place frog 1")
    forbidden(game, "place moon 1", "nomads.setup.discs")
    forbidden(game, "sow 1 left", "nomads.setup.discs")
    forbidden(game, "pass", "nomads.setup.discs")
    game = new(4, first=0, adventurers=list(ADVENTURERS[:4]))
    play(game, "place nostromo 1", "place nostromo 2")
    forbidden(game, "place nostromo 1", "nomads.setup.sleepers")


def test_nomads_setup_limit_no_disc_is_placed_as_a_fifth() -> None:
    game = new(3, first=1, adventurers=["nostromo", "siana", "red"])
    play(game, "place frog 1", "place ulrich 1", "place moon 1")
    assert pile(game, 1) == "frog nomad ulrich moon"
    forbidden(game, "place ulrich 1", "nomads.setup.limit")
    play(game, "place ulrich 2", "place moon 2")
    forbidden(game, "place siana 1", "nomads.setup.limit")
    assert "place siana 2" in legal(game)
    game.play("place siana 2")
    assert legal(game) == [f"place red {space}" for space in range(3, 9)]


def test_nomads_setup_limit_ends_with_set_up() -> None:
    game = new(2, first=0, adventurers=["ulrich", "siana"])
    play(game, "place moon 2", "place moon 2", "place red 2", "place red 4")
    play(game, "place nostromo 5", "place nostromo 5", "place ulrich 1", "place siana 7")
    play(game, "place ulrich 8", "place siana 7", "lys 6")
    game.play("sow 1 left")
    assert pile(game, 2) == "nomad moon moon red nomad"


def test_nomads_setup_lys_is_pointed_by_the_last_player() -> None:
    game = new(2, first=0, adventurers=["ulrich", "siana"])
    play(game, "place moon 1", "place moon 2", "place red 3", "place red 4")
    play(game, "place nostromo 5", "place nostromo 6", "place ulrich 1", "place siana 1")
    play(game, "place ulrich 2", "place siana 2")
    assert (game.phase, game.seat) == ("lys", 1)
    assert legal(game) == [f"lys {space}" for space in range(1, 9)]
    forbidden(game, "place siana 3", "nomads.setup.lys")
    forbidden(game, "sow 1 left", "nomads.setup.lys")
    assert told(game.play("lys 8")) == ["lys seat=1 space=8 phase=lys"]
    assert game.position["lys"] == 8
    assert (game.phase, game.seat) == ("turn", 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nomads_setup_quick_takes_every_decision_at_random(players: int) -> None:
    game = new(players, seed=3, quick=True)
    order = [line.split()[0] for line in told(game.opening)]
    assert game.phase == "turn"
    frog = "nostromo" in [seat["adventurer"] for seat in game.position["seats"]]
    discs = 10
    assert order == (
        ["camp"] + ["adventurer"] * players + ["place"] * frog + ["nomads"]
        + ["place"] * discs + ["lys"]
    )  # fmt: skip
    assert max(len(space["discs"]) for space in game.position["spaces"]) <= 4
    assert game.seat == game.position["first"]


def test_nomads_setup_quick_differs_from_seed_to_seed() -> None:
    games = [new(3, seed=seed, quick=True) for seed in range(40)]
    assert {game.position["lys"] for game in games} == set(range(1, 9))
    assert {game.position["seats"][0]["adventurer"] for game in games} == set(ADVENTURERS)
    tops = {tuple(space["discs"]) for game in games for space in game.position["spaces"]}
    assert len(tops) > 60


def test_nomads_setup_quick_can_be_retraced_by_hand() -> None:
    """The events of a quick start, played as decisions of a slow one, come to the same table."""
    quick = new(4, seed=5, quick=True)
    slow = new(4, seed=5, first=quick.position["first"])
    for event in quick.opening:
        values = event.values
        match event.name:
            case "adventurer":
                slow.play(f"adventurer {DISC[values['disc'] or 0]}")
            case "place":
                slow.play(f"place {DISC[values['disc'] or 0]} {(values['space'] or 0) + 1}")
            case "lys":
                slow.play(f"lys {(values['space'] or 0) + 1}")
    assert slow.phase == "turn"
    for key in ("lys", "seats", "turn", "first", "keeper"):
        assert slow.position[key] == quick.position[key]
    piles = [[space["discs"] for space in game.position["spaces"]] for game in (slow, quick)]
    assert piles[0] == piles[1]


DISC = ("nomad", *ADVENTURERS, "frog")


def test_nomads_public_all_but_the_tiles_under_the_tops() -> None:
    game = new(3, quick=True)
    for seat in (None, 0, 1, 2):
        seen = game.view(seat)
        for space, whole in zip(seen["spaces"], game.position["spaces"], strict=True):
            assert space["discs"] == whole["discs"]
            assert space["tiles"] == [None] * 13 + whole["tiles"][-1:]
        assert seen.pop("seen_by") == ([] if seat is None else [seat])
        assert {k: v for k, v in seen.items() if k != "spaces"} == {
            k: v for k, v in game.position.items() if k != "spaces"
        }


def test_nomads_public_what_lies_under_the_tops_can_be_counted_not_seen() -> None:
    game = new(2, quick=True)
    for _ in range(12):
        under = [tile for space in game.position["spaces"] for tile in space["tiles"][:-1]]
        assert [game.state.unseen[kind] for kind in range(9)] == [under.count(t) for t in TILES]
        game.play(game.legal[-1])


def test_nomads_public_the_unseen_may_be_dealt_anew() -> None:
    game = new(2, quick=True)
    for _ in range(8):
        game.play(game.legal[-1])
    other = game.resample(0, seed=1)
    assert other.view(0) == game.view(0)
    assert other.position["spaces"] != game.position["spaces"]
    assert other.seen_by(0).tobytes() == game.seen_by(0).tobytes()
    counts = [
        Counter(tile for space in g.position["spaces"] for tile in space["tiles"])
        for g in (game, other)
    ]
    assert counts[0] == counts[1]
    assert game.resample(0, seed=2).position != other.position


def test_a_fixed_camp_is_the_same_in_every_game() -> None:
    """An option for study: nobody places a disc, and the first turn begins."""
    for seed in range(3):
        few = {"ring": 4, "story": [4] * 7}
        game = new(2, seed=seed, camp=True, adventurers=["red", "moon"], first=1, **few)
        assert game.phase == "turn"
        assert game.seat == 1
        assert [pile(game, space) for space in range(1, 5)] == [
            "nomad ulrich nostromo red",
            "nomad moon siana",
            "nomad red ulrich nostromo",
            "nomad siana moon",
        ]
    wide = new(5, camp=True, first=0)
    assert wide.phase == "adventurer"
    for _ in range(5):
        wide.play(wide.legal[0])
    assert wide.phase == "turn"
    assert pile(wide, 1).startswith("frog nomad")


def test_a_fixed_camp_is_told_as_if_it_had_been_placed() -> None:
    """In turn from space 1 on, the second discs from half way round; sleepers by their keeper."""
    played = ["ulrich", "moon", "red", "nostromo"]
    game = new(4, camp=True, adventurers=played, first=2)
    owner = dict(zip(played, range(4), strict=True)) | {"siana": 1}
    order = ["ulrich", "moon", "red", "siana", "nostromo"]
    first = [f"place seat={owner[d]} disc={d} space={1 + i}" for i, d in enumerate(order)]
    second = [
        f"place seat={owner[d]} disc={d} space={1 + (4 + i) % 8}" for i, d in enumerate(order)
    ]
    assert told(game.opening) == [
        "camp first=2",
        "place seat=3 disc=frog space=1",
        "nomads",
        *first,
        *second,
        "lys seat=1 space=1 phase=lys",
    ]


def test_nomads_public_dealt_anew_any_unseen_tile_may_lie_anywhere() -> None:
    small: dict[str, Any] = {"ring": 4, "story": [2, 2, 2, 2, 0, 0, 0], "wilds": 0, "moons": 0}
    game = new(2, **small)
    under = [tile for space in game.position["spaces"] for tile in space["tiles"][:-1]]
    found = Counter(
        (space, stack(other, space).split()[0])
        for other in (game.resample(0, seed=seed) for seed in range(200))
        for space in range(1, 5)
    )
    assert len(found) == 4 * len(set(under))
    assert min(found.values()) > 25


def heights(game: Game) -> list[int]:
    return [len(space["tiles"]) for space in game.position["spaces"]]


def test_nomads_setup_stacks_may_be_of_about_equal_height() -> None:
    found = set()
    for seed in range(40):
        stacks = heights(new(3, seed, stacks="about_equal"))
        assert sum(stacks) == 112
        found |= set(stacks)
    assert found == {12, 13, 14, 15, 16}
    assert heights(new(3, stacks="counted")) == [14] * 8


def test_nomads_setup_stacks_of_about_equal_height_are_public_and_dealt_anew_as_they_are() -> None:
    game = new(3, quick=True, stacks="about_equal")
    assert len(set(heights(game))) > 1
    for seat in (None, 0):
        assert heights(load(game.view(seat))) == heights(game)
    assert heights(game.resample(0, seed=4)) == heights(game)
    assert load(game.position).position["options"] == {"quick": True, "stacks": "about_equal"}


def test_nomads_setup_stacks_of_a_small_ring_never_begin_empty() -> None:
    for seed in range(40):
        game = new(2, seed, **SPEC.options.SMALL, stacks="about_equal")
        assert min(heights(game)) >= 1


def test_nomads_setup_adventurers_may_come_before_the_first_player() -> None:
    beginners = set()
    for seed in range(30):
        game = new(3, seed, adventurers_first=True)
        assert (game.seat, game.phase, told(game.opening)) == (0, "adventurer", [])
        assert (game.position["first"], game.position["keeper"]) == (None, None)
        assert load(game.view(1)).view(1) == game.view(1)
        game.play("adventurer red")
        game.play("adventurer moon")
        assert game.seat == 2
        events = game.play("adventurer ulrich")
        first = game.position["first"]
        assert f"camp first={first}" in told(events)
        assert (game.phase, game.seat) == ("sleepers", (first - 1) % 3)
        beginners.add(first)
    assert beginners == {0, 1, 2}


def test_nomads_setup_adventurers_before_a_first_player_who_was_chosen_or_all_dealt() -> None:
    game = new(2, adventurers_first=True, first=1)
    assert game.seat == 0
    game.play("adventurer red")
    game.play("adventurer moon")
    assert (game.position["first"], game.seat) == (1, 0)
    dealt = new(3, adventurers_first=True, adventurers="deal")
    assert dealt.phase in ("frog", "sleepers")
    listed = new(2, adventurers_first=True, adventurers=["red", "moon"])
    assert listed.phase == "sleepers"
    quick = new(4, adventurers_first=True, quick=True)
    assert quick.phase == "turn"


def test_nomads_setup_discs_of_one_player_before_those_of_another_are_refused() -> None:
    game = new(2, first=0, adventurers=["ulrich", "moon"])
    for space, sleeper in enumerate(["red", "siana", "nostromo"] * 2, 3):
        game.play(f"place {sleeper} {space}")
    game.play("place ulrich 1")
    game.play("place moon 2")
    position = game.position
    position["spaces"][1]["discs"][-1:] = ["ulrich"]
    for seat in (0, 1):
        with refused("nomads.turn.order", "impossible", "nomads.position.seat"):
            load(position | {"seat": seat})


def test_nomads_setup_adventurers_chosen_out_of_turn_are_refused() -> None:
    position = new(3, first=1).position
    position["seats"][0]["adventurer"] = "red"
    for seat in (1, 2):
        with refused("nomads.turn.order", "impossible", "nomads.position.seat"):
            load(position | {"seat": seat})


def test_nomads_setup_first_is_open_only_before_it_is_drawn() -> None:
    position = new(2, quick=True).position
    with refused("nomads.setup.first", "impossible"):
        load(position | {"first": None, "keeper": None})


def test_nomads_move_lys_has_no_bonus_where_no_disc_fell() -> None:
    with refused("nomads.move.lys", "impossible"):
        scene(piles={5: ""}, lys=5, phase="bonus")
