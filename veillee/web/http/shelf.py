"""The games on the home page, and the Lumarathon of two of them."""

from __future__ import annotations

from typing import Any

from veillee import lumarathon
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.variant import Variant, variant_in
from veillee.web.tables.table import Table
from veillee.web.templating import MARATHON


def has_marathon() -> bool:
    return lumarathon.FIRST in games() and lumarathon.SECOND in games()


def choice_of(table: Table) -> str:
    """Return the game, or the Lumarathon, that was chosen for a table."""
    return MARATHON if table.part else table.plan.game


def game_of(choice: str) -> GameSpec:
    """The game that is played first if somebody chooses a game, or the Lumarathon."""
    name = lumarathon.FIRST if choice == MARATHON else choice
    if name not in games() or (choice == MARATHON and not has_marathon()):
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    return games()[name]


def chosen_variant(choice: str, text: str) -> Variant | None:
    """The variant of a choice that a link, a form or a program carries; None for the printed game.

    Raises:
        Refusal: If it can't be read, or is another game's.
    """
    if not text:
        return None
    variant = variant_in(text)
    variant.options(choice, {})
    return variant


def seat_counts(choice: str) -> list[int]:
    return list(lumarathon.SEATS if choice == MARATHON else game_of(choice).player_counts)


def title_of(choice: str, words: Words) -> str:
    return words("web.marathon") if choice == MARATHON else words(f"{choice}.title")


def parts_of_marathon(words: Words) -> str:
    """Both games of the Lumarathon in words."""
    first, second = (words(f"{name}.title") for name in (lumarathon.FIRST, lumarathon.SECOND))
    return words("web.marathon.games", first=first, second=second)


def facts(choice: str) -> dict[str, Any]:
    """Return the numbers of players and the duration of a game."""
    seats = seat_counts(choice)
    both = (lumarathon.FIRST, lumarathon.SECOND)
    names = both if choice == MARATHON else (choice,)
    return {
        "rules": choice,
        "fewest": min(seats),
        "most": max(seats),
        "minutes": sum(games()[name].minutes for name in names),
    }
