"""The web table as a person has it: in a real Chromium, on this machine.

`python -m benchmarks.browser` measures, for each game, from the click on "Play now" to the first
decision on the screen (what the browser may keep is kept), and from the click that sends a move
to the first frame that shows it. Then how large script and styles are as they are sent.
"""

from __future__ import annotations

import json
import statistics
from typing import Any

from benchmarks.web import served
from tools.browser import launch_options
from veillee.engine.registry import games

OPENED = 12
MOVES = 25
WAIT = 30_000
PACE = "300"
"""Milliseconds that a bot takes, so that the own move is seen alone."""
WATCHING = """
addEventListener("click", (event) => {
  window.clicked = performance.now();
  sessionStorage.clicked = performance.timeOrigin + window.clicked;
  if (!event.target.closest("#choices button.commit")) window.clicked = 0;
}, true);
window.moves = [];
const shown = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now())));
const look = () => {
  if (!document.querySelector("#choices button")) requestAnimationFrame(look);
  else shown((now) => (window.ready = performance.timeOrigin + now - sessionStorage.clicked));
};
document.addEventListener("DOMContentLoaded", () => {
  look();
  const board = document.getElementById("public");
  if (!board) return;
  new MutationObserver(() => {
    const since = window.clicked;
    window.clicked = 0;
    if (since) shown((now) => window.moves.push(now - since));
  }).observe(board, { subtree: true, childList: true, attributes: true });
});
"""
"""Notes in every page when the first decision is there, and when each own move is."""
CLICK = """() => {
  const options = document.querySelectorAll("#choices .options button");
  const button = document.querySelector("#choices button.commit")
    ?? options[Math.floor(Math.random() * options.length)];
  if (button && !button.disabled) button.click();
}"""
LOADED = """() => [...new Set(performance.getEntriesByType("resource")
  .map((one) => one.name).filter((name) => /\\.(js|css)$/.test(name)))]"""


def measured() -> dict[str, float]:
    """Return the figures."""
    from playwright.sync_api import sync_playwright

    opened: list[float] = []
    moves: list[float] = []
    with served("--pace", PACE) as (port, _), sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        chromium = playwright.chromium.launch(**launch_options(flags))
        context = chromium.new_context(
            base_url=f"http://127.0.0.1:{port}",
            locale="en",
            reduced_motion="reduce",
            viewport={"width": 1366, "height": 768},
        )
        context.set_default_timeout(WAIT)
        context.add_init_script(WATCHING)
        page = context.new_page()
        for game in games():
            play_now(page, game)  # fetches what is then kept
            opened += [play_now(page, game) for _ in range(OPENED)]
            moves += play(page)
        size = sum(
            int(page.request.get(name).headers["content-length"]) for name in page.evaluate(LOADED)
        )
        chromium.close()
    return {
        'from "Play now" to the first decision, p50 ms': _percentile(opened, 50),
        'from "Play now" to the first decision, p95 ms': _percentile(opened, 95),
        "own move shown, p50 ms": _percentile(moves, 50),
        "own move shown, p95 ms": _percentile(moves, 95),
        "script and styles, gzipped, kB": round(size / 1000, 1),
    }


def _percentile(values: list[float], percent: int) -> float:
    return round(statistics.quantiles(values, n=100)[percent - 1], 1)


def play_now(page: Any, game: str) -> float:
    """Milliseconds from the click to the first decision."""
    page.goto("/")
    page.locator(f'form:has(input[value="{game}"]) button[value=bots]').click()
    page.wait_for_url("**/t/*")
    while not (ready := page.evaluate("window.ready")):
        page.wait_for_timeout(20)
    return float(ready)


def play(page: Any) -> list[float]:
    """Milliseconds from the click to the picture, for each own move, to the end of the game."""
    from playwright.sync_api import Error

    found: list[float] = []
    for _ in range(100 * MOVES):
        try:
            if len(found) >= MOVES or page.locator(".play[data-state=over]").count():
                break
            page.evaluate(CLICK)
            page.wait_for_timeout(40)
            found = max(found, page.evaluate("window.moves"), key=len)
        except Error:  # the game is over, and the page loads anew
            continue
    return found


def main() -> None:
    print(json.dumps(measured(), indent=1))


if __name__ == "__main__":
    main()
