"""The parts of a table page that change: header, status, and each person's panel."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from veillee.engine.i18n import Words
from veillee.web.clock import now
from veillee.web.delivery.rendering import Layout, words_in
from veillee.web.tables import series
from veillee.web.tables.seeds import SeedSource
from veillee.web.tables.table import Table
from veillee.web.templating import environment

BUBBLE = 8_000
"""Milliseconds for which a phrase is shown at a seat; then it is only in the log."""


class HeaderState(NamedTuple):
    """Everything the header depends on except names: while it is equal, so is the header."""

    last_other: int
    away: tuple[bool, ...]
    said: tuple[tuple[int, str] | None, ...]
    """The recent phrase of each seat; empty if nothing was ever said."""
    clocks: tuple[int | None, ...] | None
    running: int
    """The seat whose clock runs."""


class PanelState(NamedTuple):
    """Everything a person's panel depends on except names: while it is equal, so is the panel."""

    last_other: int
    state: str
    asking: int | None
    may_undo: bool
    away: tuple[bool, ...]


class Panel(NamedTuple):
    """Everything that the template of a panel reads."""

    language: str
    id: str
    """The table."""
    state: str
    stood_in: bool
    """Whether a bot plays for the person."""
    asker: str
    """The name of who asks this person to agree to an undo; "" for nobody."""
    asking: bool
    """Whether this person asks."""
    away: tuple[tuple[int, str], ...]
    """The seats, with their names, of the others who are away."""
    may_go_on: bool
    """Whether the game is paused, and this person may end that."""
    may_undo: bool
    next: str
    ready: bool
    promised: tuple[str, str]
    carries: bool


class Fragments:
    """Renders headers and panels."""

    def __init__(self, seeds: SeedSource) -> None:
        self._seeds = seeds
        self._header = environment().get_template("part_top.html")

    def header(
        self,
        table: Table,
        layout: Layout,
        names: Sequence[str],
        state: HeaderState,
        status: str = "",
    ) -> str:
        """The header with seats, names and clocks, shared by all viewers of one layout."""
        seats = self._header.render(
            t=layout.words,
            table=table,
            names=names,
            away=state.away,
            said=state.said,
            clocks=state.clocks,
        )
        return f'<div id="top">\n{seats}<p id="status">{html.escape(status)}</p>\n</div>'

    def panel(
        self,
        table: Table,
        layout: Layout,
        person: str,
        names: Sequence[str],
        state: PanelState | None,
    ) -> str:
        """A person's own buttons besides the choices: undo, answers, votes, the host's."""
        if state is None:
            return ""
        own, asking, playing = table.seats_of(person), table.asking, table.state == "playing"
        away = [
            (number, names[number])
            for number, seat in enumerate(table.seats)
            if state.away[number] and seat.person != person and not seat.stand_in
        ]
        asked = asking is not None and asking not in own and person not in table.agreed
        return _panel(
            Panel(
                layout.language,
                table.id,
                table.state,
                stood_in=playing and any(table.seats[seat].stand_in for seat in own),
                asker=names[asking] if asked and asking is not None else "",
                asking=asking in own,
                away=tuple(away) if playing else (),
                may_go_on=table.paused and table.plan.host == person,
                may_undo=state.may_undo,
                next=table.next,
                ready=person in table.ready,
                promised=self._next(table) if table.ended else ("", ""),
                carries=series.is_first(table),
            )
        )

    def _next(self, table: Table) -> tuple[str, str]:
        """The id of the table that may follow, and the commitment to its seed."""
        table_id = self._seeds.next_id(table.id)
        return table_id, self._seeds.seed(table_id).commitment


@lru_cache(256)
def _panel(shown: Panel) -> str:
    """Render a panel. It is mostly the same for all people at a table."""
    template = environment().get_template("part_panel.html")
    return template.render(t=words_in(shown.language), **shown._asdict())


def header_state(table: Table, away: tuple[bool, ...]) -> HeaderState:
    said = tuple(said_at(table, seat) for seat in range(len(table.seats))) if table.talk else ()
    clocks = clocks_at(table)
    return HeaderState(table.last_other, away, said, clocks, table.deciding if clocks else -1)


def panel_state(table: Table, person: str, away: tuple[bool, ...]) -> PanelState | None:
    """None for who has no seat."""
    own = table.seats_of(person)
    if not own:
        return None
    may_undo = table.state == "playing" and not table.decided.isdisjoint(own)
    return PanelState(table.last_other, table.state, table.asking, may_undo, away)


def status(table: Table, words: Words, names: Sequence[str]) -> str:
    """Return the status: the awaited decision, and whose it is."""
    game = table.game
    if game is None:
        return words("web.status.gathering", n=sum(seat.free for seat in table.seats))
    if table.state == "over":
        winners = words.listed([names[seat] for seat in game.winners])
        if table.part:
            title = words(f"{table.plan.game}.title")
            return words("web.marathon.won", n=len(game.winners), names=winners, game=title)
        return words("web.status.over", n=len(game.winners), names=winners)
    if table.paused:
        return words("web.status.paused")
    if table.bots_wake_up:
        return words("web.waking")
    return awaited(words.language, table.plan.game, game.phase, names[table.deciding])


@lru_cache(1024)
def awaited(language: str, game: str, phase: str, name: str | None = None) -> str:
    """Return the status in words; without a name it addresses the reader."""
    words = Words(language)
    key = f"{game}.phase.{phase}"
    if name is None:
        return words("web.status.yours", doing=words(key))
    other = f"{key}.other"
    return words(other if other in words else "web.status.awaited", name=name)


def clocks_at(table: Table) -> tuple[int | None, ...] | None:
    """Return the clocks in seconds; the running one counts down in the browser."""
    if table.plan.timing == "untimed" or table.game is None:
        return None
    deadline = table.deadline()
    found: list[int | None] = []
    for number, seat in enumerate(table.seats):
        if seat.level or (table.plan.timing == "days" and number != table.deciding):
            found.append(None)
        elif number == table.deciding and deadline is not None:
            found.append(max(0, (deadline - now()) // 1000))
        else:
            found.append(max(0, seat.left // 1000))
    return tuple(found)


def said_at(table: Table, seat: int) -> tuple[int, str] | None:
    """Return the number of a seat's phrases and the latest one; None if that is not recent."""
    there = [said for said in table.talk if said.seat == seat]
    if there and there[-1].at > now() - BUBBLE:
        return len(there), there[-1].phrase
    return None
