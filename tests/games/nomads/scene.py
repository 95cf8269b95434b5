"""Setting a scene of Nomads in a few words, and looking at what became of it.

    game = scene("ulrich siana", piles={1: "nomad ulrich"}, stacks={2: "whale moon"})
    game.play("sow 1 left")
    assert pile(game, 2) == "nomad nomad"

Piles and stacks are named bottom first. What a scene does not mention lies where it does no harm:
a Nomad on every other space, all other discs under the Nomad of the last of them, two Story tiles
in every other stack, the other tiles out of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

import veillee
from veillee.engine.events import Event
from veillee.engine.game import Game
from veillee.engine.jit.events import ALL
from veillee.engine.refusal import Refusal

LEGENDS = ("whale", "stag", "cedar", "comet", "storm", "ember", "shell")
TILES = (*LEGENDS, "wild", "moon")
ADVENTURERS = ("ulrich", "moon", "red", "siana", "nostromo")
DISCS = ("nomad", *ADVENTURERS, "frog")
PHASES = ("adventurer", "frog", "sleepers", "discs", "lys", "turn", "bonus", "lift", "last", "over")

Words = Mapping[str, str]
Spaces = Mapping[int, str]


def new(players: int, seed: int = 1, **options: Any) -> Game:
    """A game from its very beginning."""
    game: Game = veillee.nomads.Game(players=players, seed=seed, **options)
    return game


def scene(seats: str = "ulrich siana", **wanted: Any) -> Game:
    """A game that goes on from a scene; see `written`."""
    return load(written(seats, **wanted))


def load(position: Any) -> Game:
    game: Game = veillee.nomads.Game.from_position(position, seed=1)
    return game


def written(
    seats: str = "ulrich siana",
    *,
    piles: Spaces | None = None,
    stacks: Spaces | None = None,
    holds: Words | None = None,
    cards: Mapping[str, Mapping[str, Any]] | None = None,
    moons: Mapping[str, int] | None = None,
    lys: int = 8,
    **rest: Any,
) -> dict[str, Any]:
    """The position of a scene.

    `seats` are the Adventurers played, seat 0 first; `holds` the tiles in front of them, `cards`
    their cards by value ({"ulrich": {"whale": 3, "song": 5}}), `moons` the Moons they won. All
    else goes into the position as it is.
    """
    played = seats.split()
    ring = rest.get("options", {}).get("ring", 8)
    hands = {name: (holds or {}).get(name, "").split() for name in played}
    held = Counter(tile for hand in hands.values() for tile in hand)
    discs = _piles(ring, played, piles or {})
    tiles = _stacks(ring, held, stacks or {}, rest.get("options", {}))
    return {
        "game": "nomads",
        "spaces": [{"discs": discs[n], "tiles": tiles[n]} for n in range(1, ring + 1)],
        "lys": lys,
        "seats": [
            {
                "adventurer": name,
                "tiles": dict(Counter(hands[name])),
                "legends": {k: v for k, v in (cards or {}).get(name, {}).items() if k != "song"},
                "song": (cards or {}).get(name, {}).get("song"),
                "moons": (moons or {}).get(name, 0),
            }
            for name in played
        ],
        **rest,
    }


def _piles(ring: int, played: list[str], named: Spaces) -> dict[int, list[str]]:
    piles = {space: named.get(space, "").split() for space in range(1, ring + 1)}
    box = Counter({"nomad": ring} | dict.fromkeys(ADVENTURERS, 2))
    box["frog"] = 1 if "nostromo" in played else 0
    box.subtract(disc for pile in piles.values() for disc in pile)
    others = [space for space in piles if space not in named]
    if others:
        camp = piles[others[-1]]
        camp.extend(disc for disc in DISCS[1:] for _ in range(box[disc]))
        for space in reversed(others[: box["nomad"]] if camp == [] else others):
            if box["nomad"] > 0:
                piles[space].append("nomad")
                box["nomad"] -= 1
        camp.extend(["nomad"] * box["nomad"])
    return piles


def _stacks(
    ring: int, held: Counter[str], named: Spaces, options: Mapping[str, Any]
) -> dict[int, list[str]]:
    stacks = {space: named.get(space, "").split() for space in range(1, ring + 1)}
    left = Counter(dict(zip(LEGENDS, options.get("story", [14] * 7), strict=True)))
    left.subtract(held)
    left.subtract(tile for stack in stacks.values() for tile in stack)
    bag = [tile for tile in LEGENDS for _ in range(left[tile])]
    for space in stacks:
        if space not in named:
            stacks[space] = [bag.pop() for _ in range(min(2, len(bag)))]
    return stacks


# ---------------------------------------------------------------- looking


def pile(game: Game, space: int) -> str:
    """The discs on a space, bottom first."""
    return " ".join(game.position["spaces"][space - 1]["discs"])


def stack(game: Game, space: int) -> str:
    """The tiles on a space, bottom first."""
    return " ".join(game.position["spaces"][space - 1]["tiles"])


def hand(game: Game, seat: int) -> str:
    """The tiles in front of a seat, kind by kind."""
    return " ".join(k for k, n in game.position["seats"][seat]["tiles"].items() for _ in range(n))


def gone(game: Game) -> Counter[str]:
    """The tiles that have left the game."""
    return Counter(game.position["gone"])


def won(game: Game) -> list[int]:
    """The Moons that each seat won."""
    return [seat["moons"] for seat in game.position["seats"]]


def legal(game: Game, *verbs: str) -> list[str]:
    """What may be done, in notation; with `verbs`, only what begins with one of them."""
    found = [action.text for action in game.legal]
    return [text for text in found if not verbs or text.split()[0] in verbs]


def told(events: Iterable[Event], *names: str) -> list[str]:
    """Events in words: "take seat=0 space=2 tile=whale under=moon"; with `names`, only those."""
    lines = []
    for event in events:
        assert event.audience == ALL
        if not names or event.name in names:
            words = [f"{key}={_value(key, value)}" for key, value in event.values.items()]
            lines.append(" ".join([event.name, *words]))
    return lines


def _value(key: str, value: int | None) -> str:
    assert value is not None
    match key:
        case "space" | "card" | "song":
            return str(value + 1)
        case "disc":
            return DISCS[value]
        case "tile" | "legend":
            return TILES[value]
        case "under":
            return "nothing" if value == -1 else TILES[value]
        case "direction":
            return ("left", "right")[value]
        case "phase":
            return PHASES[value]
        case "paid":
            return "+".join(LEGENDS[n] for n in range(7) if value >> n & 1) or "nothing"
        case _:
            return str(value)


# ---------------------------------------------------------------- refusals


@contextmanager
def refused(clause: str, code: str, text: str | None = None) -> Iterator[SimpleNamespace]:
    """What happens inside is refused by this clause; its facts are filled in."""
    found = SimpleNamespace(facts={})
    with pytest.raises(Refusal) as caught:
        yield found
    assert caught.value.clause == clause
    assert caught.value.code == code
    if text is not None:
        assert caught.value.text == text
    found.facts.update(caught.value.facts)


def forbidden(game: Game, action: str, clause: str) -> None:
    """The action is refused by the clause, and nothing changes."""
    before, entries = game.states.tobytes(), list(game.entries)
    assert action not in legal(game)
    with refused(clause, "illegal"):
        game.play(action)
    assert game.states.tobytes() == before
    assert game.entries == entries
