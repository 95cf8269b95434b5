"""Takes the pictures of the README: `python -m docs.screens.take` (needs Chromium and Playwright)."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.web.conftest import FLAGS
from tests.web.served import Served

HERE = Path(__file__).parent
DESK = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}
SHOTS: tuple[tuple[str, dict[str, int], str], ...] = (
    ("desk-dark", DESK, "dark"),
    ("desk-light", DESK, "light"),
    ("phone-dark", PHONE, "dark"),
    ("phone-light", PHONE, "light"),
)
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
    page.locator("#choices button").first.wait_for()
    page.evaluate(CLICK, decisions)
    page.wait_for_timeout(400)


def main() -> None:
    path = shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, Served(f"{folder}/t.sqlite") as served:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            for name, size, theme in SHOTS:
                settings: dict[str, Any] = {"viewport": size, "color_scheme": theme}
                context = browser.new_context(
                    **settings, base_url=served.address, reduced_motion="reduce", locale="en"
                )
                page = context.new_page()

                def keep(what: str, page: Page = page, name: str = name) -> None:
                    page.screenshot(path=HERE / f"{what}-{name}.jpg", type="jpeg", quality=70)

                page.goto("/")
                keep("home")
                for game, decisions in (("nomads", 9), ("captain", 6), ("lumens", 9)):
                    play(page, game, decisions)
                    keep(game)
                context.close()
            browser.close()


if __name__ == "__main__":
    main()
