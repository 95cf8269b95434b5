"""People: names as they are shown."""

from __future__ import annotations

from veillee.web.people import tidy_name


def test_names_are_tidied() -> None:
    assert tidy_name("  Zoë\u202e\n  Q ") == "Zoë Q"
    assert len(tidy_name("x" * 99)) == 24
