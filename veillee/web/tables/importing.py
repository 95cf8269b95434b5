"""Records of games that were played elsewhere, as tables to look back on."""

from __future__ import annotations

from typing import Any

from veillee.engine import replay
from veillee.engine.game import Game, game_class
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.web.clock import now
from veillee.web.database import Statement, queries
from veillee.web.people import new_id, tidy_name
from veillee.web.tables import log

MOST_ENTRIES = 2000


def replayed(record: Any) -> tuple[Game, list[log.Entry]]:
    """Return the game of a record, checked, and its entries as a table's log has them.

    Raises:
        Refusal: If it is no record, too long, or not what the rules allow.
    """
    if not isinstance(record, dict) or not isinstance(record.get("game"), str):
        raise Refusal("unreadable", "veillee.record", "veillee.record.format", format=replay.FORMAT)
    entries = record.get("entries")
    if isinstance(entries, list) and len(entries) > MOST_ENTRIES:
        raise Refusal("unreadable", "web.import.long", "web.import.long", most=MOST_ENTRIES)
    kind = game_class(spec_named(record["game"]))
    game = kind.replay(record)
    again = replay.begin(kind, record, compiled=False)
    told: list[log.Entry] = []
    for entry in record["entries"]:
        if entry in (replay.UNDO, replay.REDEAL):
            told.append(log.Undo(1, redeal=entry == replay.REDEAL))
            again.undo(redeal=entry == replay.REDEAL)
        else:
            told.append(log.Play(again.seat, entry))
            again.play(entry)
    return game, told


def opening(game: Game, host: str) -> tuple[list[log.Entry], list[Statement]]:
    """Return the entries before the first decision, and the statements that store the names."""
    names = [tidy_name(name) for name in game.names]
    keys = ["g" + new_id() for _ in names]
    opened = log.Open(
        game.spec.name,
        game.spec.version,
        host,
        [""] * game.players,
        game.options,
        variant=game.variant.label if game.variant else {},
        position=game.start,
        seed=game.seed.hex,
    )
    sits = [log.Sit(seat, "", "", guest=key) for seat, key in enumerate(keys)]
    guests = [
        queries.insert_guest(key, host, name or f"{seat + 1}", now())
        for seat, (key, name) in enumerate(zip(keys, names, strict=True))
    ]
    return [opened, *sits, log.Start()], guests
