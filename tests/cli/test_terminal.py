"""Whole games at the terminal, typed as a person would."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from typer.testing import CliRunner

from veillee.cli.main import _series, app
from veillee.cli.terminal import Terminal, bot_chooser
from veillee.engine.game import game_class
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games


class Person:
    """Types an answer to each question; what the screen shows is kept."""

    def __init__(self, seed: int, lines: list[str] | None = None) -> None:
        self.screen = io.StringIO()
        self.console = Console(file=self.screen, width=100, force_terminal=False)
        self.chance = Random(seed)
        self.lines = lines or []
        self.terminal: Terminal | None = None
        self.console.input = self.type  # type: ignore[method-assign, assignment]

    def type(self, prompt: str = "", **_: object) -> str:
        self.console.print(prompt)
        if self.lines:
            return self.lines.pop(0)
        assert self.terminal is not None
        return str(self.chance.randrange(len(self.terminal.game.legal)) + 1)

    def sit(self, terminal: Terminal) -> str:
        self.terminal = terminal
        terminal.play()
        return self.screen.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*games(), *_series()])
def test_a_whole_game_in_each_language(name: str, language: str) -> None:
    person = Person(1)
    kind = _series().get(name) or game_class(games()[name])
    game = kind(3, 5, names=["Ana", "Bo [x]", "Cleo"])
    bots = {seat: bot_chooser("random", seat) for seat in (1, 2)}
    words = Words(language)
    screen = person.sit(Terminal(person.console, words, game, bots))
    assert game.over
    assert words("veillee.terminal.seed", seed=game.seed.hex)[:20] in screen
    assert "Bo [x]" in screen
    assert "{" not in screen


def test_several_people_share_one_terminal() -> None:
    person = Person(2)
    game = game_class(games()["nomads"])(2, 9, quick=True)
    screen = person.sit(Terminal(person.console, Words("en"), game, {}))
    assert game.over
    assert "Player 1" in screen
    assert "Player 2" in screen


def test_commands_and_mistakes_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    lines = [
        *("?", "board", "log", "rules", "undo", "999", "0", "sow 99 up", "write whale IV", ""),
        f"save {path}",
        "save /nowhere/at/all.json",
        "quit",
    ]
    person = Person(3, lines)
    game = game_class(games()["nomads"])(2, 4, quick=True)
    screen = person.sit(
        Terminal(person.console, Words("en"), game, {1 - game.seat: bot_chooser("random", 1)})
    )
    assert not game.steps
    assert "A Legend card costs" in screen
    assert "“sow 99 up” is not an action of Nomads." in screen
    record = json.loads(path.read_text("utf-8"))
    assert game_class(games()["nomads"]).replay(record).states.tobytes() == game.states.tobytes()


def test_undo_gives_the_last_own_decision_back() -> None:
    person = Person(4, ["1", "undo", "quit"])
    game = game_class(games()["nomads"])(2, 4)
    while game.phase != "discs" or game.seat != 0:
        game.play(game.legal[0])
    before = len(game.steps)
    person.sit(Terminal(person.console, Words("es"), game, {1: bot_chooser("random", 1)}))
    assert len(game.steps) == before
    assert game.entries[-1] == "undo redeal"


def run(*words: str, typed: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words), input=typed)
    return result.exit_code, re.sub(r"\x1b\[[0-9;]*m", "", result.output)


def test_the_command_plays_saves_goes_on_and_verifies(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    code, screen = run(
        *("play", "nomads", "--players", "2", "--seed", "1", "-l", "fr", "--against", "random"),
        *("--option", "quick=true", "--name", "Zoé"),
        typed=f"1\n1\nsave {path}\nquit\n",
    )
    assert code == 0
    assert "Zoé" in screen
    assert "veillee play nomads --load" in " ".join(screen.split())
    assert run("verify", str(path), "-l", "en")[0] == 0
    code, screen = run("replay", str(path), "-l", "es")
    assert code == 0
    assert "Zoé" in screen
    code, screen = run(
        *("play", "nomads", "--load", str(path), "--against", "random", "-l", "en"), typed="quit\n"
    )
    assert code == 0


def test_a_finished_game_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    words = ("play", "lumens", "--people", "0", "--against", "random", "-l", "en", "--save")
    code, screen = run(*words, str(path))
    assert code == 0
    assert "To see it again: veillee replay" in " ".join(screen.split())
    code, screen = run("verify", str(path), "-l", "en")
    assert code == 0
    assert "lead to its result" in " ".join(screen.split())
    assert run(*words, str(tmp_path / "nowhere" / "game.json"))[0] == 2


def test_a_record_that_was_changed_is_not_verified(tmp_path: Path) -> None:
    game = game_class(games()["nomads"])(2, 4, quick=True)
    while not game.over:
        game.play(game.legal[0])
    record = game.record()
    path = tmp_path / "game.json"
    for change in (
        {"entries": [*record["entries"][:5], "sow 1 left double 9", *record["entries"][6:]]},
        {"seed": "00" * 32},
        {"result": {"scores": [99, 0], "places": [1, 2]}},
        {"rules": 99},
        {"format": "pgn"},
        {"players": 7},
    ):
        path.write_text(json.dumps(record | change), "utf-8")
        assert run("verify", str(path), "-l", "en")[0] == 2
    path.write_text(json.dumps(record), "utf-8")
    assert run("verify", str(path), "-l", "en")[0] == 0
