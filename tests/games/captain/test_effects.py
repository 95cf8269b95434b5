"""Oh Captain!: what the cards do, and the powers of the Adventurers."""

from __future__ import annotations

import pytest

from tests.games.captain.scene import (
    asked,
    audience,
    coins,
    discard,
    down,
    legal,
    play,
    refused,
    rich,
    scene,
    told,
    up,
)


def test_captain_effect_pistol_a_card_goes_to_the_discard() -> None:
    game = scene(card="egg", discard="hook", down={2: "lizard"})
    events = play(game, "announce pistol", "leave", "accept")
    assert told(events, 2)[-2] == "shoot attacker=1 target=2 card=lizard how=face down"
    assert discard(game) == "hook lizard"
    assert (up(game, 2), down(game, 2)) == ("", "")


def test_captain_effect_lizard_takes_a_coin() -> None:
    game = scene(card="lizard")
    play(game, "announce lizard", "buy", "target 2")
    assert coins(game) == [5, 4, 2]


def test_captain_effect_hook_a_card_changes_hands_as_it_lay() -> None:
    game = scene("lys nostromo red", card="egg", up={2: "lizard"}, down={2: ""})
    events = play(game, "announce hook", "leave", "accept")
    assert told(events)[-2] == "hook attacker=1 target=2 card=lizard how=face up"
    assert (up(game, 1), down(game, 1), up(game, 2)) == ("lizard", "egg purse", "")
    game = scene(card="egg", down={2: "lizard"})
    play(game, "announce hook", "leave", "accept")
    assert (up(game, 1), down(game, 1), down(game, 2)) == ("", "egg lizard purse", "")


def test_captain_effect_hook_of_the_captain() -> None:
    game = scene(card="hook", down={1: "lizard", 2: ""})
    play(game, "announce hook", "buy")
    assert (up(game, 0), down(game, 0), down(game, 1)) == ("hook", "lizard", "")


def test_captain_effect_lantern_lights_a_face_down_card() -> None:
    game = scene(card="egg", up={2: "hook"}, down={2: "lizard"})
    events = play(game, "announce lantern", "leave", "accept")
    assert told(events)[-2] == "light target=2 card=lizard how=face down"
    assert (up(game, 2), down(game, 2)) == ("hook lizard", "")


def test_captain_effect_lantern_is_random() -> None:
    lit = set()
    for seed in range(30):
        game = scene(seed=seed, card="egg", down={2: "lizard hook egg"})
        play(game, "announce lantern", "leave", "accept")
        lit.add(up(game, 2))
    assert lit == {"lizard", "hook", "egg"}


def test_captain_effect_choose_a_face_up_card_by_name_or_a_hidden_one() -> None:
    game = scene(card="egg", up={2: "hook hook lizard"}, down={2: "egg"})
    play(game, "announce pistol", "leave", "accept")
    assert asked(game) == (1, "card")
    assert legal(game) == ["take hook", "take lizard", "take hidden"]
    with refused("captain.effect.choose"):
        play(game, "take egg")
    hidden = game.copy()
    play(game, "take hook")
    assert (up(game, 2), down(game, 2), discard(game)) == ("hook lizard", "egg", "hook")
    play(hidden, "take hidden")
    assert (up(hidden, 2), down(hidden, 2), discard(hidden)) == ("hook hook lizard", "", "egg")


def test_captain_effect_choose_without_a_choice_nobody_is_asked() -> None:
    game = scene("lys nostromo red", card="egg", up={2: "hook hook"}, down={2: ""})
    play(game, "announce pistol", "leave", "accept")
    assert (up(game, 2), discard(game)) == ("hook", "hook")
    game = scene(card="egg", up={2: "hook lizard"}, down={2: ""})
    play(game, "announce pistol", "leave", "accept")
    assert legal(game) == ["take hook", "take lizard"]


def test_captain_effect_choose_after_the_answer() -> None:
    game = scene(card="pistol", up={2: "hook"}, down={2: "egg"})
    play(game, "announce pistol", "leave", "accuse")
    assert asked(game) == (1, "card")
    assert coins(game) == [5, 3, 3]
    play(game, "take hook")
    assert coins(game) == [5, 4, 2]


def test_captain_effect_choose_each_hidden_card_is_as_likely() -> None:
    shot = dict.fromkeys(("lizard", "egg"), 0)
    for seed in range(300):
        game = scene(seed=seed, card="egg", down={2: "lizard egg egg"})
        play(game, "announce pistol", "leave", "accept")
        shot[discard(game)] += 1
    assert 160 < shot["egg"] < 240


def test_captain_effect_can_work_only_where_there_is_something() -> None:
    for tool, targets in (
        ("lizard", ["target 0", "target 3"]),
        ("pistol", ["target 4", "target 5"]),
        ("hook", ["target 4", "target 5"]),
    ):
        game = scene(
            "red lys nostromo moon siana ulrich",
            captain=1,
            turn=2,
            card="lizard",
            coins={2: 0, 3: 1, 4: 0, 5: 0},
            up={4: "hook"},
            down={0: "", 2: "", 3: "", 4: "", 5: "egg egg"},
        )
        play(game, f"announce {tool}", "leave")
        assert legal(game) == targets
    with refused("captain.effect.can"):
        play(game, "target 3")
    game = scene("lys red moon nostromo", card="egg")
    play(game, "announce hook", "leave")
    with refused("captain.turn.order"):
        play(game, "target 5")


def test_captain_effect_can_a_lantern_needs_a_face_down_card() -> None:
    game = scene("lys red moon nostromo", card="egg", up={2: "hook"}, down={2: ""})
    events = play(game, "announce lantern", "leave")
    assert told(events)[-1] == "attack attacker=1 target=3 tool=lantern"


def test_captain_effect_own_loot_is_never_hit() -> None:
    game = scene("lys red moon nostromo", card="egg", up={1: "hook"})
    play(game, "announce pistol", "leave")
    with refused("captain.effect.own"):
        play(game, "target 1")


# ---------------------------------------------------------------- what is seen


def test_captain_know_hook_a_stolen_card_is_seen_by_both() -> None:
    game = scene("lys nostromo red moon", card="egg")
    events = play(game, "announce hook", "leave", "target 2", "accept")
    assert audience(events, "hook") == [1, 2]
    game = scene("lys nostromo red moon", card="hook")
    events = play(game, "announce hook", "buy", "target 2")
    assert audience(events, "hook") == [0, 2]


def test_captain_know_hook_a_shot_card_is_seen_by_owner_and_captain() -> None:
    game = scene("lys nostromo red moon", card="egg")
    events = play(game, "announce pistol", "leave", "target 2", "accept")
    assert audience(events, "shoot") == [0, 2]
    row = [game.view(seat)["history"][-1]["hit"] for seat in range(4)]
    assert row == ["purse", None, "purse", None]


def test_captain_know_hook_a_face_up_card_is_known_to_all() -> None:
    game = scene("lys nostromo red moon", card="egg", up={2: "hook"}, down={2: ""})
    events = play(game, "announce pistol", "leave", "target 2", "accept")
    assert audience(events, "shoot") == [-1]
    assert game.view()["history"][-1]["hit"] == "hook"


def test_captain_know_up_bought_lit_or_shown() -> None:
    game = scene(card="egg")
    play(game, "announce lizard", "buy")
    assert up(game, 0) == "egg"
    for seat in (None, 0, 1, 2):
        assert game.view(seat)["history"][-1]["card"] == "egg"
    game = scene(card="egg", down={1: "", 2: ""})
    play(game, "announce pistol", "leave")
    assert (up(game, 1), down(game, 1)) == ("", "egg")


def test_captain_know_loot_is_seen_by_its_owner_alone() -> None:
    game = scene(down={1: "purse lizard"})
    seen = [game.view(seat)["seats"][1] for seat in (None, 0, 1, 2)]
    assert [seat["down"] for seat in seen] == [None, None, {"lizard": 1, "purse": 1}, None]
    assert {seat["hidden"] for seat in seen} == {2}


def test_captain_know_public_is_the_same_for_all() -> None:
    game = scene("lys nostromo red moon", up={2: "hook"}, discard="egg")
    for key in ("captain", "reserve", "discards", "turn", "phase", "seat"):
        assert len({str(game.view(seat)[key]) for seat in (None, 0, 1, 2, 3)}) == 1
    for key in ("coins", "up", "hidden", "adventurer"):
        views = [[seat[key] for seat in game.view(who)["seats"]] for who in (None, 0, 1, 2, 3)]
        assert all(view == views[0] for view in views)
    assert {len(game.view(seat)["cave"]) for seat in (None, 0)} == {len(game.position["cave"])}
    assert set(game.view(1)["cave"]) == {None}


# ---------------------------------------------------------------- powers


def test_captain_nostromo_takes_a_card_of_his_choice() -> None:
    game = rich("lys nostromo red", discard="egg hook hook")
    play(game, "mutiny")
    assert asked(game) == (1, "fish")
    assert legal(game) == ["pass", "fish egg", "fish hook"]
    with refused("captain.nostromo"):
        play(game, "fish lizard")
    with refused("captain.nostromo"):
        play(game, "announce hook")
    events = play(game, "fish hook")
    assert audience(events, "fish") == [1]
    assert (down(game, 1), discard(game), game.position["discards"]) == (
        "hook purse",
        "egg hook",
        2,
    )
    assert asked(game) == (2, "announce")
    assert [game.view(seat)["now"]["took"] for seat in (0, 1, 2)] == [None, "hook", None]


def test_captain_nostromo_may_take_nothing() -> None:
    game = rich("lys nostromo red", discard="egg")
    play(game, "mutiny", "pass")
    assert (down(game, 1), discard(game)) == ("purse", "egg")
    assert "took" not in game.position["now"]


def test_captain_nostromo_an_empty_discard_asks_nothing() -> None:
    game = rich("lys nostromo red")
    play(game, "mutiny")
    assert asked(game) == (2, "announce")


def test_captain_moon_turns_up_to_two_cards_down() -> None:
    game = scene(card="egg", up={1: "hook hook lizard"}, down={1: "", 2: ""})
    play(game, "announce pistol", "leave")
    assert asked(game) == (1, "moon")
    assert legal(game) == ["pass", "turn hook", "turn lizard"]
    with refused("captain.moon"):
        play(game, "turn egg")
    events = play(game, "turn hook")
    assert told(events) == ["turn seat=1 card=hook"]
    assert asked(game) == (1, "moon")
    events = play(game, "turn hook")
    assert told(events) == ["turn seat=1 card=hook", "draw seat=2 card=None"]
    assert (up(game, 1), down(game, 1)) == ("lizard", "egg hook hook")
    assert asked(game) == (2, "announce")
    assert game.view()["history"][-1]["turned"] == ["hook", "hook"]


def test_captain_moon_may_stop_or_run_out() -> None:
    game = scene(card="egg", up={1: "hook lizard"}, down={1: "", 2: ""})
    play(game, "announce pistol", "leave", "turn lizard", "pass")
    assert (up(game, 1), asked(game)) == ("hook", (2, "announce"))
    game = scene(card="egg", up={1: "hook"}, down={1: "", 2: ""})
    play(game, "announce pistol", "leave", "turn hook")
    assert asked(game) == (2, "announce")
    game = scene(card="egg", up={1: "hook"}, down={1: "", 2: ""})
    play(game, "announce pistol", "leave", "pass")
    assert (up(game, 1), asked(game)) == ("hook", (2, "announce"))


def test_captain_moon_without_face_up_cards_is_not_asked() -> None:
    game = scene(card="egg", down={1: "", 2: ""})
    play(game, "announce pistol", "leave")
    assert asked(game) == (2, "announce")


def test_captain_moon_not_in_her_mutiny() -> None:
    game = rich(up={1: "hook"})
    play(game, "mutiny")
    assert asked(game) == (2, "announce")


def test_captain_red_the_poorest_takes_a_coin() -> None:
    game = scene("lys red moon nostromo", card="egg", coins={0: 5, 1: 1, 2: 2, 3: 2})
    play(game, "announce lizard", "leave", "target 3", "accuse")
    assert coins(game) == [5, 0, 2, 3]
    assert asked(game) == (1, "red")
    assert legal(game) == ["rob 2", "rob 3"]
    with refused("captain.red"):
        play(game, "rob 0")
    events = play(game, "rob 3")
    assert told(events)[0] == "rob seat=1 victim=3"
    assert coins(game) == [5, 1, 2, 2]
    assert game.position["history"][-1]["robbed"] == 3


def test_captain_red_strictly_the_poorest() -> None:
    game = scene("lys red moon nostromo", card="egg", coins={1: 1, 2: 1}, down={2: "", 3: ""})
    play(game, "announce pistol", "leave")
    assert asked(game) == (2, "announce")


def test_captain_red_one_victim_is_not_a_choice() -> None:
    for captain, turn, other in ((0, 1, 2), (2, 1, 0), (0, 2, 1)):
        seats = ["lys", "moon", "nostromo"]
        seats[turn] = "red"
        game = scene(
            " ".join(seats),
            captain=captain,
            turn=turn,
            card="egg",
            coins={turn: 0, other: 2},
            down={turn: "", other: ""},
        )
        events = play(game, "announce pistol", "leave")
        assert told(events)[3] == f"rob seat={turn} victim={other}"
        assert (coins(game)[turn], coins(game)[other]) == (1, 1)


def test_captain_red_not_as_captain() -> None:
    game = rich("lys red moon nostromo", coins={0: 1, 1: 2, 2: 4, 3: 4})
    events = play(game, "mutiny")
    assert coins(game) == [1, 3, 4, 4]
    assert not any(event.name == "rob" for event in events)


def test_captain_siana_chooses_the_card_but_no_egg() -> None:
    game = scene("lys red siana moon", card="pistol", up={2: "egg hook"}, down={2: "egg lizard"})
    play(game, "announce pistol", "leave", "target 2", "accept")
    assert asked(game) == (2, "siana")
    assert legal(game) == ["give hook", "give hidden lizard"]
    with refused("captain.siana"):
        play(game, "give egg")
    with refused("captain.siana"):
        play(game, "take hidden")
    hidden = game.copy()
    play(game, "give hook")
    assert (up(game, 2), down(game, 2), discard(game)) == ("egg", "egg lizard", "hook")
    events = play(hidden, "give hidden lizard")
    assert told(events)[0] == "shoot attacker=1 target=2 card=None how=given"
    assert (up(hidden, 2), down(hidden, 2), discard(hidden)) == ("egg hook", "egg", "lizard")


def test_captain_siana_is_asked_where_others_cannot_tell() -> None:
    game = scene("lys red siana moon", card="egg", up={2: "hook"}, down={2: "egg egg"})
    play(game, "announce hook", "leave", "target 2", "accept")
    assert (asked(game), legal(game)) == ((2, "siana"), ["give hook"])
    game = scene("lys red siana moon", card="egg", down={2: "hook hook"})
    play(game, "announce hook", "leave", "target 2", "accept")
    assert (asked(game), legal(game)) == ((2, "siana"), ["give hidden hook"])


def test_captain_siana_is_not_asked_where_all_see_she_has_no_choice() -> None:
    game = scene("lys red siana moon", card="egg", up={2: "hook hook egg"}, down={2: ""})
    events = play(game, "announce pistol", "leave", "target 2", "accept")
    assert "shoot attacker=1 target=2 card=hook how=face up" in told(events)
    assert (up(game, 2), discard(game)) == ("egg hook", "hook")
    game = scene("lys red siana moon", card="egg", up={2: "egg"}, down={2: "hook"})
    events = play(game, "announce pistol", "leave", "target 2", "accept")
    assert "shoot attacker=1 target=2 card=None how=given" in told(events)
    assert (up(game, 2), down(game, 2), discard(game)) == ("egg", "", "hook")


@pytest.mark.parametrize("card", ["lantern3", "lantern2", "hook", "lizard", "pistol", "purse"])
def test_captain_siana_gives_her_only_face_up_kind_whatever_it_is(card: str) -> None:
    game = scene("lys red siana moon", card="egg", up={2: f"egg {card}"}, down={2: ""})
    play(game, "announce pistol", "leave", "target 2", "accept")
    assert (up(game, 2), discard(game)) == ("egg", card)


def test_captain_siana_two_face_up_kinds_are_a_choice() -> None:
    game = scene("lys red siana moon", card="egg", up={2: "hook lizard egg"}, down={2: ""})
    play(game, "announce pistol", "leave", "target 2", "accept")
    assert legal(game) == ["give hook", "give lizard"]


def test_captain_siana_a_lantern_hits_a_face_down_card() -> None:
    game = scene("lys red siana moon", card="egg", up={2: "hook"}, down={2: "egg lizard purse"})
    play(game, "announce lantern", "leave", "target 2", "accept")
    assert legal(game) == ["give hidden lizard", "give hidden purse"]
    with refused("captain.effect.lantern"):
        play(game, "give hook")
    events = play(game, "give hidden purse")
    assert told(events)[0] == "light target=2 card=purse how=given"
    assert (up(game, 2), down(game, 2)) == ("hook purse", "egg lizard")


def test_captain_siana_nothing_but_eggs_the_attacker_chooses_and_all_learn_why() -> None:
    game = scene("lys red siana moon", card="egg", up={2: "egg"}, down={2: "egg egg"})
    events = play(game, "announce pistol", "leave", "target 2", "accept")
    assert told(events)[-1] == "eggs seat=2"
    assert (asked(game), legal(game)) == ((1, "card"), ["take egg", "take hidden"])
    hidden = game.copy()
    play(game, "take egg")
    assert (up(game, 2), down(game, 2)) == ("", "egg egg")
    events = play(hidden, "take hidden")
    assert told(events)[0] == "shoot attacker=1 target=2 card=None how=face down"
    assert (up(hidden, 2), down(hidden, 2)) == ("egg", "egg")
    assert hidden.position["history"][-1]["only_eggs"] is True
    game = scene("lys red siana moon", card="egg", up={2: "hook"}, down={2: "egg egg"})
    events = play(game, "announce lantern", "leave", "target 2", "accept")
    assert told(events)[-3:] == [
        "eggs seat=2",
        "light target=2 card=egg how=face down",
        "draw seat=2 card=None",
    ]
    assert up(game, 2) == "egg hook"


def test_captain_siana_also_against_the_captain() -> None:
    game = scene("lys red siana moon", card="hook", down={2: "lizard purse"})
    play(game, "announce hook", "buy", "target 2")
    assert asked(game) == (2, "siana")
    play(game, "give hidden lizard")
    assert down(game, 0) == "lizard"


def test_captain_ulrich_gets_two_coins_as_target() -> None:
    game = scene("lys red ulrich moon", card="egg")
    play(game, "announce lizard", "leave", "target 2", "accuse")
    assert coins(game)[:3] == [5, 1, 5]


def test_captain_ulrich_gets_two_coins_as_attacker() -> None:
    game = scene("lys ulrich red moon", card="pistol")
    play(game, "announce pistol", "leave", "target 2", "accuse")
    assert coins(game) == [5, 5, 1, 3]


def test_captain_ulrich_gets_as_many_as_there_are_and_only_when_he_wins() -> None:
    game = scene("lys red ulrich moon", card="egg", coins={1: 1, 3: 0})
    play(game, "announce lizard", "leave", "accuse")
    assert coins(game)[:3] == [5, 0, 4]
    game = scene("lys ulrich red moon", card="egg")
    play(game, "announce pistol", "leave", "target 2", "accuse")
    assert coins(game) == [5, 2, 4, 3]
