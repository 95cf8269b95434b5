"""Oh Captain!: the turn of an Explorer."""

from __future__ import annotations

from tests.games.captain.scene import (
    asked,
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


def test_captain_turn_order_clockwise_past_the_captain() -> None:
    game = scene("red lys moon nostromo", captain=2, turn=1, card="egg", down={1: "", 3: "", 0: ""})
    play(game, "announce lantern", "leave")
    assert asked(game) == (3, "announce")
    play(game, "announce lantern", "leave", "accept")
    assert asked(game) == (0, "announce")


def test_captain_turn_order_a_card_is_not_bought_twice() -> None:
    game = scene()
    with refused("captain.turn.announce"):
        play(game, "buy")
    play(game, "announce hook")
    with refused("captain.turn.choice"):
        play(game, "announce hook")


def test_captain_turn_rich_only_with_strictly_more_coins() -> None:
    game = scene(coins={2: 5}, down={1: "", 2: ""}, card="egg")
    play(game, "announce lantern", "leave")
    assert asked(game) == (2, "announce")
    with refused("captain.turn.rich"):
        play(game, "mutiny")
    game = scene(coins={2: 6}, down={1: "", 2: ""}, card="egg")
    play(game, "announce lantern", "leave")
    assert asked(game) == (2, "rich")
    assert legal(game) == ["mutiny", "allegiance"]
    with refused("captain.turn.rich"):
        play(game, "announce lantern")
    with refused("captain.turn.rich", "impossible"):
        rich(coins={1: 5})


def test_captain_turn_rich_once_in_a_turn() -> None:
    game = rich(coins={0: 2, 1: 9})
    play(game, "allegiance")
    assert asked(game) == (1, "announce")


def test_captain_turn_mutiny_takes_bottle_discard_and_a_coin() -> None:
    game = rich("lys red moon nostromo", coins={1: 6}, discard="egg hook", up={1: "egg"})
    events = play(game, "mutiny")
    assert told(events, 1)[:3] == [
        "mutiny seat=1 old=0 coins=1",
        "look seat=1 card=egg",
        "look seat=1 card=hook",
    ]
    assert told(events, 0)[1] == "look seat=1 card=None"
    assert game.position["captain"] == 1
    assert coins(game) == [5, 7, 3, 3]
    assert (up(game, 1), down(game, 1)) == ("egg", "purse")
    assert asked(game) == (2, "announce")
    assert game.view(1)["discard"] == {"egg": 1, "hook": 1}
    assert game.view(0)["discard"] is None
    assert game.position["now"]["mutinies"] == 1
    assert game.position["now"]["discard"] == {"egg": 1, "hook": 1}


def test_captain_turn_mutiny_an_empty_reserve_gives_nothing() -> None:
    game = rich(coins={0: 4, 1: 20, 2: 6})
    assert game.position["reserve"] == 0
    events = play(game, "mutiny")
    assert told(events)[0] == "mutiny seat=1 old=0 coins=0"
    assert coins(game) == [4, 20, 6]
    assert game.position["reserve"] == 0


def test_captain_turn_mutiny_takes_the_last_coin_of_the_reserve() -> None:
    game = rich(coins={0: 4, 1: 19, 2: 6})
    assert game.position["reserve"] == 1
    play(game, "mutiny")
    assert coins(game) == [4, 20, 6]
    assert game.position["reserve"] == 0


def test_captain_turn_mutiny_one_after_the_other() -> None:
    game = rich("lys red moon nostromo", captain=3, turn=0, coins={3: 1, 0: 2, 1: 4, 2: 6})
    play(game, "mutiny", "mutiny", "mutiny")
    assert game.position["captain"] == 2
    assert coins(game) == [3, 5, 7, 1]
    assert game.position["now"]["mutinies"] == 3
    assert asked(game) == (3, "announce")


def test_captain_turn_allegiance_costs_a_coin_and_goes_on() -> None:
    game = rich(cave="hook")
    events = play(game, "allegiance")
    assert told(events, 1) == ["allegiance seat=1 captain=0", "draw seat=1 card=hook"]
    assert coins(game) == [6, 5, 3]
    assert asked(game) == (1, "announce")
    assert game.position["now"]["allegiance"] is True


def test_captain_turn_draw_is_secret() -> None:
    game = rich(cave="lizard")
    events = play(game, "allegiance")
    assert told(events, 1)[1] == "draw seat=1 card=lizard"
    assert told(events, 0)[1] == "draw seat=1 card=None"
    assert game.view(1)["now"]["card"] == "lizard"
    assert game.view(0)["now"]["card"] is None


def test_captain_turn_announce_one_of_four_whatever_was_drawn() -> None:
    for card in ("egg", "lantern3", "pistol"):
        game = scene(card=card)
        assert legal(game) == [
            "announce lantern",
            "announce hook",
            "announce lizard",
            "announce pistol",
        ]
    assert told(play(game, "announce lizard")) == ["announce seat=1 tool=lizard"]


def test_captain_turn_announce_a_lantern_is_true_for_either_value() -> None:
    for card, tool, honest in (
        ("lantern3", "lantern", True),
        ("lantern2", "lantern", True),
        ("hook", "hook", True),
        ("lizard", "lizard", True),
        ("pistol", "pistol", True),
        ("egg", "lantern", False),
        ("egg", "hook", False),
        ("hook", "lizard", False),
        ("lantern2", "pistol", False),
    ):
        game = scene(card=card)
        events = play(game, f"announce {tool}", "buy")
        assert f"honest={honest}" in told(events)[1]


def test_captain_turn_choice_is_the_captains() -> None:
    game = scene("lys moon red", captain=2, turn=0)
    play(game, "announce hook")
    assert asked(game) == (2, "choice")
    assert legal(game) == ["buy", "leave"]


def test_captain_turn_choice_the_last_coin_is_enough() -> None:
    game = scene(card="egg", coins={0: 1, 1: 0, 2: 0})
    play(game, "announce hook")
    assert asked(game) == (0, "choice")
    play(game, "buy")
    assert coins(game) == [0, 1, 0]


def test_captain_turn_choice_without_a_coin_the_card_is_left() -> None:
    game = scene(coins={0: 0, 1: 0, 2: 0})
    events = play(game, "announce pistol")
    assert told(events)[1:] == ["leave captain=0 seat=1", "attack attacker=1 target=2 tool=pistol"]
    assert asked(game) == (2, "answer")


def test_captain_turn_buy_a_lie_costs_a_coin_and_does_nothing() -> None:
    game = scene(card="egg")
    events = play(game, "announce pistol", "buy")
    assert told(events)[1] == "buy captain=0 seat=1 card=egg honest=False"
    assert coins(game) == [4, 4, 3]
    assert (up(game, 0), down(game, 1), down(game, 2)) == ("egg", "purse", "purse")
    assert asked(game) == (2, "announce")


def test_captain_turn_buy_the_truth_is_used_on_any_explorer() -> None:
    game = scene(card="pistol")
    play(game, "announce pistol", "buy")
    assert asked(game) == (0, "target")
    assert legal(game) == ["target 1", "target 2"]
    events = play(game, "target 1")
    assert told(events)[0] == "attack attacker=0 target=1 tool=pistol"
    assert (discard(game), down(game, 1)) == ("purse", "")
    assert asked(game)[1] == "announce", "a bought attack can't be answered"


def test_captain_turn_buy_is_judged_after_the_coin_is_paid() -> None:
    game = scene(card="lizard", coins={1: 0, 2: 0})
    play(game, "announce lizard", "buy")
    assert coins(game) == [5, 0, 0]


def test_captain_turn_leave_attacks_another_explorer_with_what_was_announced() -> None:
    game = scene("lys red moon nostromo", card="egg")
    events = play(game, "announce lizard", "leave")
    assert told(events)[1] == "leave captain=0 seat=1"
    assert asked(game) == (1, "target")
    assert legal(game) == ["target 2", "target 3"]
    assert down(game, 1) == "egg purse"
    with refused("captain.turn.leave"):
        play(game, "target 0")
    with refused("captain.turn.leave"):
        play(game, "accept")


def test_captain_turn_nobody_to_hit_no_attack() -> None:
    game = scene(card="egg", down={2: ""})
    events = play(game, "announce pistol", "leave")
    assert told(events)[2] == "nobody attacker=1 tool=pistol"
    assert down(game, 1) == "egg purse"
    assert asked(game) == (2, "announce")


def test_captain_turn_nobody_for_the_captain_either() -> None:
    game = scene(card="lantern2", down={1: "", 2: ""}, up={1: "egg"})
    events = play(game, "announce lantern", "buy")
    assert told(events)[2] == "nobody attacker=0 tool=lantern"
    assert asked(game) == (1, "moon"), "end-of-turn powers still apply"


def test_captain_turn_answer_is_the_targets() -> None:
    game = scene("lys red moon nostromo", card="egg")
    play(game, "announce lizard", "leave", "target 3")
    assert asked(game) == (3, "answer")
    assert legal(game) == ["accept", "accuse"]
    with refused("captain.turn.answer"):
        play(game, "target 2")


def test_captain_turn_accept_the_effect_happens_and_the_card_stays_hidden() -> None:
    game = scene(card="egg")
    events = play(game, "announce lizard", "leave", "accept")
    assert told(events)[3:5] == ["accept target=2 attacker=1", "steal attacker=1 target=2"]
    assert coins(game) == [5, 4, 2]
    assert (up(game, 1), down(game, 1)) == ("", "egg purse")
    assert game.view(2)["history"][-1]["card"] is None


def test_captain_turn_caught_shows_pays_and_does_nothing() -> None:
    game = scene("lys nostromo red", card="egg")
    events = play(game, "announce lizard", "leave", "accuse")
    assert told(events)[3:5] == [
        "accuse target=2 attacker=1 card=egg honest=False",
        "pay seat=1 to=2 coins=1",
    ]
    assert coins(game) == [5, 2, 4]
    assert (up(game, 1), down(game, 1)) == ("egg", "purse")
    assert asked(game) == (2, "announce")


def test_captain_turn_true_the_effect_and_a_coin() -> None:
    game = scene("lys nostromo red", card="lizard")
    events = play(game, "announce lizard", "leave", "accuse")
    assert told(events)[3:6] == [
        "accuse target=2 attacker=1 card=lizard honest=True",
        "steal attacker=1 target=2",
        "pay seat=2 to=1 coins=1",
    ]
    assert coins(game) == [5, 5, 1]
    assert (up(game, 1), down(game, 1)) == ("lizard", "purse")


def test_captain_turn_true_a_coin_also_after_a_card() -> None:
    game = scene("lys nostromo red", card="pistol")
    play(game, "announce pistol", "leave", "accuse")
    assert coins(game) == [5, 4, 2]
    assert down(game, 2) == ""


def test_captain_turn_broke_gives_none() -> None:
    game = scene("lys nostromo red", card="egg", coins={1: 0})
    events = play(game, "announce lizard", "leave", "accuse")
    assert coins(game) == [5, 0, 3]
    assert not any(line.startswith("pay") for line in told(events))
    game = scene("lys nostromo red", card="lizard", coins={2: 1})
    play(game, "announce lizard", "leave", "accuse")
    assert coins(game) == [5, 4, 0]
