"""Setting a scene of Oh Captain! in a few words, and looking at what became of it.

    game = scene("lys moon red", card="pistol", down={1: "purse", 2: "egg"})
    play(game, "announce pistol", "leave", "accept")
    assert down(game, 2) == ""

Seat 0 is the Captain, and seat 1 has drawn `card`, unless the scene says otherwise. Whoever is not
mentioned has what set-up gives: 5 coins or 3, and an Explorer a Purse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from veillee.engine.events import Event
from veillee.engine.jit.events import ALL
from veillee.engine.refusal import Refusal
from veillee.games.captain import SPEC, Game

KINDS = ("lantern 3", "lantern 2", "egg", "hook", "lizard", "pistol", "purse")
SHORT = {"lantern3": "lantern 3", "lantern2": "lantern 2"}


def cards(text: str) -> dict[str, int]:
    """ "egg egg lantern3" as counts."""
    return dict(Counter(SHORT.get(word, word) for word in text.split()))


def written(
    seats: str = "lys moon red",
    *,
    captain: int = 0,
    turn: int = 1,
    card: str | None = "hook",
    coins: Mapping[int, int] | None = None,
    up: Mapping[int, str] | None = None,
    down: Mapping[int, str] | None = None,
    discard: str = "",
    cave: str = "",
    now: Mapping[str, Any] | None = None,
    **rest: Any,
) -> dict[str, Any]:
    played = seats.split()
    purse = {seat: "" if seat == captain else "purse" for seat in range(len(played))}
    wallets = {seat: 5 if seat == captain else 3 for seat in range(len(played))} | dict(coins or {})
    loot = purse | dict(down or {})
    position: dict[str, Any] = {
        "seats": [
            {
                "adventurer": name,
                "coins": wallets[seat],
                "up": cards((up or {}).get(seat, "")),
                "down": cards(loot[seat]),
            }
            for seat, name in enumerate(played)
        ],
        "captain": captain,
        "turn": turn,
        "discard": cards(discard),
        "cave": [SHORT.get(word, word) for word in cave.split()],
        "now": ({"card": SHORT.get(card, card)} if card else {}) | dict(now or {}),
    }
    if "siana" in played or "ulrich" in played:
        position["options"] = {"six": True}
    return position | rest


def scene(seats: str = "lys moon red", seed: int = 1, **wanted: Any) -> Game:
    return Game.from_position(written(seats, **wanted), seed)


def rich(seats: str = "lys moon red", **wanted: Any) -> Game:
    """Seat 1 is richer than the Captain, and has not drawn."""
    wanted = {"coins": {1: 6}} | wanted
    return scene(seats, card=None, phase="rich", **wanted)


def play(game: Game, *actions: str) -> list[Event]:
    return [event for action in actions for event in game.play(action)]


# ---------------------------------------------------------------- looking


def coins(game: Game) -> list[int]:
    return [seat["coins"] for seat in game.position["seats"]]


def listed(found: Mapping[str, int] | None) -> str:
    assert found is not None
    return " ".join(kind.replace(" ", "") for kind in KINDS for _ in range(found.get(kind, 0)))


def up(game: Game, seat: int) -> str:
    return listed(game.position["seats"][seat]["up"])


def down(game: Game, seat: int) -> str:
    return listed(game.position["seats"][seat]["down"])


def discard(game: Game) -> str:
    return listed(game.position["discard"])


def legal(game: Game) -> list[str]:
    return [action.text for action in game.legal]


def asked(game: Game) -> tuple[int, str]:
    """Who must decide, and what."""
    return game.seat, game.phase


def told(events: Iterable[Event], seat: int | None = None) -> list[str]:
    """Events in words as a seat (or a spectator) is told them: "draw seat=1 card=hook"."""
    lines = []
    for event in events:
        data = SPEC.relate(event.seen_by(0 if seat is None else 1 << seat))
        name = data.pop("event")
        lines.append(" ".join([name, *(f"{key}={value}" for key, value in data.items())]))
    return lines


def audience(events: Iterable[Event], name: str) -> list[int]:
    """Who saw the events of a name in full; everybody is [-1]."""
    (found,) = [event.audience for event in events if event.name == name]
    return [ALL] if found == ALL else [seat for seat in range(6) if found >> seat & 1]


@contextmanager
def refused(clause: str, code: str = "illegal") -> Iterator[None]:
    with pytest.raises(Refusal) as caught:
        yield
    assert (caught.value.clause, caught.value.code) == (clause, code)
