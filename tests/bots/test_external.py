"""Bots as programs: the protocol, and what becomes of programs that don't keep to it."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from veillee.bots.external import (
    Forfeit,
    Program,
    Sitter,
    read_entrant,
    serve,
    split_command,
)
from veillee.engine.game import Game, game_class
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.lab.executor import workers
from veillee.lab.match import Terms, match, play

BOT = """
import json, sys, time
log = open({log!r}, "a")
for line in sys.stdin:
    request = json.loads(line)
    log.write(line)
    log.flush()
    if request["do"] == "sit":
        print('{{"ok": true}}', flush=True)
    elif request["do"] == "choose":
        legal = request["legal"]
        {choose}
"""
FIRST = 'print(json.dumps({"ok": True, "n": legal[0]["n"]}), flush=True)'
BY_TEXT = 'print(json.dumps({"ok": True, "text": legal[-1]["text"]}), flush=True)'


def command_line(*words: str) -> str:
    """Quote words as the system's shell wants them."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def entrant(folder: Path, choose: str) -> str:
    """Write a bot that chooses by the given statement; its requests are logged in `log`."""
    path = folder / "bot.py"
    path.write_text(BOT.format(log=str(folder / "log"), choose=choose), "utf-8")
    return command_line(sys.executable, str(path))


def requests(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log").read_text("utf-8").splitlines()]


def started(name: str = "nomads") -> Game:
    return game_class(games()[name])(3, 5, compiled=True, quick=True)


@pytest.mark.parametrize("choose", [FIRST, BY_TEXT])
def test_program_is_told_all_it_needs_to_choose(tmp_path: Path, choose: str) -> None:
    game = started()
    legal = [{"n": int(action), "text": action.text} for action in game.legal]
    program = Program(game.spec, f"seconds=30,{entrant(tmp_path, choose)}")
    chosen = program(game.seen_by(game.seat))
    program.finish(game)
    assert chosen == game.legal[0 if choose == FIRST else -1]
    sit, question, over = requests(tmp_path)
    assert sit == {
        "do": "sit",
        "game": "nomads",
        "rules": 1,
        "players": 3,
        "seat": game.seat,
        "options": game.view(game.seat)["options"],
        "seconds": 30,
    }
    assert sit["options"]["quick"] is True
    assert question["view"] == game.view(game.seat)
    assert [{key: each[key] for key in ("n", "text")} for each in question["legal"]] == legal
    assert question["legal"][0]["do"]
    assert over == {"do": "over", "scores": [0, 0, 0], "places": [1, 1, 1], "winners": []}


def test_our_bots_speak_the_protocol() -> None:
    game = started()
    program = Program(game.spec, f"{sys.executable} -m veillee bot --level spark")
    assert program(game.seen_by(game.seat)) in game.legal
    program.finish(game)


def test_our_bots_refuse_nonsense_and_go_on() -> None:
    sitter = Sitter("spark")
    for line in ("", "{", "[]", '{"do": "fly"}', '{"do": "choose", "view": {"game": "chess"}}'):
        assert json.loads(sitter.answer(line))["ok"] is False
    lines = [b"noise", b'{"do": "sit", "game": "nomads", "players": 3, "seat": 0, "id": 7}']
    sink = io.BytesIO()
    serve(io.BytesIO(b"\n".join([*lines, b'{"do": "over"}', b""])), sink, "spark", 0, "en")
    refused, sat, over = map(json.loads, sink.getvalue().splitlines())
    assert "“noise”" in refused["message"]
    assert sat == {"ok": True, "level": "spark", "id": 7}
    assert over == {"ok": True}


MISTAKES = {
    "illegal": 'print(json.dumps({"ok": True, "text": "write whale IV"}), flush=True)',
    "no such notation": 'print(json.dumps({"ok": True, "text": "castle"}), flush=True)',
    "no such number": 'print(json.dumps({"ok": True, "n": 99999}), flush=True)',
    "null": 'print(json.dumps({"ok": True, "n": None}), flush=True)',
    "true": 'print(json.dumps({"ok": True, "n": True}), flush=True)',
    "chatter": 'print("thinking", flush=True)',
    "not an object": 'print("[]", flush=True)',
    "declined": 'print(json.dumps({"ok": False}), flush=True)',
    "exits": "sys.exit(3)",
    "silent": "time.sleep(60)",
}
REPORTS = {
    "illegal": "bots.forfeit.illegal: .* chose “write whale IV” and loses the game",
    "no such notation": "chose “castle” and loses the game",
    "no such number": "answered 99999, which is not an action",
    "null": "answered null, which is not an action",
    "true": "answered true, which is not an action",
    "chatter": "wrote “thinking”, which is not JSON",
    "not an object": r"answered “\[\]” and loses",
    "declined": "answered “{.*}” and loses",
    "exits": "exited with code 3",
    "silent": "did not answer within 2 seconds",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_forfeits_the_game(tmp_path: Path, mistake: str) -> None:
    game = started()
    program = Program(game.spec, f"seconds=2,{entrant(tmp_path, MISTAKES[mistake])}")
    with pytest.raises(Forfeit, match=REPORTS[mistake]) as forfeit:
        program(game.seen_by(game.seat))
    program.finish(game)
    for language in LANGUAGES:
        assert "{" not in forfeit.value.message(Words(language)).replace('{"ok"', "")


@pytest.mark.parametrize("mistake", ["illegal", "exits"])
def test_match_goes_on_after_a_forfeit(
    tmp_path: Path, mistake: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = entrant(tmp_path, MISTAKES[mistake])
    terms = Terms("nomads", 2, f"program:{command}", "random", options={"quick": True})
    with workers(1) as here:
        assert match(terms, 2, pool=here).shares == [0.0, 0.0]
    told = capsys.readouterr().err
    assert told.count("loses the game") == 4
    assert "Game 1, seat 0:" in told
    with workers(2) as others:
        assert match(terms, 2, pool=others).shares == [0.0, 0.0]


def test_all_others_win_when_a_program_forfeits(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = entrant(tmp_path, MISTAKES["exits"])
    terms = Terms("nomads", 3, f"program:{command}", "random", options={"quick": True})
    won = play(terms, 0, ["random", f"program:{command}", "random"]).shares
    assert won == [0.5, 0.0, 0.5]
    assert "seat 1" in capfd.readouterr().err


def test_programs_play_whole_games_and_hear_the_result(tmp_path: Path) -> None:
    command = entrant(tmp_path, FIRST)
    terms = Terms("nomads", 2, f"program:{command}", "random", options={"quick": True})
    won = play(terms, 0, [f"program:{command}", "random"]).shares
    over = requests(tmp_path)[-1]
    assert over["winners"] == [seat for seat, share in enumerate(won) if share]


def test_bot_of_the_documentation_plays(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
    code = page.partition('```python title="bot.py"\n')[2].partition("```")[0]
    (tmp_path / "bot.py").write_text(code, "utf-8")
    bot = f"program:{command_line(sys.executable, str(tmp_path / 'bot.py'))}"
    won = play(Terms("lumens", 2, bot, bot), 0, [bot, bot]).shares
    assert sum(won) == 1


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("no-such-program --fast", "bots.program.missing"),
        ("", "bots.program.command"),
        ('"unbalanced', "bots.program.command"),
        ("seconds=x,cat", "bots.program.limit"),
        ("seconds=-1,cat", "bots.program.limit"),
        ("seconds=inf,cat", "bots.program.limit"),
    ],
)
def test_command_is_checked_before_the_match(text: str, clause: str) -> None:
    with pytest.raises(Refusal) as refused:
        match(Terms("nomads", 2, f"program:{text}", "random"), 1)
    assert refused.value.clause == clause


def test_commands_are_split_as_the_system_does() -> None:
    assert split_command("node 'my bot.js'", windows=False) == ["node", "my bot.js"]
    windows = split_command(r'C:\bots\my.exe --book "C:\my books\a.bin"', windows=True)
    assert windows == [r"C:\bots\my.exe", "--book", r"C:\my books\a.bin"]
    assert read_entrant(f"seconds=0.5,{sys.executable} bot.py") == ([sys.executable, "bot.py"], 0.5)
