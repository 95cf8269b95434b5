"""Saying no: what was tried, why it can't be (the clause), and so what can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veillee.engine.words import Words


class Key(str):
    """A fact that is a key of the catalogues: a message says its words instead."""

    __slots__ = ()


class Refusal(ValueError):
    """An input that changes nothing.

    `code` is for programs: "illegal", "unreadable", "impossible", "unknown", "over", "option".
    `clause` is the rule that forbids it. The words come from `text`, a key of the catalogues; where
    there is none the clause's own text serves. `facts` fill its places; a fact may be a `Key`, or
    the refusal that led to this one.
    """

    def __init__(self, code: str, clause: str, text: str | None = None, /, **facts: Any) -> None:
        self.code = code
        self.clause = clause
        self.text = text or clause
        self.facts = facts
        super().__init__(code, clause, text, facts)

    def message(self, words: Words) -> str:
        """The refusal in a person's language, beginning with the clause."""
        return f"{self.clause}: {self.why(words)}"

    def why(self, words: Words) -> str:
        """The message without the clause."""
        return words(self.text, **{name: _said(words, fact) for name, fact in self.facts.items()})

    def __str__(self) -> str:
        from veillee.engine.words import Words

        return self.message(Words("en"))


def _said(words: Words, fact: Any) -> Any:
    if isinstance(fact, Key):
        return words(fact)
    return fact.why(words) if isinstance(fact, Refusal) else fact
