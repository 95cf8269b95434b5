"""Pages, made from templates: the same for everybody, in the reader's language."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import jinja2
from markupsafe import Markup

from veillee.engine.contract import Contract
from veillee.engine.library import games
from veillee.engine.memory import remembered
from veillee.engine.picture import stylesheet
from veillee.engine.words import LANGUAGES, Words
from veillee.pictures import icons
from veillee.web.bots import levels
from veillee.web.entries import PACES, PHRASES
from veillee.web.house import CARRIED, House, now
from veillee.web.people import SPEEDS, THEMES, Person, new_id
from veillee.web.table import Table

if TYPE_CHECKING:
    from veillee.web.looks import Look

HERE = Path(__file__).parent
ORDER = ("nomads", "captain", "lumens")
MARATHON = "marathon"
TONGUES = {"en": "English", "fr": "Français", "es": "Español"}


def titles(words: Words) -> dict[str, str]:
    return {name: words(f"{name}.title") for name in shelf()}


def shelf() -> list[str]:
    """The games, the ones we know best first."""
    known = games()
    return [n for n in ORDER if n in known] + [n for n in known if n not in ORDER]


def has_marathon() -> bool:
    return "captain" in games() and "nomads" in games()


def marathon_seats() -> list[int]:
    both = set(games()["captain"].seats) & set(games()["nomads"].seats)
    return sorted(both)


@cache
def icon(name: str) -> Markup:
    """A game's emblem."""
    if name == MARATHON:
        return Markup(icons.lumarathon())  # noqa: S704 - drawn by us
    drawing = getattr(games()[name], "picture", None)
    if drawing is not None:
        return Markup(drawing.icon())  # noqa: S704 - drawn by us
    letter = html.escape(name[0].upper())
    return Markup(  # noqa: S704 - made of an escaped letter
        f'<svg class="picture" viewBox="0 0 64 64" aria-hidden="true">'
        f'<circle cx="32" cy="32" r="30" fill="currentColor" opacity=".15"/>'
        f'<text x="32" y="42" text-anchor="middle" font-size="30">{letter}</text></svg>'
    )


MADE = {
    "picture.css": stylesheet,
    "fire.svg": icons.favicon,
    "fire-lit.svg": icons.favicon_turn,
}
"""Files of the page that are made here, besides those in `static`."""


@cache
def fingerprint() -> str:
    """Changes whenever a file of the page does, so that browsers may keep them for ever."""
    digest = hashlib.sha256()
    for file in sorted((HERE / "static").iterdir()):
        digest.update(file.read_bytes())
    for made in MADE.values():
        digest.update(made().encode())
    return digest.hexdigest()[:12]


class Pages:
    """`pages.render("home.html", ...)`, and the parts of a table page that change."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE / "pages"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        self._templates.globals.update(
            fingerprint=fingerprint(),
            languages=LANGUAGES,
            tongues=TONGUES,
            themes=THEMES,
            speeds=SPEEDS,
            phrases=PHRASES,
            paces=PACES,
            icon=icon,
            logo=Markup(icons.logo()),  # noqa: S704 - drawn by us
            now=now,
        )
        self._top = self._templates.get_template("part_top.html")
        self._panel = self._templates.get_template("part_panel.html")

    def render(self, template: str, person: Person, language: str, **facts: Any) -> str:
        words = Words(language)
        return self._templates.get_template(template).render(
            t=words,
            titles=titles(words),
            language=language,
            person=person,
            settings=person.settings,
            csrf=self.house.seal.mark("form", person.id),
            promise=self.promise,
            **facts,
        )

    def promise(self) -> dict[str, str]:
        """A table that is yet to be set: its ticket, and the commitment to its secret bits."""
        table_id = new_id()
        return {
            "id": table_id,
            "ticket": self.house.seal.seal("table", table_id),
            "commitment": self.house.seal.secret(table_id).commitment,
        }

    def _next(self, table: Table) -> tuple[str, str]:
        """The id of the table that may follow, and the commitment to its bits."""
        table_id = self.house.seal.next(table.id)
        return table_id, self.house.seal.secret(table_id).commitment

    def top(
        self, table: Table, look: Look, names: Sequence[str], facts: TopFacts, status: str = ""
    ) -> str:
        """Who sits there: the same for all who look in one way. Who is awaited is marked, and told
        besides; for what, is the status."""
        shown = self._top.render(
            t=look.words,
            table=table,
            names=names,
            gone=facts.gone,
            said=facts.said,
            clocks=facts.clocks,
        )
        return f'<div id="top">\n{shown}<p id="status">{html.escape(status)}</p>\n</div>'

    def top_facts(self, table: Table, gone: tuple[bool, ...]) -> TopFacts:
        """What the top tells, besides names."""
        seats = range(len(table.seats)) if table.talk else ()
        said = tuple(said_at(table, seat) for seat in seats)
        clocks = self.clocks(table)
        return TopFacts(table.arranged, gone, said, clocks, table.deciding if clocks else -1)

    def status(self, table: Table, words: Words, names: Sequence[str]) -> str:
        """What is awaited, and from whom."""
        game = table.game
        if game is None:
            return words("web.status.gathering", n=sum(s.free for s in table.seats))
        if table.state == "over":
            return words("web.status.over", n=len(game.winners), names=_listed(game.winners, names))
        if table.paused:
            return words("web.status.paused")
        return awaited(words.language, table.plan.game, game.phase, names[table.deciding])

    def clocks(self, table: Table) -> tuple[int | None, ...] | None:
        """What the clocks show, in seconds; the running one counts down in the browser."""
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

    def panel_facts(self, table: Table, person: str, gone: tuple[bool, ...]) -> PanelFacts | None:
        """What a person's panel tells; None for who has no seat."""
        mine = table.seats_of(person)
        if not mine:
            return None
        state = table.state
        may_undo = state == "playing" and not table.decided.isdisjoint(mine)
        return PanelFacts(table.arranged, state, table.asking, may_undo, gone)

    def panel(
        self, table: Table, look: Look, person: str, names: Sequence[str], facts: PanelFacts | None
    ) -> str:
        """A person's own buttons, besides the choices: undo, answers, votes, the host's."""
        if facts is None:
            return ""
        mine = table.seats_of(person)
        away = [
            number
            for number, seat in enumerate(table.seats)
            if facts.gone[number] and seat.person != person and not seat.stand_in
        ]
        return self._panel.render(
            t=look.words,
            table=table,
            names=names,
            csrf=self.house.seal.mark("form", person),
            mine=mine,
            host=table.plan.host == person,
            may_undo=facts.may_undo,
            stood_in=any(table.seats[seat].stand_in for seat in mine),
            asked=table.asking not in (None, *mine) and person not in table.agreed,
            gone=away if facts.state == "playing" else [],
            next=table.next,
            ready=person in table.ready,
            promised=self._next(table) if table.ended else ("", ""),
            carries=bool(table.plan.marathon) and table.plan.game == CARRIED,
        )


@remembered
def awaited(language: str, game: str, phase: str, name: str | None = None) -> str:
    """What is awaited, and from whom: from the reader, where there is no name."""
    words = Words(language)
    doing = words(f"{game}.phase.{phase}")
    if name is None:
        return words("web.status.yours", doing=doing)
    return words("web.status.awaited", name=name, doing=doing)


class TopFacts(NamedTuple):
    """While these are the same, and the names, so is the top."""

    arranged: int
    """Up to which entry that was no decision of the game's."""
    gone: tuple[bool, ...]
    said: tuple[tuple[int, str] | None, ...]
    """What was lately said at each seat; empty if nothing ever was."""
    clocks: tuple[int | None, ...] | None
    running: int
    """The seat whose clock runs."""


class PanelFacts(NamedTuple):
    """While these are the same, and the names, so is a person's panel."""

    arranged: int
    state: str
    asking: int | None
    may_undo: bool
    gone: tuple[bool, ...]


def said_at(table: Table, seat: int) -> tuple[int, str] | None:
    """What was lately said at a seat, and how many things were before it."""
    there = [said for said in table.talk if said.seat == seat]
    if there and there[-1].moment >= table.moment - len(table.seats):
        return len(there), there[-1].phrase
    return None


def _listed(seats: Sequence[int], names: Sequence[str]) -> str:
    return ", ".join(names[seat] for seat in seats)


def summary(contract: Contract, words: Words) -> list[str]:
    """The rules in a few paragraphs."""
    found: list[str] = []
    while (key := f"{contract.name}.summary.{len(found) + 1}") in words:
        found.append(words(key))
    return found


def level_names(words: Words) -> list[tuple[str, str, str]]:
    """The levels of bots, each with its name and how it plays."""
    return [
        (level, words(f"bots.level.{level}"), words(f"bots.level.{level}.help"))
        for level in levels()
    ]
