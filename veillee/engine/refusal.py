"""Saying no: what was tried, why it can't be (the clause), and so what can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veillee.engine.words import Words


class Refusal(ValueError):
    """An input that changes nothing.

    `code` is for programs: "illegal", "unreadable", "impossible", "unknown", "over", "option".
    `clause` is the rule that forbids it. The words come from `text`, a key of the catalogues; where
    there is none the clause's own text serves.
    """

    def __init__(self, code: str, clause: str, text: str | None = None, **facts: Any) -> None:
        self.code = code
        self.clause = clause
        self.text = text or clause
        self.facts = facts
        super().__init__(code, clause, text, facts)

    def message(self, words: Words) -> str:
        """The refusal in a person's language, beginning with the clause."""
        return f"{self.clause}: {words(self.text, **self.facts)}"

    def __str__(self) -> str:
        from veillee.engine.words import Words

        return self.message(Words("en"))
