"""Counting the points of a printed game: the page's script against the rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import NewPage
from veillee.engine.game import Game, game_class
from veillee.engine.i18n import Words
from veillee.engine.registry import games
from veillee.engine.scoring import Scoring
from veillee.games.nomads.core.rules import score_moons
from veillee.web.http.scoring import description

SCORED = sorted(name for name, spec in games().items() if spec.scoring is not None)
POSITIONS = 2000
CHECK = """async ([cases, scorings]) => {
    const module = document.querySelector("script[src*='scoring.js']").src;
    const { evaluate } = await import(module);
    return cases.map(([entered, players]) => evaluate(scorings[players], entered, players));
}"""


def entered(game: Any, scoring: Scoring, sheets: list[Any]) -> dict[str, Any]:
    """What a person would enter: the numbers of the score sheets, and who holds what."""
    counts = {count.key: [sheet[i].n for sheet in sheets] for i, count in enumerate(scoring.counts)}
    holders = {}
    for holder in scoring.holders:
        if holder.key in game.spec.roles:
            number = list(game.spec.roles).index(holder.key) + 1
            owners = [s for s in range(game.players) if game.state.adventurer[s] == number]
            holders[holder.key] = owners[0] if owners else -1
        else:
            holders[holder.key] = int(getattr(game.state, holder.key))
    return {"counts": counts, "holders": holders}


def award_now(game: Game) -> list[int]:
    """What the rules would award if the game came to an intermediate scoring now."""
    assert game.spec.scoring is not None
    if game.spec.scoring(game.state).award is None:
        return []
    s = game.spec.twin(game.states.copy())
    before = s.moons.tolist()
    s.chart = s.moons_to_score
    score_moons(s, None)
    return [now - then for now, then in zip(s.moons.tolist(), before, strict=True)][: s.players]


@pytest.mark.parametrize("name", SCORED)
def test_the_script_agrees_with_the_rules(new_page: NewPage, name: str) -> None:
    """Thousands of positions of random games: every row, sum, place and intermediate award."""
    spec, chance = games()[name], Random(5)
    cases: list[Any] = []
    expected: list[Any] = []
    while len(cases) < POSITIONS:
        players = chance.choice(list(spec.player_counts))
        game = game_class(spec)(players, chance.getrandbits(40))
        assert spec.scoring is not None
        scoring = spec.scoring(game.state)
        while not game.over:
            game.play(int(chance.choice(game.legal)))
            if game.over or chance.random() < 0.5:
                sheets = [game.score_sheet(seat) for seat in range(players)]
                cases.append((entered(game, scoring, sheets), players))
                rows = [[{"n": row.n, "points": row.points} for row in s] for s in sheets]
                expected.append((rows, game.scores, game.places, award_now(game)))
    page = new_page()
    page.goto(f"/score/{name}")
    answers = page.evaluate(CHECK, [cases, description(spec, Words("en"))])
    found = [tuple(each[key] for key in ("rows", "totals", "places", "award")) for each in answers]
    assert found == expected


def press(page: Page, *ids: str) -> None:
    for each in ids:
        page.locator(f"[id='{each}']").click()


def results(page: Page, row: str) -> list[str]:
    cells = page.locator(".sheet tr", has=page.get_by_role("rowheader", name=row, exact=True))
    return cells.locator("td").all_inner_texts()


def test_nomads_moons_score_the_worked_example(new_page: NewPage) -> None:
    """Cards 3 and 4 with 2 tiles: 5. A 4 with 2 tiles: 2. 7 tiles: -7. 3 Moons and 1."""
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.goto("/score/nomads")
    press(page, "players-3", "whale-3", "stag-4", *["left-more"] * 2)
    press(page, "seat-1", "cedar-4", *["left-more"] * 2)
    press(page, "seat-2", *["left-more"] * 7)
    assert results(page, "Total") == ["5", "2", "−7"]
    assert results(page, "Intermediate scoring now") == ["+3", "+1", "–"]
    page.reload()
    assert results(page, "Total") == ["5", "2", "−7"]
    press(page, "seat-1", "whale-3")
    assert results(page, "Total") == ["5", "5", "−7"]
    assert results(page, "Intermediate scoring now") == ["+2", "+2", "–"]
    press(page, "moons-more")
    assert results(page, "Place") == ["2", "1", "3"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


ROOMS = [
    ((10, 9, 4), ["4", "2", "0"]),
    ((12, 5, 4), ["4", "2", "0"]),
    ((10, 10, 6), ["4", "4", "0"]),
    ((9, 4, 4), ["4", "2", "2"]),
]


@pytest.mark.parametrize(("pips", "points"), ROOMS)
def test_lumens_end_points_the_worked_examples(
    new_page: NewPage, pips: tuple[int, ...], points: list[str]
) -> None:
    """Tokens are tapped onto one room until each player has these pips."""
    page = new_page()
    page.goto("/score/lumens")
    press(page, "players-3")
    squares = [(0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3), (0, 4), (1, 4)]
    for seat, wanted in enumerate(pips):
        press(page, f"seat-{seat}")
        while wanted:
            face, (x, y) = min(wanted, 6), squares.pop()
            press(page, f"face-{face}", f"at-{x}-{y}")
            wanted -= face
    assert results(page, "Total") == points


def test_lumens_end_win_in_the_central_room(new_page: NewPage) -> None:
    """Equal points: the one who is in the central room wins."""
    page = new_page()
    page.goto("/score/lumens")
    press(page, "players-3", "seat-0", "face-3", "at-0-2", "seat-1", "face-5", "at-7-7")
    assert results(page, "Total") == ["4", "4", "0"]
    assert results(page, "Place") == ["2", "1", "3"]
    press(page, "at-7-7")
    assert results(page, "Total") == ["4", "0", "0"]


FIRSTS = {"Max": "KABC", "Sarah": "DEF", "Timo": "GH", "Pia": "IJ"}
SECONDS = {"Max": "DE", "Sarah": "ABGI", "Timo": "KFJ", "Pia": "CH"}
"""In which rooms each has the most pips and the second most."""


def test_lumens_end_win_the_worked_example(new_page: NewPage) -> None:
    """Max and Sarah have 20, Timo 14, Pia 12; Max is in the central room, so Max wins."""
    page = new_page()
    page.goto("/score/lumens")
    press(page, "players-4")
    spec = games()["lumens"]
    assert spec.scoring is not None
    rows = spec.scoring(spec.twin(spec.template(4))).board
    for seat, name in enumerate(FIRSTS):
        for face, place, rooms in ((6, 0, FIRSTS[name]), (3, 1, SECONDS[name])):
            press(page, f"seat-{seat}", f"face-{face}")
            for room in rooms:
                y = next(y for y, row in enumerate(rows) if room in row)
                press(page, f"at-{rows[y].index(room) + place}-{y}")
    assert results(page, "Total") == ["20", "20", "14", "12"]
    assert results(page, "Place") == ["1", "2", "3", "4"]


def test_captain_end_score_with_majorities_and_ties(new_page: NewPage) -> None:
    """Lanterns 3 and 2, a Purse, an Egg, tokens of 4, coins; a tie goes to the Captain, to Lys."""
    page = new_page()
    page.goto("/score/captain")
    press(page, "players-3", "seat-0", "lantern_3-more", "purse-more", "egg-more", "pistol-more")
    press(page, "seat-1", "lantern_2-more", "coins-more", "pistol-more")
    assert results(page, "Total") == ["3", "3", "0"]
    assert results(page, "Place") == ["2", "1", "3"]
    press(page, "captain-0")
    assert results(page, "Place") == ["1", "2", "3"]
    press(page, "lys-1")
    assert results(page, "Total") == ["3", "7", "0"]


@pytest.mark.parametrize("name", SCORED)
def test_it_works_offline(new_page: NewPage, name: str) -> None:
    page = new_page(service_workers="allow")
    page.goto(f"/score/{name}")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.locator("#players-3").wait_for()
    page.reload()
    page.locator("#players-3").wait_for()
    page.context.set_offline(True)
    page.reload()
    page.locator("#players-3").click()
    expect(page.locator("#players-3")).to_have_attribute("aria-pressed", "true")
    page.context.set_offline(False)


def test_the_board_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/score/lumens")
    page.locator("#at-0-0").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#at-1-2")).to_have_text("1")
    expect(page.locator("#at-1-2")).to_be_focused()
