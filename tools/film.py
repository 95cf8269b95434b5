"""Record docs/screens/play.webp from the real server: `python -m tools.film` (needs Chromium).

Each game is played against bots for some decisions, with several frames a second, so that
the animations of the pieces are in it.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.web.conftest import FLAGS
from tests.web.served import Served
from tools.browser import launch_options

FILM = Path(__file__).parents[1] / "docs" / "screens" / "play.webp"
DECISIONS = {"nomads": 12, "captain": 5, "lumens": 9}
"""The games, and the decisions before the film starts: there is something on the board then."""
SIZE = (1200, 675)
SHOWN = (800, 450)
QUALITY = 60
"""WebP keeps the colours, in a third of the size of a GIF with 64 of them."""
FRAMES = 24
STEP = 4
"""Frames between two steps of the person."""
DURATION = 160
"""Milliseconds that a frame is shown."""
CHOOSE = """() => {
    const commit = document.querySelector("#choices button.commit:enabled");
    const options = document.querySelectorAll("#choices .options button");
    window.turn = (window.turn ?? 0) + 3;
    (commit ?? options[window.turn % options.length])?.click();
    return Boolean(commit);
}"""


def film(page: Page, game: str, decisions: int) -> list[Image.Image]:
    """Play a game against bots, and return the frames."""
    page.goto("/")
    page.locator(f".card:has(input[value={game}]) button.fire").click()
    page.wait_for_load_state("load")  # before the script, a click would send a form
    page.locator("#choices button").first.wait_for()
    while decisions:
        decisions -= bool(page.evaluate(CHOOSE))
        page.wait_for_timeout(100)
    frames = []
    for number in range(FRAMES):
        if number % STEP == 0:
            page.evaluate(CHOOSE)
        frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB").resize(SHOWN))
        page.wait_for_timeout(60)
    return frames


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(f"{folder}/t.sqlite", "--no-limits", level="wanderer") as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options(FLAGS))
        page = browser.new_page(
            viewport={"width": SIZE[0], "height": SIZE[1]},
            color_scheme="dark",
            base_url=served.address,
            locale="en",
        )
        frames = [frame for game, n in DECISIONS.items() for frame in film(page, game, n)]
        browser.close()
    frames[0].save(
        FILM, save_all=True, append_images=frames[1:], duration=DURATION, quality=QUALITY, loop=0
    )
    print(f"{FILM}: {len(frames)} frames, {FILM.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
