"""Game records (our PGN): replayed from the seed and checked against what they claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from veillee.engine.refusal import Refusal
from veillee.engine.variant import labelled

if TYPE_CHECKING:
    from veillee.engine.game import Game

G = TypeVar("G", bound="Game")

FORMAT = "veillee.record/1"
UNDO = "undo"
REDEAL = "undo redeal"
LONGEST = 100_000
"""The most entries that a record may have."""


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
    """Take every decision of a record in a game, or refuse the first that is not legal."""
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
    """Return the game of a record before its first entry, with the rules version it names."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise Refusal("unreadable", "veillee.record", "veillee.record.format", format=FORMAT)
    if record.get("game") != kind.spec.name:
        raise Refusal(
            "unknown",
            "veillee.record",
            "veillee.record.rules",
            game=str(record.get("game"))[:40],
            rules=str(record.get("rules"))[:40],
        )
    kind = kind.of_version(record.get("rules"))
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
        # Refuses options that are none, which might be named like other arguments.
        kind.spec.template(len(names), options)
        game = kind(len(names), seed, names=names, compiled=compiled, **options)
    if "variant" in record:
        game.variant = labelled(kind.spec.name, record["variant"], game.options)
    if record.get("commitment", game.seed.commitment) != game.seed.commitment:
        raise Refusal("impossible", "veillee.record", "veillee.record.commitment")
    return game
