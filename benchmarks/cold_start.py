"""From nothing to a bot's first move, as a newcomer has it.

`python -m benchmarks.cold_start SCREENS` builds the wheel, installs `veillee[web]` into a new
environment and starts `veillee serve` on an empty cache. In a real Chromium "Play now" is clicked
at once, and the person plays on until a bot has moved. Screenshots of what they see meanwhile are
written to the folder SCREENS.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.browser import CLICK
from tests.packaging.installed import Environment, build
from tools.browser import launch_options

GAMES = ("nomads", "captain", "lumens")
LONGEST = 300.0
"""Seconds after which the bots count as asleep for ever."""


class Clock:
    """Prints what happened, and how many seconds after the start."""

    def __init__(self) -> None:
        self.start = time.perf_counter()

    def seconds(self) -> float:
        return time.perf_counter() - self.start

    def tell(self, what: str) -> None:
        print(f"{self.seconds():7.1f} s  {what}", flush=True)


def measure(screens: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        wheel = next(build(Path(folder) / "dist").glob("*.whl"))
        clock = Clock()
        environment = Environment.create(Path(folder) / "env", sys.executable, f"{wheel}[web]")
        clock.tell("installed")
        serve(environment, screens)


def serve(environment: Environment, screens: Path) -> None:
    clock = Clock()
    server = subprocess.Popen(
        [environment.python, "-m", "veillee", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=environment.folder / "home",
        env=environment.variables,
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found, "the server did not start"
        clock.tell("veillee serve answers")
        for game in GAMES:
            play(found[0], game, clock, screens)
    finally:
        server.terminate()
        server.wait()


def play(address: str, game: str, clock: Clock, screens: Path) -> None:
    """Play until a bot has moved."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(address)
        page.locator(f".card:has(input[value={game}]) button.fire").first.click()
        page.locator("#choices button").first.wait_for()
        clock.tell(f"{game}: the first decision is asked")
        page.screenshot(path=screens / f"cold-{game}-first.png")
        seen = 0
        while clock.seconds() < LONGEST:
            page.evaluate(CLICK)
            page.wait_for_timeout(250)
            status = page.locator("#status").inner_text()
            if not page.locator("#choices button").count() and not seen:
                seen = 1
                clock.tell(f"{game}: a bot is to move: “{status}”")
                page.screenshot(path=screens / f"cold-{game}-waiting.png")
            elif seen and page.locator("#choices button").count():
                clock.tell(f"{game}: the bots have moved")
                page.screenshot(path=screens / f"cold-{game}-moved.png")
                break
        browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    measure(target)
