"""Everything on a board that is not scenery has a name, which a tap shows."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from tests.engine.test_lesson import begin
from veillee.engine.drawing.picture import Shape
from veillee.engine.registry import games
from veillee.web.delivery import rendering
from veillee.web.delivery.rendering import Layout

SVG = "{http://www.w3.org/2000/svg}"
SCENERY = {"#nomads-fire"}


def unnamed(node: ET.Element, named: bool = True) -> set[str]:
    """The symbols that are used outside anything with a title."""
    if node.tag in (f"{SVG}defs", f"{SVG}symbol"):
        return set()
    if node.tag == f"{SVG}use":
        return set() if named else {str(node.get("href"))}
    found: set[str] = set()
    for child in node:
        found |= unnamed(child, named or child.find(f"{SVG}title") is not None)
    return found


@pytest.mark.parametrize("shape", ["wide", "square", "tall"])
@pytest.mark.parametrize("name", ["nomads", "captain"])
def test_every_icon_has_a_name(name: str, shape: Shape) -> None:
    spec, layout = games()[name], Layout("fr", shape)
    assert spec.lesson
    game = begin(spec)
    for move in spec.lesson.moves:
        game.play(move)
        seen = rendering.view_of(game, ())
        drawn = rendering.picture(spec, layout, seen, game.names)
        assert unnamed(ET.fromstring(drawn), named=False) <= SCENERY
