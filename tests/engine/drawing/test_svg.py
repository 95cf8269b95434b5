"""The few words of SVG that all pictures are written with."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies

from veillee.art import icons
from veillee.engine.drawing.svg import NO_BREAK, Canvas, Part, esc, fit, num, text


@given(strategies.text())
def test_any_text_comes_back_from_xml(shown: str) -> None:
    element = ET.fromstring(text(1, 2, shown, "t-b", 12))
    assert (element.text or "") == printable(shown)


@given(strategies.text())
def test_any_attribute_comes_back_from_xml(shown: str) -> None:
    element = ET.fromstring(f'<g id="{esc(shown)}"/>')
    assert element.get("id") == printable(shown)


def printable(shown: str) -> str:
    """What cannot be printed is a space; the no-break spaces of French stay."""
    return "".join(c if c.isprintable() or c in NO_BREAK else " " for c in shown)


def test_the_spaces_of_french_stay() -> None:
    assert esc("Vrai\u202f! «\u00a0oui\u00a0»") == "Vrai\u202f! «\u00a0oui\u00a0»"


@given(strategies.text(max_size=80), strategies.floats(20, 400))
def test_what_is_cut_is_a_beginning(shown: str, width: float) -> None:
    cut = fit(shown, width, 12)
    assert cut.endswith("…") or len(cut) <= len(shown)
    assert len(cut) <= width / 12 / 0.3 + 2


def test_numbers_are_short() -> None:
    assert [num(x) for x in (3.0, -0.04, 2.25, -1.5, 10 / 3)] == ["3", "0", "2.2", "-1.5", "3.3"]


def test_the_sites_emblems_are_sound() -> None:
    drawn = [icons.logo(), icons.lumarathon(), icons.favicon(), icons.favicon_turn()]
    for picture in drawn:
        assert ET.fromstring(picture).tag.endswith("svg")
        assert "style=" not in picture


def test_what_changed_in_a_drawing_that_failed_is_told_with_the_next() -> None:
    canvas = Canvas()
    for values, fails in (("abc", False), ("Abc", True), ("Abc", False)):
        canvas.renew()
        for value in values:
            canvas.add(str, value)
        if not fails:
            canvas.close()
    assert canvas.changes() == [(0, "A")]
    assert canvas.parts == ["A", "b", "c"]


def test_parts_that_a_board_has_no_more_are_dropped() -> None:
    canvas = Canvas()
    for values in ("abc", "ab"):
        canvas.renew()
        for value in values:
            canvas.add(str, value)
        canvas.close()
    assert canvas.parts == ["a", "b"]


def test_a_section_is_made_again_when_its_values_changed() -> None:
    canvas, made = Canvas(), []

    def section(*letters: str) -> list[Part]:
        made.append(letters)
        return [(str, letter) for letter in letters]

    changes = []
    for values in ([("a",), ("b", "c")], [("a",), ("b", "C")], [("A",), ("b", "C")]):
        canvas.draw([section, section], values)
        changes.append(canvas.changed)
    assert made == [("a",), ("b", "c"), ("b", "C"), ("A",)]
    assert changes == [[0, 1, 2, 3], [2], [0]]
    assert canvas.parts == ["A", "b", "C", "</svg>"]


def test_what_changed_is_told_after_a_section_that_failed() -> None:
    canvas = Canvas()

    def section(divisor: int) -> list[Part]:
        return [(str, 6 // divisor)]

    canvas.draw([section, section], [(1,), (1,)])
    with pytest.raises(ZeroDivisionError):
        canvas.draw([section, section], [(2,), (0,)])
    canvas.draw([section, section], [(2,), (3,)])
    assert canvas.changes() == [(0, "3"), (1, "2")]
