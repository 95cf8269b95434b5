"""The templates, and what all of them may use."""

from __future__ import annotations

import hashlib
import html
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import jinja2
from babel.dates import format_date
from markupsafe import Markup

from veillee.art import icons
from veillee.art.faces import face
from veillee.bots.characters import RANDOM, split
from veillee.engine.drawing.picture import stylesheet
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games
from veillee.web.clock import now
from veillee.web.people import SPEEDS, THEMES
from veillee.web.tables.log import PACES, PHRASES

HERE = Path(__file__).parent
STATIC = HERE / "static"
MARATHON = "marathon"
LANGUAGE_NAMES = {"en": "English", "fr": "Français", "es": "Español"}
GENERATED = {
    "picture.css": stylesheet,
    "fire.svg": icons.favicon,
    "fire-lit.svg": icons.favicon_turn,
}
"""Static files that are made here, besides those in `static`."""


@cache
def icon(name: str) -> Markup:
    """A game's emblem."""
    if name == MARATHON:
        return Markup(icons.lumarathon())  # noqa: S704 - drawn by us
    picture = games()[name].picture
    if picture is not None:
        return Markup(picture.icon())  # noqa: S704 - drawn by us
    letter = html.escape(name[0].upper())
    return Markup(  # noqa: S704 - made of an escaped letter
        f'<svg class="picture" viewBox="0 0 64 64" aria-hidden="true">'
        f'<circle cx="32" cy="32" r="30" fill="currentColor" opacity=".15"/>'
        f'<text x="32" y="42" text-anchor="middle" font-size="30">{letter}</text></svg>'
    )


@cache
def fingerprint() -> str:
    """Changes whenever a static file does, so that browsers may cache them for ever."""
    digest = hashlib.sha256()
    for file in sorted(STATIC.iterdir()):
        digest.update(file.read_bytes())
    for make in GENERATED.values():
        digest.update(make().encode())
    return digest.hexdigest()[:12]


def drawn_face(character: str) -> Markup:
    """A character's face."""
    return Markup(face(character))  # noqa: S704 - drawn by us


def face_of(bot: str) -> Markup:
    """The face of a bot's character; empty if it has none."""
    return drawn_face(split(bot)[0])


def bot_tag(words: Words, name: str) -> str:
    """Say that a seat is a bot's, and how strong it is: `bot · Storyteller`, `bot · 1450`."""
    level = split(name)[1]
    if level == RANDOM:
        return words("web.bot")
    said = level if level.isdigit() else words(f"bots.level.{level}")
    return words("web.bot.level", level=said)


def date(milliseconds: int, language: str) -> str:
    """The day of a moment, as it is written in a language."""
    return format_date(datetime.fromtimestamp(milliseconds / 1000, UTC), "long", locale=language)


@cache
def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.globals.update(
        fingerprint=fingerprint(),
        languages=LANGUAGES,
        language_names=LANGUAGE_NAMES,
        themes=THEMES,
        speeds=SPEEDS,
        phrases=PHRASES,
        paces=PACES,
        icon=icon,
        bot_tag=bot_tag,
        face=drawn_face,
        face_of=face_of,
        logo=Markup(icons.logo()),  # noqa: S704 - drawn by us
        now=now,
        date=date,
    )
    return made
