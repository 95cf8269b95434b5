"""Every value that a variant may change does what its words say, and its games replay."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest

from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.variant import Variant
from veillee.games import captain, lumens, nomads

ALL = list(nomads.SPEC.roles)
TALES = ("whale", "stag", "cedar", "comet", "storm", "ember", "shell")


def random_game(kind: type[Game], players: int, seed: int = 1, **options: Any) -> Game:
    game = kind(players, seed, **options)
    chance = Random(seed)
    while not game.over:
        game.play(chance.choice(game.legal_numbers()))
    return game


def described(game: Game, do: str) -> list[dict[str, Any]]:
    """Return the actions of a kind that were legal in a random game, as data."""
    again, found = type(game)(game.players, game.seed, **game.options), []
    for entry in game.entries:
        found += [
            again.spec.notation.describe(again.state, n)
            for n in again.legal_numbers()
            if again.spec.notation.text(n).startswith(do)
        ]
        again.play(entry)
    return found


def events(game: Game, name: str) -> list[dict[str, Any]]:
    return [game.spec.relate(event) for event in game.events if event.name == name]


# ---------------------------------------------------------------- Nomads


def camp() -> None:
    """Discs lie where they always do."""
    one, two = (nomads.Game(3, n, camp=True, adventurers=ALL).position["spaces"] for n in (1, 2))
    assert [space["discs"] for space in one] == [space["discs"] for space in two]
    assert one != two


def first() -> None:
    seats = [[nomads.Game(3, seed, first=n).seat for seed in range(8)] for n in range(3)]
    assert seats == [[n] * 8 for n in range(3)]


def keeper() -> None:
    for n in (0, 1):
        game = nomads.Game(2, 1, first=0, keeper=n, adventurers=["red", "moon"])
        assert (game.phase, game.seat) == ("sleepers", n)


def coins() -> None:
    seats = nomads.Game(3, 1, coins=[1]).position["seats"]
    assert [seat["tiles"].get("wild", 0) for seat in seats] == [0, 1, 0]


def legends() -> None:
    """A card costs and scores its value."""
    values = {name: [1, 1, 2, 3] for name in TALES}
    written = described(random_game(nomads.Game, 3, quick=True, legends=values), "write")
    assert written
    assert all(each["value"] == values["whale"][each["card"] - 1] for each in written)


def songs() -> None:
    values = {"cost": [1, 1, 1, 1], "points": [21, 22, 23, 24]}
    sung = described(random_game(nomads.Game, 3, quick=True, songs=values), "sing")
    assert sung
    assert all(each["value"] == 20 + each["song"] for each in sung)
    assert {len(each["tiles"]) + each["wilds"] for each in sung} == {1}


def tiles(name: str, value: Any, kind: str, n: int) -> None:
    """Count a kind of tile on the tops and under them."""
    position = nomads.Game(3, 1, **{name: value}).position
    lying = [tile for space in position["spaces"] for tile in space["tiles"]]
    assert lying.count(kind) == n


def story() -> None:
    tiles("story", [3, 14, 14, 14, 14, 14, 14], "whale", 3)


def wilds() -> None:
    tiles("wilds", 1, "wild", 1)


def moons() -> None:
    tiles("moons", 5, "moon", 5)


def ring() -> None:
    game = nomads.Game(3, 1, ring=6, story=[9] * 7)
    assert len(game.position["spaces"]) == 6


def stacks_at_end() -> None:
    ended = random_game(nomads.Game, 3, quick=True, stacks_at_end=5)
    assert sum(bool(space["tiles"]) for space in ended.position["spaces"]) in (4, 5)
    assert len(ended.entries) < len(random_game(nomads.Game, 3, quick=True).entries)


def lying(game: Game) -> int:
    return sum(len(space["tiles"]) for space in game.position["spaces"])


def takes_nothing(game: Game, action: str) -> bool:
    after = game.copy()
    after.play(action)
    return lying(after) == lying(game)


def patience() -> None:
    """The game ends when so many turns in a row brought neither a tile nor a card, and not before.

    Its players sow where they take nothing, if they can.
    """
    for n, seed in product((1, 2, 3), (0, 1, 3)):
        game = nomads.Game(2, seed, quick=True, adventurers="deal", stacks_at_end=0, patience=n)
        chance, idle = Random(seed), 0
        while game.phase != "turn":
            game.play(chance.choice(game.legal))
        turn, tiles_before, wrote = game.state.turn, lying(game), False
        while game.phase != "last":
            legal = [str(action) for action in game.legal]
            sowing = (each for each in legal if each.startswith("sow"))
            action = chance.choice([a for a in sowing if takes_nothing(game, a)] or legal)
            wrote |= action.startswith(("write", "sing"))
            game.play(action)
            if game.phase == "last" or game.state.turn != turn:
                idle = 0 if wrote or lying(game) < tiles_before else idle + 1
                assert (game.phase == "last") == (idle == n)
                turn, tiles_before, wrote = game.state.turn, lying(game), False
        assert lying(game)


def taking_part() -> None:
    game = nomads.Game(2, 1, taking_part=["moon", "siana", "red"])
    assert {str(action) for action in game.legal} == {
        "adventurer moon",
        "adventurer siana",
        "adventurer red",
    }
    dealt = nomads.Game(3, 1, taking_part=["moon", "siana", "red"], adventurers="deal")
    assert {seat["adventurer"] for seat in dealt.position["seats"]} == {"moon", "siana", "red"}


def moon_moves() -> None:
    """Moon may move Lys as often in a turn."""
    for most in (0, 1, 2, 3):
        game = nomads.Game(2, 1, quick=True, first=0, adventurers=["moon", "red"], moon_moves=most)
        moved = 0
        while (steps := [a for a in game.legal if str(a).startswith("lys")]) and moved < 9:
            game.play(steps[0])
            moved += 1
        assert moved == most
        assert nomads.Game.from_position(game.position).position == game.position


def shared_moons(**options: Any) -> list[list[tuple[int, int]]]:
    """Return the points and moons of each seat, for every time that moons were shared out."""
    game = random_game(nomads.Game, 3, quick=True, **options)
    told = [(event["points"], event["won"]) for event in events(game, "moons")]
    assert told
    return [told[i : i + 3] for i in range(0, len(told), 3)]


def moons_to_score() -> None:
    """So many are shared out, or leave the game where a tie forbids it."""
    for n in (2, 6):
        for shared in shared_moons(moons_to_score=n, moons_for_first=2):
            leaders = [won for points, won in shared if points == max(shared)[0]]
            assert sum(leaders) == (2 if len(leaders) == 1 else n // len(leaders) * len(leaders))
            assert sum(won for _, won in shared) <= n


def moons_for_first() -> None:
    """The sole leader takes so many."""
    for n in (1, 4):
        alone = [
            max(shared)[1]
            for shared in shared_moons(moons_for_first=n)
            if [points for points, _ in shared].count(max(shared)[0]) == 1
        ]
        assert alone
        assert set(alone) == {n}


def discs() -> None:
    """Each Adventurer has so many discs, the sleepers too; more than can lie there are refused."""
    lying = Counter(
        disc
        for space in nomads.Game(3, 1, quick=True, discs=1).position["spaces"]
        for disc in space["discs"]
    )
    assert {lying[name] for name in ALL} == {1}
    for_each = nomads.Game(2, 1, quick=True, ring=4, story=[4] * 7, moons=0, discs=2)
    assert sum(len(space["discs"]) for space in for_each.position["spaces"]) == 15 - (
        "nostromo" not in {seat["adventurer"] for seat in for_each.position["seats"]}
    )
    with pytest.raises(Refusal, match="at most 19"):
        nomads.Game(3, 1, discs=3)


def frogs() -> None:
    """Nostromo places so many Frogs, and each is his."""
    for n in (0, 1, 2):
        game = nomads.Game(2, 1, first=0, adventurers=["nostromo", "red"], discs=1, frogs=n)
        placed = 0
        while game.phase == "frog":
            game.play(f"place frog {placed + 1}")
            assert nomads.Game.from_position(game.position).position == game.position
            placed += 1
        assert placed == n
        while game.phase != "turn":
            game.play(game.legal[0])
        starts = {data["space"] for data in described_now(game, "sow")}
        spaces = game.position["spaces"]
        assert starts == {
            k for k, space in enumerate(spaces, 1) if {"frog", "nostromo"} & set(space["discs"])
        }
        assert sum(space["discs"].count("frog") for space in spaces) == n


def described_now(game: Game, do: str) -> list[dict[str, Any]]:
    numbers = [n for n in game.legal_numbers() if game.spec.notation.text(n).startswith(do)]
    return [game.spec.notation.describe(game.state, n) for n in numbers]


def sown(adventurer: str, **options: Any) -> tuple[Game, list[dict[str, Any]]]:
    """Return a game of an Adventurer's first turn, and what they may sow."""
    game = nomads.Game(2, 4, quick=True, first=0, adventurers=[adventurer, "moon"], **options)
    assert game.seat == 0
    return game, described_now(game, "sow")


def drops(game: Game, action: dict[str, Any], power: str) -> list[int]:
    """Return how many discs fall on each space, in the order of the visits."""
    start, way = action["space"] - 1, 1 if action["direction"] == "left" else -1
    before = [len(space["discs"]) for space in game.position["spaces"]]
    copied = game.copy()
    copied.play(f"sow {action['space']} {action['direction']} {power} {action[power]}")
    after = Counter(
        event.values["space"] for event in copied.events[len(game.events) :] if event.name == "drop"
    )
    return [after[(start + way * k) % 8] for k in range(1, before[start] + 4)]


def ulrich_discs() -> None:
    """At one space of his choice he drops so many."""
    for n in (1, 2, 3):
        game, actions = sown("ulrich", ulrich_discs=n)
        doubled = [action for action in actions if "double" in action]
        assert bool(doubled) == (n > 1)
        for action in doubled:
            falls = drops(game, action, "double")
            assert falls[action["double"] - 1] == n
            assert set(falls) <= {0, 1, n}


def siana_skips() -> None:
    """So many spaces in a row get none."""
    for n in (0, 1, 2):
        game, actions = sown("siana", siana_skips=n)
        skipped = [action for action in actions if "skip" in action]
        assert bool(skipped) == (n > 0)
        for action in skipped:
            falls = drops(game, action, "skip")
            first_skipped = action["skip"] - 1
            assert falls[first_skipped : first_skipped + n] == [0] * n
            assert falls[first_skipped + n] in (0, 1)
            assert first_skipped == 0 or falls[0] == 1


def red_lifts() -> None:
    """Red may lift so often in a turn, and stop before."""
    for most in (0, 1, 2):
        lifted: list[int] = []
        for seed in range(12):
            game = nomads.Game(2, seed, quick=True, adventurers=["red", "ulrich"], red_lifts=most)
            turns = Random(seed)
            while not game.over and len(game.entries) < 60:
                times = 0
                while game.phase == "lift":
                    kept = nomads.Game.from_position(game.position)
                    assert kept.position == game.position
                    assert [str(a) for a in kept.legal] == [str(a) for a in game.legal]
                    game.play(next(a for a in game.legal if str(a) != "keep"))
                    times += 1
                lifted.append(times)
                game.play(turns.choice(game.legal_numbers()))
        assert max(lifted) == most


# ---------------------------------------------------------------- Oh Captain!


def captains_seat() -> None:
    for n in range(4):
        found = {captain.Game(4, seed, captain=n).position["captain"] for seed in range(8)}
        assert found == {n}


def cards() -> None:
    position = captain.Game(4, 1, cards={"egg": 4, "hook": 7, "pistol": 1}, laid=0).position
    counts = {kind: position["cave"].count(kind) for kind in ("egg", "hook", "pistol", "lizard")}
    assert counts == {"egg": 4, "hook": 7, "pistol": 1, "lizard": 0}


def bottom() -> None:
    """The Arrival lies among the last so many cards and itself."""
    for n in (0, 5):
        places = [
            len(cave) - 1 - cave.index("arrival")
            for seed in range(30)
            for cave in [captain.Game(4, seed, bottom=n).position["cave"]]
        ]
        assert max(places) == n


def laid() -> None:
    """So many cards of the Cave are never drawn."""
    lengths = [len(random_game(captain.Game, 4, laid=n).entries) for n in (0, 20)]
    assert lengths[0] > 2 * lengths[1]


def all_coins() -> None:
    position = captain.Game(4, 1, coins=20).position
    assert position["reserve"] + sum(seat["coins"] for seat in position["seats"]) == 20


def captain_coins() -> None:
    position = captain.Game(4, 1, captain=1, captain_coins=9).position
    assert [seat["coins"] for seat in position["seats"]] == [3, 9, 3, 3]


def explorer_coins() -> None:
    position = captain.Game(4, 1, captain=1, explorer_coins=1).position
    assert [seat["coins"] for seat in position["seats"]] == [1, 5, 1, 1]


def paid(event: str, price: str, **options: Any) -> list[int]:
    """Return the coins that the events of random games name, for a price of three."""
    found: list[int] = []
    for seed in range(8):
        game = random_game(captain.Game, 5, seed, captain_coins=9, **{price: 3}, **options)
        found += [each["coins"] for each in events(game, event) if "coins" in each]
        again = captain.Game.replay(json.loads(json.dumps(game.record())))
        assert again.states.tobytes() == game.states.tobytes()
        position = game.position
        assert position["reserve"] + sum(seat["coins"] for seat in position["seats"]) == 30
    assert found
    return found


def values() -> None:
    """A card is worth so much, whichever it is."""
    mine = {"egg": 5, "lantern 3": 1, "lantern 2": 0, "hook": 2, "lizard": -1, "pistol": 0}
    game = random_game(captain.Game, 4, values={**mine, "purse": 3}, majority=0)
    printed = random_game(captain.Game, 4)
    assert game.entries == printed.entries
    for seat, at in enumerate(game.position["seats"]):
        loot = Counter(at["up"]) + Counter(at["down"])
        points = sum(n * {**mine, "purse": 3}[card] for card, n in loot.items())
        assert game.scores[seat] == points + at["coins"]
        assert sum(row.points for row in game.score_sheet(seat)) == game.scores[seat]


def majority() -> None:
    game, printed = (random_game(captain.Game, 4, majority=n) for n in (9, 4))
    won = Counter(event["seat"] for event in events(game, "token") if event["seat"] is not None)
    assert won
    for seat in range(4):
        assert game.scores[seat] - printed.scores[seat] == 5 * won[seat]
        assert sum(row.points for row in game.score_sheet(seat)) == game.scores[seat]


def price() -> None:
    """The Captain pays so much, and can't buy with less."""
    assert set(paid("buy", "price")) == {3}
    poor = captain.Game(
        4, 1, captain=0, captain_coins=2, explorer_coins=1, price=3, adventurers="deal"
    )
    poor.play("announce hook")
    assert poor.phase != "choice"
    free = captain.Game(4, 1, captain=0, captain_coins=0, explorer_coins=0, price=0)
    while free.phase != "choice":
        free.play(free.legal[0])
    free.play("buy")
    assert [seat["coins"] for seat in free.position["seats"]] == [0, 0, 0, 0]


def allegiance() -> None:
    """The Captain is paid so much, or what is left."""
    coins = paid("allegiance", "allegiance")
    assert max(coins) == 3
    assert coins.count(3) > len(coins) / 2


def accusation() -> None:
    coins = paid("pay", "accusation", taking_part=["lys", "moon", "red", "siana", "nostromo"])
    assert max(coins) == 3
    assert min(coins) >= 1


def captains_taking_part() -> None:
    game = captain.Game(3, 1, taking_part=["siana", "ulrich", "red"])
    offered = {"adventurer siana", "adventurer ulrich", "adventurer red"}
    assert {str(action) for action in game.legal} == offered
    assert captain.Game.from_position(game.position).position == game.position
    dealt = captain.Game(3, 1, taking_part=["siana", "ulrich", "red"], adventurers="deal")
    assert {seat["adventurer"] for seat in dealt.position["seats"]} == {"siana", "ulrich", "red"}
    with pytest.raises(Refusal):
        captain.Game(4, 1, taking_part=["siana", "ulrich", "red"])


def moon_cards() -> None:
    """Moon turns so many down at the end of a turn, at most."""
    for most in (0, 1, 2):
        turned: list[int] = []
        for seed in range(10):
            game = random_game(captain.Game, 4, seed, adventurers="deal", moon_cards=most)
            rows = game.position["history"]
            turned += [len(row.get("turned", [])) for row in rows]
            assert captain.Game.from_position(game.position).position == game.position
        assert max(turned) == most


def red_coins() -> None:
    assert max(paid("rob", "red_coins", taking_part=["red", "lys", "moon", "siana", "ulrich"])) == 3
    none = [
        random_game(captain.Game, 4, seed, adventurers="deal", red_coins=0) for seed in range(8)
    ]
    assert not any(events(game, "rob") for game in none)


def ulrich_coins() -> None:
    """Ulrich is paid so much; the others as ever."""
    for seed in range(20):
        game = random_game(captain.Game, 5, seed, adventurers="deal", ulrich_coins=4)
        seats = [seat["adventurer"] for seat in game.position["seats"]]
        if "ulrich" not in seats:
            continue
        for event in events(game, "pay"):
            assert event["coins"] <= (4 if seats[event["to"]] == "ulrich" else 1)
        if any(event["coins"] == 4 for event in events(game, "pay")):
            return
    raise AssertionError("Ulrich won nothing")


# ---------------------------------------------------------------- Lumens


def board() -> None:
    """It has these squares, and these rooms are worth points."""
    large = ".....\n.bb..\n..a..\n...c.\n.....\n"
    for drawn, columns, rooms in (("...\n.a.\n...\n", "abc", "A"), (large, "abcde", "ABC")):
        squares: set[str] = set()
        for seed in range(6):
            game, chance = lumens.Game(2, seed, board=drawn), Random(seed)
            while not game.over:
                squares |= {str(action).partition(" ")[0] for action in game.legal}
                game.play(chance.choice(game.legal))
            assert {row.facts["room"] for row in game.score_sheet(0)} == set(rooms)
        assert squares == {f"{x}{y + 1}" for x in columns for y in range(len(columns))}


def tokens() -> None:
    game = random_game(lumens.Game, 2, tokens=[2, 1, 0])
    assert len(game.entries) == 6


def points() -> None:
    """A room is worth so much, to the first and to the second."""
    for first_points, second_points in ((1, 0), (7, 3)):
        game = random_game(lumens.Game, 3, points=[first_points, second_points])
        printed = random_game(lumens.Game, 3)
        assert game.entries == printed.entries
        for seat in range(3):
            rows = [row.points for row in game.score_sheet(seat) if row.points]
            assert set(rows) <= {first_points, second_points}
            worth = {4: first_points, 2: second_points, 0: 0}
            assert game.scores[seat] == sum(worth[row.points] for row in printed.score_sheet(seat))


def per_square() -> None:
    """With one token on a square nothing is covered."""
    for n, covered in ((1, False), (2, True)):
        game = random_game(lumens.Game, 3, per_square=n)
        heights = {len(tokens) for tokens in game.position["squares"].values()}
        assert heights == ({1, 2} if covered else {1})
        assert lumens.Game.from_position(game.position).position == game.position


HELD: dict[str, dict[str, Callable[[], None]]] = {
    "nomads": {
        "camp": camp,
        "first": first,
        "keeper": keeper,
        "coins": coins,
        "legends": legends,
        "songs": songs,
        "story": story,
        "wilds": wilds,
        "moons": moons,
        "ring": ring,
        "stacks_at_end": stacks_at_end,
        "patience": patience,
        "taking_part": taking_part,
        "moon_moves": moon_moves,
        "moons_to_score": moons_to_score,
        "moons_for_first": moons_for_first,
        "discs": discs,
        "frogs": frogs,
        "ulrich_discs": ulrich_discs,
        "siana_skips": siana_skips,
        "red_lifts": red_lifts,
    },
    "captain": {
        "captain": captains_seat,
        "cards": cards,
        "bottom": bottom,
        "laid": laid,
        "coins": all_coins,
        "captain_coins": captain_coins,
        "explorer_coins": explorer_coins,
        "values": values,
        "majority": majority,
        "price": price,
        "allegiance": allegiance,
        "accusation": accusation,
        "taking_part": captains_taking_part,
        "moon_cards": moon_cards,
        "red_coins": red_coins,
        "ulrich_coins": ulrich_coins,
    },
    "lumens": {"board": board, "tokens": tokens, "points": points, "per_square": per_square},
}
"""What holds each value, by game."""

VARIED: dict[str, dict[str, Any]] = {
    "nomads": {
        "camp": True,
        "first": 2,
        "keeper": 0,
        "coins": [1],
        "legends": {name: [1, 1, 2, 3] for name in TALES},
        "songs": {"cost": [1, 1, 1, 1], "points": [21, 22, 23, 24]},
        "story": [3, 14, 14, 14, 14, 14, 14],
        "wilds": 1,
        "moons": 5,
        "ring": 6,
        "stacks_at_end": 5,
        "patience": 2,
        "taking_part": ["moon", "siana", "red"],
        "moon_moves": 3,
        "moons_to_score": 6,
        "moons_for_first": 1,
        "discs": 1,
        "frogs": 2,
        "ulrich_discs": 3,
        "siana_skips": 2,
        "red_lifts": 2,
    },
    "captain": {
        "captain": 2,
        "cards": {"egg": 4, "hook": 7, "pistol": 1},
        "bottom": 5,
        "laid": 9,
        "coins": 20,
        "captain_coins": 9,
        "explorer_coins": 1,
        "values": {
            "egg": 5,
            "lantern 3": 1,
            "lantern 2": 0,
            "hook": 2,
            "lizard": -1,
            "pistol": 0,
            "purse": 3,
        },
        "majority": 9,
        "price": 3,
        "allegiance": 3,
        "accusation": 3,
        "taking_part": ["siana", "ulrich", "red"],
        "moon_cards": 1,
        "red_coins": 3,
        "ulrich_coins": 4,
    },
    "lumens": {
        "board": ".....\n.bb..\n..a..\n...c.\n.....\n",
        "tokens": [2, 1, 0],
        "points": [7, 3],
        "per_square": 1,
    },
}
"""For each value one that the printed game does not have."""
ROOM: dict[str, dict[str, Any]] = {"ring": {"story": [9] * 7}, "frogs": {"discs": 1}}
"""What has to be fewer, so that a state holds it."""


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game, held in HELD.items() for name in held]
)
def test_a_value_does_what_its_words_say(game: str, name: str) -> None:
    HELD[game][name]()


@pytest.mark.parametrize("spec", games().values(), ids=list(games()))
def test_every_value_of_a_designer_is_held(spec: GameSpec) -> None:
    """Options that the pages show are held by the tests of the game's set-up."""
    values = {option.name for option in spec.options.OPTIONS if not option.shown}
    assert values <= set(HELD[spec.name])


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game, held in HELD.items() for name in held]
)
def test_records_with_each_value_replay(game: str, name: str) -> None:
    kind = game_class(games()[game])
    variant = Variant(game, "mine", {name: VARIED[game][name], **ROOM.get(name, {})})
    players = 2 if game == "lumens" else 3
    played = random_game(kind, players, variant=variant, compiled=True)
    record = json.loads(json.dumps(played.record()))
    assert record["options"][name] == played.options[name] != printed_value(game, name)
    again = kind.replay(record)
    assert again.states.tobytes() == played.states.tobytes()
    assert again.record() == record


def printed_value(game: str, name: str) -> Any:
    return next(each.default for each in games()[game].options.OPTIONS if each.name == name)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (
            nomads.Game,
            {"moon_moves": 2, "moons_to_score": 3, "taking_part": ["moon", "red", "siana"]},
        ),
        (nomads.Game, {"discs": 1, "frogs": 2, "red_lifts": 2, "siana_skips": 2}),
        (captain.Game, {"cards": {"egg": 7, "hook": 7, "lizard": 7}, "captain_coins": 2}),
        (
            captain.Game,
            {"price": 2, "allegiance": 2, "accusation": 2, "moon_cards": 1, "six": True},
        ),
        (lumens.Game, {"points": [5, 3], "tokens": [4, 4, 4]}),
        (lumens.Game, {"per_square": 1}),
    ],
    ids=["nomads", "nomads powers", "captain", "captain prices", "lumens", "lumens flat"],
)
def test_a_game_of_a_variant_replays(kind: type[Game], values: dict[str, Any]) -> None:
    variant = Variant(kind.spec.name, "mine", values)
    game = random_game(kind, 3, variant=variant)
    record = json.loads(json.dumps(game.record()))
    again = kind.replay(record)
    assert again.states.tobytes() == game.states.tobytes()
    assert again.record() == record
    stepped = kind(3, game.seed, variant=variant)
    for entry in game.entries:
        # Reading a position checks all invariants of the state.
        kept = kind.from_position(json.loads(json.dumps(stepped.position)))
        assert kept.position == stepped.position
        assert kept.legal_numbers() == stepped.legal_numbers()
        stepped.play(entry)
    assert kind.from_position(game.position).position == game.position
