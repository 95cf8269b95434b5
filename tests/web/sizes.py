"""The windows in which pages are looked at."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Page


class Screen(NamedTuple):
    """A window in CSS pixels, and what must hold of a table in it."""

    width: int
    height: int
    shape: str
    """The layout of the picture."""
    share: float
    """The least part of the window that the board covers."""
    text: float
    """The size of the smallest text on the board."""


SCREENS = {
    "320": Screen(320, 568, "tall", 0.8, 11),
    "390": Screen(390, 844, "tall", 0.64, 13),
    "768x1024": Screen(768, 1024, "square", 0.7, 12),
    "1024x768": Screen(1024, 768, "square", 0.6, 12),
    "1366x768": Screen(1366, 768, "wide", 0.64, 12),
    "1920x1080": Screen(1920, 1080, "wide", 0.7, 16),
    "zoom": Screen(683, 384, "square", 1, 11.5),
}
"""The last one is 1366x768 at 200 %."""

SMALLEST_TEXT = """() => Math.min(...[...document.querySelectorAll("#board svg text")]
    .filter((text) => text.textContent.trim() && text.getClientRects().length)
    .map((text) => {
        const { a, b } = text.getScreenCTM();
        return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize);
    }))"""
"""The size of the smallest text on the board, in pixels."""

WIDTHS = {"wide": 1280, "square": 900, "tall": 390}
"""Of the pictures, in their own units."""

DRAWN = """([shape, width]) => {
    const root = document.querySelector("#play[data-shape], #replay[data-shape]");
    const picture = document.querySelector("#public svg");
    return !root || !picture
        || root.dataset.shape === shape && picture.viewBox.baseVal.width === width;
}"""


def resize(page: Page, screen: Screen) -> None:
    """Change the window, and wait until the picture was drawn anew."""
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.wait_for_function(DRAWN, arg=[screen.shape, WIDTHS[screen.shape]])
