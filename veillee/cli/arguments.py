"""Shared by the commands: their help, completion, refusals as messages, options as `name=value`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal

F = TypeVar("F", bound=Callable[..., Any])


class App(typer.Typer):
    """A Typer app whose help shows the types of parameters as users of a shell know them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=_Group, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[F], F]:
        return super().command(name, cls=_Command, **settings)


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> Any:
        return _with_plain_types(super().get_params(ctx))


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> Any:
        return _with_plain_types(super().get_params(ctx))


def _with_plain_types(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if hasattr(parameter, "display_type_rich"):  # Typer 0.29 and later, which show <bool>
            parameter.display_type_rich = partial(_plain_type, parameter)
    return parameters


def _plain_type(parameter: Any, ctx: Any) -> str | None:
    """Return no type for a flag, which takes no value, and for a list the type of its items."""
    if getattr(parameter, "is_flag", False):
        return None
    shown: str = type(parameter).display_type_rich(parameter, ctx)
    return re.sub(r"^<list\[(.+)\]>", lambda found: f"<{found[1].lower()}>", shown)


def game_names() -> list[str]:
    """Return the names of the games, for completion."""
    from veillee.engine.registry import games

    return list(games())


def level_names() -> list[str]:
    """Return the names of the bots' levels, for completion."""
    from veillee.bots.levels import NAMES

    return list(NAMES)


class Refusals:
    """Context manager that turns a refusal into a message and exit code 2."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, Refusal):
            typer.echo(error.message(self.words), err=True)
            raise typer.Exit(2) from error


def a_language(value: str) -> str:
    """Refuse a language that there are no words in."""
    if value not in LANGUAGES:
        raise typer.BadParameter(f"{value}: {', '.join(LANGUAGES)}")
    return value


def read_options(given: list[str]) -> dict[str, Any]:
    """Return options from texts such as `quick=true`; a value that is no JSON is text."""
    found: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            raise Refusal("unreadable", "veillee.option.form", given=item[:80])
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
