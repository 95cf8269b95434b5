"""Game records (our PGN), read back: replayed from the seed, and held to what they claim."""

from __future__ import annotations

from typing import Any, TypeVar

from veillee.engine.game import FORMAT, REDEAL, UNDO, Game
from veillee.engine.refusal import Refusal

G = TypeVar("G", bound=Game)
LONGEST = 100_000


def replay(kind: type[G], record: Any, compiled: bool) -> G:
    """See `Game.replay`."""
    game = begin(kind, record, compiled)
    replay_entries(game, record)
    result = record.get("result")
    told = {"scores": game.scores, "places": game.places} if game.over else None
    if result is not None and result != told:
        raise Refusal("impossible", "veillee.record", "veillee.record.result")
    return game


def replay_entries(game: Any, record: Any) -> None:
    """Take every decision of a record; refused at the first that can't be."""
    for number, entry in enumerate(record["entries"]):
        try:
            if entry in (UNDO, REDEAL):
                game.undo(redeal=entry == REDEAL)
            elif isinstance(entry, str):
                game.play(entry)
            else:
                raise Refusal("unreadable", "veillee.record")
        except Refusal as refusal:
            raise Refusal(
                refusal.code,
                refusal.clause,
                "veillee.record.entry",
                entry=number,
                what=str(entry)[:80],
                why=refusal,
            ) from refusal


def begin(kind: type[G], record: Any, compiled: bool) -> G:
    """The game of a record before its first entry."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise Refusal("unreadable", "veillee.record", "veillee.record.format", format=FORMAT)
    contract = kind.contract
    if record.get("game") != contract.name or record.get("rules") != contract.version:
        raise Refusal(
            "unknown",
            "veillee.record",
            "veillee.record.rules",
            game=str(record.get("game"))[:40],
            rules=str(record.get("rules"))[:40],
        )
    seed, names, options = record.get("seed"), record.get("players"), record.get("options")
    entries = record.get("entries")
    if (
        not isinstance(seed, str)
        or not isinstance(names, list)
        or not all(isinstance(name, str) for name in names)
        or not isinstance(options, dict)
        or not all(isinstance(name, str) for name in options)
        or not isinstance(entries, list)
        or len(entries) > LONGEST
    ):
        raise Refusal("unreadable", "veillee.record", "veillee.record.parts")
    if record.get("start") is not None:
        game = kind.from_position(record["start"], seed, names=names, compiled=compiled)
    else:
        game = kind(len(names), seed, names=names, compiled=compiled, **options)
    if record.get("commitment", game.seed.commitment) != game.seed.commitment:
        raise Refusal("impossible", "veillee.record", "veillee.record.commitment")
    return game
