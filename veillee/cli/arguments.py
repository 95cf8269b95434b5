"""Shared by the commands: refusals as messages, options as `name=value`."""

from __future__ import annotations

import json
from typing import Any

import typer

from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal


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
