"""Pictures look the same in a browser and in programs that know little CSS."""

from __future__ import annotations

import io
from typing import get_args

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

from tools.browser import launch_options
from veillee.adapters.render import rasterised
from veillee.engine.drawing.picture import Theme
from veillee.engine.game import game_class
from veillee.engine.registry import games

FONTS_DIFFER = 6
"""Mean difference of brightness, of 255, that fonts and edges account for."""


@pytest.mark.parametrize("name", games())
def test_browser_and_resvg_draw_the_same(name: str) -> None:
    game = game_class(games()[name])(3, 1, names=["Ada", "Bo", "Cleo"])
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**launch_options())
        page = chromium.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
        for theme in get_args(Theme):
            svg = game.picture(seat=0, theme=theme)
            assert "var(" not in svg
            page.set_content(f"<style>body {{ margin: 0; background: #f4ecdc }}</style>{svg}")
            shot = page.locator("svg").first.screenshot()
            browser = np.asarray(Image.open(io.BytesIO(shot)).convert("L"), float)
            resvg = np.asarray(Image.fromarray(rasterised(svg)).convert("L"), float)
            assert browser.shape == resvg.shape
            assert abs(browser - resvg).mean() < FONTS_DIFFER, theme
        chromium.close()


def test_notebooks_show_the_light_picture() -> None:
    game = game_class(games()["nomads"])(3, 1)
    assert game._repr_svg_() == game.picture(theme="light") != game.picture(theme="dark")
