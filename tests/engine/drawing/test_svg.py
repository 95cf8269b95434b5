"""The few words of SVG that all pictures are written with."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, strategies

from veillee.art import icons
from veillee.engine.drawing.svg import NO_BREAK, Canvas, esc, fit, num, text


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


def test_a_section_is_drawn_when_its_key_changed_or_the_drawing_before_failed() -> None:
    canvas, drawn = Canvas(), []
    for key, fails in (("a", False), ("a", False), ("b", True), ("b", False)):
        canvas.renew()
        drawn.append(canvas.section(1, key))
        if not fails:
            if drawn[-1]:
                canvas.add(str, key)
            canvas.add(str, "rest")
            canvas.close()
        else:
            canvas.add(str, "something else")
    assert drawn == [True, False, True, True]
    assert canvas.parts == ["b", "rest"]


def test_of_a_row_only_the_parts_that_changed_are_added() -> None:
    canvas, single = Canvas(), Canvas()
    for values, expected in (("abc", [0, 1, 2]), ("aBC", [1, 2]), ("aBC", []), ("aBc", [2])):
        for each in (canvas, single):
            each.renew()
            each.add(str, "head")
        added = []
        for place in canvas.changed_in(values):
            canvas.add(str, values[place])
            added.append(place)
        for value in values:
            single.add(str, value)
        for each in (canvas, single):
            each.add(str, "end")
            each.close()
        assert added == expected
        assert canvas.changes() == single.changes()
        assert canvas.parts == single.parts == ["head", *values, "end"]


def test_a_row_is_added_again_if_the_drawing_before_failed() -> None:
    canvas = Canvas()
    for values, fails in (("ab", False), ("Ab", True), ("Ab", False)):
        canvas.renew()
        for place in canvas.changed_in(values):
            if fails:
                break
            canvas.add(str, values[place])
        canvas.add(str, "something else" if fails else "end")
        if not fails:
            canvas.close()
    assert canvas.parts == ["A", "b", "end"]
