"""Griffe extension: show the interactive examples in docstrings as code.

Markdown takes `>>>` at the start of a line for a quotation.
"""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import griffe


class Doctests(griffe.Extension):
    """Put every example of a docstring into a fenced code block."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return the text with each paragraph that begins with `>>>` as a code block."""
    return "\n\n".join(
        f"```pycon\n{dedent(paragraph).strip()}\n```"
        if paragraph.lstrip().startswith(">>> ")
        else paragraph
        for paragraph in text.split("\n\n")
    )
