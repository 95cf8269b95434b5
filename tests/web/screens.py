"""Takes the pictures in `docs/screens`: `python -m tests.web.screens` (needs Chromium)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.web.conftest import FLAGS
from tests.web.served import Served
from tests.web.test_browser import play_to_the_end, set_table
from tools.browser import launch_options

HERE = Path(__file__).parents[2] / "docs" / "screens"
DESK: ViewportSize = {"width": 1366, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
TABLET: ViewportSize = {"width": 768, "height": 1024}
DECISIONS = {"nomads": 9, "captain": 6, "lumens": 9}
ENDS = (("nomads", 1), ("captain", 2), ("lumens", 1))
CLICK = """(decisions) => new Promise((done) => {
    let turn = 0;
    const click = () => {
        const commit = document.querySelector("#choices button.commit:enabled");
        const options = document.querySelectorAll("#choices .options button");
        if (commit && !decisions--) return done(null);
        (commit ?? options[(turn += 3) % options.length])?.click();
        setTimeout(click, 60);
    };
    click();
})"""


def play(page: Page, game: str, decisions: int) -> None:
    """Play a game up to a decision that is staged but not yet sent."""
    page.goto("/")
    page.locator(f".card:has(input[value={game}]) button.fire").click()
    page.wait_for_load_state("load")  # before the script, a click would send a form
    page.locator("#choices button").first.wait_for()
    page.evaluate(CLICK, decisions)
    page.wait_for_timeout(400)


def take(page: Page, name: str, ends: bool) -> None:
    def keep(what: str) -> None:
        page.screenshot(path=HERE / f"{what}-{name}.jpg", type="jpeg", quality=70)

    page.goto("/")
    keep("home")
    for game, decisions in DECISIONS.items():
        play(page, game, decisions)
        page.evaluate("scrollTo(0, 0)")
        keep(game)
    for game, bots in ENDS if ends else ():
        set_table(page, game, "me", *["bot"] * bots)
        play_to_the_end(page)
        page.evaluate("scrollTo(0, 0)")
        keep(f"{game}-end")


def main() -> None:
    HERE.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(f"{folder}/t.sqlite", "--no-limits", level="wanderer") as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options(FLAGS))
        for size, shape in ((DESK, "desk"), (PHONE, "phone"), (TABLET, "tablet")):
            for theme in ("dark", "light"):
                context = browser.new_context(
                    viewport=size,
                    color_scheme="dark" if theme == "dark" else "light",
                    base_url=served.address,
                    reduced_motion="reduce",
                    locale="en",
                )
                take(context.new_page(), f"{shape}-{theme}", ends=shape != "tablet")
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
