"""Lumens: the ids of tokens from picture to picture."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.engine.events import Event
from veillee.games.lumens.core.state import NO_TOKEN, State
from veillee.games.lumens.picture.lights import token_id

Ids = list[str]
"""The moves of the last step."""


def follow(ids: Ids | None, s: State, events: Sequence[Event]) -> Ids:
    """Return the moves of the tokens just placed, which come from the bags."""
    if ids and not events:
        return ids
    return [
        f"{token_id(event.values['square'] or 0, event.values['covered'] != NO_TOKEN)}"
        f":bag-{event.values['seat']}"
        for event in events
        if event.name == "place"
    ]
