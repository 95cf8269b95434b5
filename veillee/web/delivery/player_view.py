"""The private part of a table for one person: their view and their legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from veillee.web.delivery.choices import Choices, choices
from veillee.web.delivery.fragments import awaited
from veillee.web.delivery.guide import guide
from veillee.web.delivery.rendering import Layout, Told, overlay, own_view
from veillee.web.tables.table import Table


class PlayerView(msgspec.Struct, omit_defaults=True):
    """The private part of a table, as it is sent."""

    seat: int = -1
    """The seat whose view it is; -1 for a spectator."""
    yours: bool = False
    """Whether it is this person's turn."""
    curtain: int = -1
    """The seat whose player is to come to the shared screen."""
    status: str = ""
    overlay: str | None = None
    """In a stream None means: as before. The same holds for the panel."""
    choices: Choices | None = None
    lines: list[Told] | None = None
    """The new log lines, where this seat knows more than a spectator."""
    panel: str | None = None
    guide: str | None = None
    """Remarks of a guided first game; None at other tables."""


def player_view(
    table: Table,
    layout: Layout,
    person: str,
    shows: int | None,
    names: Sequence[str],
    public: Any = None,
) -> PlayerView:
    """Return a person's view and legal actions; `public`, if at hand, is a spectator's view."""
    seats = table.seats_of(person)
    game = table.game
    if not seats or game is None:
        return PlayerView(overlay="")
    spec, words, deciding, seat = table.spec, layout.words, table.deciding, seats[0]
    hidden = spec.hidden
    if len(seats) > 1:
        seat = deciding if deciding in seats else seat
        secret = hidden and not game.over
        if secret and shows not in seats:
            status = words("web.curtain", name=names[seat])
            return PlayerView(overlay="", curtain=seat, status=status)
        if secret and shows is not None:
            if deciding in seats and shows != deciding:
                status = words("web.curtain", name=names[deciding])
                return PlayerView(overlay="", curtain=deciding, status=status)
            seat = shows
    found = PlayerView(seat, overlay="")
    if table.plan.guided:
        found.guide = guide(table, words, names, person)
    yours = deciding == seat and not table.seats[seat].bot and not table.paused
    if hidden:
        seen = own_view(spec).load(game, 1 << seat)
        found.overlay = overlay(spec, layout, seen, seat)
    elif yours:
        seen = public or own_view(spec).load(game, 1 << seat)
    if yours:
        found.yours = True
        found.status = awaited(words.language, table.plan.game, game.phase)
        found.choices = choices(spec, words, seen, game.legal_numbers(), names)
    return found
