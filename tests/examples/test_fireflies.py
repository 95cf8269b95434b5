"""The game of the tutorial, played by everything that plays games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_new import conformance, veillee
from tests.engine.written import games_in
from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in
from veillee.bots.levels import bot
from veillee.engine.drawing.picture import SIZES
from veillee.engine.game import Game, game_class
from veillee.engine.i18n import LANGUAGES
from veillee.engine.registry import game

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDER = EXAMPLES / "fireflies"
TUTORIAL = EXAMPLES.parent / "docs/new-game.md"
BLOCK = re.compile(r"^```\w+ title=\"(fireflies/[^\"]+)\"\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OTHER_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def fireflies() -> Iterator[type[Game]]:
    with games_in(EXAMPLES):
        yield game_class(game("fireflies"))


def test_the_tutorial_shows_its_files() -> None:
    shown = dict(BLOCK.findall(TUTORIAL.read_text("utf-8")))
    files = [path for path in FOLDER.rglob("*") if path.suffix in (".py", ".po")]
    written = {path.relative_to(EXAMPLES).as_posix(): path.read_text("utf-8") for path in files}
    assert shown == written
    assert sum(len(text.splitlines()) for text in written.values()) < 250


def test_the_other_code_of_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = OTHER_BLOCK.findall(TUTORIAL.read_text("utf-8"))
    assert len(blocks) == 2
    monkeypatch.chdir(EXAMPLES)
    with games_in(EXAMPLES):
        known: dict[str, Any] = {}
        for block in blocks:
            exec(block, known)
        known["test_the_last_firefly_scores_two"]()


def test_it_conforms() -> None:
    code, last = conformance(EXAMPLES, "fireflies")
    assert code == 0, last
    assert int(last.split()[0]) >= 39


def test_a_catch_of_ones_wish_scores_and_the_last_scores_two(fireflies: type[Game]) -> None:
    position = fireflies(players=2, seed=1).position
    started = fireflies.from_position(position | {"seat": 0, "left": 5, "wish": [2, 3, 0, 0]})
    started.play("catch 2")
    assert started.scores == [1, 0]
    started.play("catch 3")
    assert started.over
    assert started.scores == [1, 3]
    assert started.winners == [1]


def test_wishes_are_secret_until_the_end(fireflies: type[Game]) -> None:
    started = fireflies(players=3, seed=7)
    own = started.view(1)["wish"]
    assert own[1] != 0
    assert own[0] == own[2] == 0
    assert len(started.log(seat=1)) == 1
    while not started.over:
        started.play(started.legal[0])
    assert 0 not in started.view()["wish"][:3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_words_and_a_picture(fireflies: type[Game], language: str) -> None:
    started = fireflies(players=4, seed=2)
    started.play("catch 3")
    for shape in SIZES:
        drawn = started.picture(language, seat=0, shape=shape)
        assert drawn.count('class="piece"') == 21
        assert drawn.count("<circle") == 2 * 18
        assert 'data-field="do" data-value="catch 3"' in drawn
    assert started.log(language)
    assert started.board(language)


def test_it_is_played_at_the_terminal() -> None:
    told = veillee(
        EXAMPLES, "play", "fireflies", "--players", "2", "--against", "random", typed="1\n" * 30
    )
    assert "Seed: " in told.stdout


def test_the_terminal_tells_the_rules_and_quotes_what_was_typed() -> None:
    told = veillee(
        *(EXAMPLES, "play", "fireflies", "--against", "random", "--language", "en"),
        typed="rules\ncatch 9\nquit\n",
    )
    assert "Most points win." in " ".join(told.stdout.split())
    assert "“catch 9” is not an action" in told.stdout


def test_it_is_played_through_the_referee() -> None:
    lines = [
        {"do": "new", "game": "fireflies", "players": 2, "seed": 1},
        {"do": "act", "text": "catch 3"},
        {"do": "act", "text": "catch 4"},
    ]
    told = veillee(EXAMPLES, "referee", typed="\n".join(map(json.dumps, lines)))
    started, caught, refused = map(json.loads, told.stdout.splitlines())
    assert started["ok"]
    assert caught["events"][0]["event"] == "catch"
    assert refused["code"] in ("illegal", "unknown")


def test_bots_see_only_their_own_wish_and_take_the_last_firefly(fireflies: type[Game]) -> None:
    position = fireflies(players=2, seed=1).position
    started = fireflies.from_position(position | {"seat": 0, "left": 3, "wish": [1, 1, 0, 0]})
    choice = bot(fireflies.spec, 2, "elder").choose(started.seen_by(0))
    assert fireflies.spec.notation.text(choice) == "catch 3"


def test_it_is_played_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEILLEE_GAMES", str(EXAMPLES))
    with Served(sqlite_in(tmp_path)) as served:
        guest = Guest(served.address, "fr")
        assert "Lucioles" in guest.http.get("/").text
        assert guest.http.get("/rules/fireflies").status_code == 200
        path = guest.set_table("fireflies", seats="me bot:random")
        assert guest.play_on(path) >= 3
        assert guest.look(path)[0]["state"] == "over"
