"""Text and marks can be read in both themes: WCAG's ratios, 4.5 for text and 3 for shapes."""

from __future__ import annotations

import re

import pytest

from veillee.art.adventurers import EMBLEMS
from veillee.engine.drawing.picture import stylesheet
from veillee.games.captain.picture.symbols import INKS
from veillee.games.lumens.picture.symbols import LIGHTS
from veillee.games.nomads.picture.symbols import PALE_RIMS, TILE_INKS

DARK_INK, PALE_INK, PAPER = "#20140a", "#fff6e6", "#fdf4e0"


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def themes() -> list[dict[str, str]]:
    """The light theme, the dark one as chosen, and the dark one as the system asks."""
    blocks = re.findall(r":root[^{]*\{([^}]*)\}", stylesheet())
    return [dict(re.findall(r"--pic-([\w-]+): (#\w{6})", block)) for block in blocks]


def test_both_dark_themes_are_one() -> None:
    light, asked, chosen = themes()
    assert asked == chosen != light
    assert set(light) == set(chosen)


@pytest.mark.parametrize("theme", themes())
@pytest.mark.parametrize("ground", ["panel", "panel-on", "slot"])
@pytest.mark.parametrize("ink", ["ink", "soft", "fire"])
def test_text_on_panels(theme: dict[str, str], ground: str, ink: str) -> None:
    assert contrast(theme[ink], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", themes())
def test_text_on_the_ground(theme: dict[str, str]) -> None:
    for ground in ("sky", "sky-far", "ground", "ground-far", "room", "hall"):
        assert contrast(theme["soft"], theme[ground]) >= 4.5, ground
        assert contrast(theme["legal"], theme[ground]) >= 2.4, ground


@pytest.mark.parametrize("name", TILE_INKS)
def test_glyphs_on_tiles(name: str) -> None:
    ground, _, ink = TILE_INKS[name]
    assert contrast(ground, ink) >= 4.5


@pytest.mark.parametrize("name", INKS)
def test_glyphs_on_cards(name: str) -> None:
    ground, _, ink = INKS[name]
    assert contrast(ground, ink) >= 3


@pytest.mark.parametrize("name", EMBLEMS)
def test_emblems(name: str) -> None:
    emblem = EMBLEMS[name]
    assert contrast(emblem.face, emblem.ink) >= 3
    letter = DARK_INK if name in PALE_RIMS else PALE_INK
    assert contrast(emblem.rim, letter) >= 4.5


def test_numbers_on_lights_and_cards() -> None:
    assert contrast(PAPER, DARK_INK) >= 7
    for light, _ in LIGHTS:
        assert contrast(light, DARK_INK) >= 4.5
