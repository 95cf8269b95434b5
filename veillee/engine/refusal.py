"""Refusals: bad input that changes nothing, with the clause that forbids it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Self

from veillee.engine.i18n import Words


class Key(str):
    """A fact that is a key of the catalogues: messages show its translation."""

    __slots__ = ()


class Refusal(ValueError):
    """An input that was refused; nothing has changed.

    Args:
        code: For programs: "illegal", "unreadable", "impossible", "unknown", "over", "option".
        clause: The id of the rule that forbids it.
        text: The key of the message in the catalogues; by default the clause.
        facts: What fills the places of the message. A fact may be a `Key`, or the refusal that
            led to this one.
    """

    def __init__(self, code: str, clause: str, text: str | None = None, /, **facts: Any) -> None:
        self.code = code
        self.clause = clause
        self.text = text or clause
        self.facts = facts
        super().__init__(code, clause, text, facts)

    def __reduce__(self) -> tuple[Callable[[], Self], tuple[()]]:
        return partial(type(self), self.code, self.clause, self.text, **self.facts), ()

    def message(self, words: Words) -> str:
        """Return the refusal in a person's language, beginning with the clause."""
        return f"{self.clause}: {self.why(words)}"

    def why(self, words: Words) -> str:
        """Return the message without the clause."""
        return words(self.text, **{name: _said(words, fact) for name, fact in self.facts.items()})

    def as_json(self, words: Words) -> dict[str, Any]:
        """Return the refusal as the JSON protocols send it."""
        return {
            "ok": False,
            "code": self.code,
            "clause": self.clause,
            "message": self.message(words),
        }

    def __str__(self) -> str:
        return self.message(Words("en"))


def _said(words: Words, fact: Any) -> Any:
    if isinstance(fact, Key):
        return words(fact)
    return fact.why(words) if isinstance(fact, Refusal) else fact
