"""The command line: what it lists, and how it refuses bad input."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import typer
from typer.testing import CliRunner

import veillee
from veillee.cli.lab import app as lab
from veillee.cli.main import app
from veillee.engine.i18n import LANGUAGES
from veillee.engine.registry import games


def run(*words: str) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of a command."""
    result = CliRunner().invoke(app, list(words), env={"LC_ALL": "en"})
    return result.exit_code, result.stdout, re.sub(r"\x1b\[[0-9;]*m", "", result.stderr)


def test_version() -> None:
    assert run("--version") == (0, f"veillee {veillee.__version__}\n", "")


def help_texts(command: Any, path: str = "veillee") -> Iterator[tuple[str, str]]:
    """Yield every text that `--help` of a command and its subcommands shows."""
    yield path, command.help or ""
    for parameter in command.params:
        yield f"{path} {parameter.name}", getattr(parameter, "help", None) or ""
    for name, inner in getattr(command, "commands", {}).items():
        yield from help_texts(inner, f"{path} {name}")


@pytest.mark.parametrize("shown", [app, lab], ids=["veillee", "lab"])
def test_help_names_no_file_that_a_wheel_lacks(shown: typer.Typer) -> None:
    texts = dict(help_texts(typer.main.get_command(shown)))
    assert len(texts) > 40
    assert not [path for path, text in texts.items() if "docs/" in text]


@pytest.fixture(scope="module")
def help_pages() -> dict[str, str]:
    """What `--help` of every command prints, by command."""
    pages = {}
    for app_shown, prefix in ((app, ""), (lab, "lab ")):
        names = typer.main.get_command(app_shown).commands  # type: ignore[attr-defined]
        admin = names["admin"].commands if "admin" in names else {}
        for words in [(), *((name,) for name in names), *(("admin", name) for name in admin)]:
            result = CliRunner().invoke(app_shown, [*words, "--help"], env={"COLUMNS": "120"})
            assert result.exit_code == 0
            pages[prefix + " ".join(words)] = result.stdout
    return pages


def test_help_shows_no_types_of_python(help_pages: dict[str, str]) -> None:
    """Flags take no value, and an option or argument that can be repeated takes one at a time."""
    assert len(help_pages) > 35
    for words, page in help_pages.items():
        assert not re.findall(r"<bool>|<list\b.*>|\(dynamic\)", page), words
    assert re.search(r"--option +<str> ", help_pages["play"])
    assert re.search(r"files\.\.\. +<path> ", help_pages["lab merge"])
    assert re.search(r"--lan +let others", help_pages["serve"])


LEVELS = ["spark", "wanderer", "teller", "elder", "sage"]


@pytest.mark.parametrize(
    ("asked", "words", "found"),
    [
        (app, "play ", [*games(), "lumarathon"]),
        (app, "play nomads --against ", LEVELS),
        (lab, "match ", list(games())),
        (lab, "match nomads ", LEVELS),
        (lab, "match nomads spark te", ["teller"]),
        (lab, "tournament nomads spark e", ["elder"]),
        (lab, "growth nomads ", LEVELS),
        (lab, "fit nomads ", LEVELS),
    ],
)
def test_games_and_levels_are_completed(asked: typer.Typer, words: str, found: list[str]) -> None:
    typed = {"COMP_WORDS": f"veillee {words}", "COMP_CWORD": str(len(words.split(" ")))}
    asking = typed | {"_VEILLEE_COMPLETE": "complete_bash"}
    result = CliRunner().invoke(asked, [], env=asking, prog_name="veillee")
    assert result.stdout.split() == found


def test_games_are_listed_with_the_series() -> None:
    code, out, _ = run("games", "-l", "en")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [*games(), "lumarathon"]
    assert "lumarathon   Lumarathon, 3–5, 75 min" in out


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", games())
def test_options_are_listed(name: str, language: str) -> None:
    code, out, _ = run("options", name, "-l", language)
    assert code == 0
    for option in games()[name].options.OPTIONS:
        assert f"│ {option.name} " in out


def test_options_of_a_series_are_those_of_its_games() -> None:
    _, out, _ = run("options", "lumarathon", "-l", "en")
    assert out.index("captain_coins") < out.index("patience")


PLAY = ("play", "nomads")
BAD = {
    ("play", "chess"): "nomads, captain, lumens, lumarathon.",
    ("options", "chess"): "nomads, captain, lumens, lumarathon.",
    (*PLAY, "--players", "0"): "Choose 2 to 5 players.",
    (*PLAY, "--players", "-1"): "Choose 2 to 5 players.",
    (*PLAY, "--players", "9"): "Choose 2 to 5 players.",
    (*PLAY, "--people", "4"): "Choose 0 to 3 people.",
    (*PLAY, "--people", "-1"): "Choose 0 to 3 people.",
    (*PLAY, "--option", "quick"): "“quick” has no value. Write an option as name=value",
    (*PLAY, "--option", "quick=7"): "quick",
    (*PLAY, "--option", "wings=7"): "wings",
    (*PLAY, "--board", "nofile"): "The file nofile can’t be read as text.",
    (*PLAY, "--load", "nofile"): "The file nofile can’t be read as JSON.",
    (*PLAY, "--variant", "nofile"): "nofile",
    (*PLAY, "--against", "nobody"): "spark, wanderer, teller, elder, sage",
    ("play", "lumens", "--board", "latin.txt"): "encoded in UTF-8.",
    ("replay", "latin.txt"): "can’t be read as JSON",
    ("replay", "list.json"): "The file list.json can’t be read as JSON. Check the name",
    ("verify", "nofile"): "The file nofile can’t be read as JSON.",
    ("bot", "--level", "nobody"): "spark, wanderer, teller, elder, sage",
    ("compile", "chess"): "There is no game called “chess”.",
}


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_bad_input_is_refused_in_a_sentence(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.txt").write_bytes("déjà".encode("latin-1"))
    (tmp_path / "list.json").write_text(json.dumps([1]), "utf-8")
    code, out, err = run(*words, "-l", "en")
    assert (code, out) == (2, "")
    assert BAD[words] in err
    assert len(err.splitlines()) == 1


def test_compile_covers_what_studies_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study is not to compile in silence what `veillee compile` could have compiled."""
    asked: list[str] = []
    monkeypatch.setattr(
        "veillee.engine.precompile.compile_with_bars",
        lambda _, warm_ups: asked.extend(each.reference for each in warm_ups),
    )
    assert run("compile", "-l", "en")[0] == 0
    assert "veillee.lab.gather:study_calls" in asked


SERVE = {
    ("--level", "god"): "spark, wanderer, teller, elder, sage",
    ("--address", "not a url"): "Write it as in https://games.example.org",
    ("--address", "games.example.org"): "Write it as in https://games.example.org",
    ("--bus", "localhost"): "Write it as in redis://localhost",
    ("--port", "99999999"): "--port",
    ("--pace", "-5"): "--pace",
    ("--away", "-5"): "--away",
    ("--workers", "0"): "--workers",
}


@pytest.mark.parametrize("words", SERVE, ids=" ".join)
def test_server_is_not_started_with_bad_options(words: tuple[str, str], tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite"
    code, out, err = run("serve", "--port", "0", "--database", str(database), *words)
    assert (code, out) == (2, "")
    assert SERVE[words] in " ".join(err.split())
    assert not database.exists()


def test_server_says_which_database_it_can_not_use(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("This is not a database.\n" * 9)
    missing = tmp_path / "missing" / "tables.sqlite"
    for database, reason in ((tmp_path, "directory"), (missing, "no folder"), (text, "not a data")):
        code, out, err = run("serve", "--port", "0", "--database", str(database))
        assert (code, out) == (2, "")
        assert reason in err
        assert err.count("\n") == 1
    assert not missing.parent.exists()


def test_server_says_that_its_own_folder_can_not_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda _: str(tmp_path / "file" / "data"))
    code, out, err = run("serve", "--port", "0")
    assert (code, out) == (2, "")
    assert "tables.sqlite cannot be used" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_the_address_that_the_server_prints_can_be_opened_at_once(
    host: str, tmp_path: Path
) -> None:
    if host == "::1" and not has_ipv6():
        pytest.skip("there is no IPv6 here")
    words = ["serve", "--host", host, "--port", "0", "--level", "random"]
    with subprocess.Popen(
        [sys.executable, "-m", "veillee", *words, "--database", str(tmp_path / "tables.sqlite")],
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            (address,) = re.findall(r"http\S+", server.stdout.readline())
            assert urlsplit(address).hostname == host
            with urlopen(f"{address}/health/live", timeout=30) as answer:
                assert answer.status == 200
        finally:
            server.terminate()


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_variables_of_the_server_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEILLEE_PACE", "slow")
    code, _, err = run("serve", "--port", "0")
    assert code == 2
    assert "pace" in err


def test_variables_set_the_options_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[Any] = []
    monkeypatch.setattr("veillee.web.server.serve", lambda config, *_, **__: started.append(config))
    variables = {"WORKERS": "3", "LIMITS": "false", "PACE": "7", "ALLOWED_HOSTS": "a.org,b.org"}
    for name, value in variables.items():
        monkeypatch.setenv(f"VEILLEE_{name}", value)
    assert run("serve") == (0, "", "")
    assert run("serve", "--workers", "2", "--limits", "--pace", "9") == (0, "", "")
    found = [(each.workers, each.limits, each.pace, each.allowed_hosts) for each in started]
    hosts = ("a.org", "b.org")
    assert found == [(3, False, 7, hosts), (2, True, 9, hosts)]


@pytest.mark.parametrize(
    ("missing", "words", "extra"),
    [
        ("litestar", (), "web"),
        ("asyncpg", ("--database", "postgresql://localhost/veillee"), "postgresql"),
        ("redis", ("--bus", "redis://localhost"), "redis"),
    ],
)
def test_missing_library_is_named_with_its_extra(
    missing: str, words: tuple[str, ...], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    code, out, err = run("serve", "--port", "0", *words)
    assert (code, out) == (2, "")
    assert f"pip install 'veillee[{extra}]'" in err


def test_unknown_language() -> None:
    code, _, err = run("games", "-l", "de")
    assert code == 2
    assert "en, fr, es" in err


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_consoles_of_every_encoding(encoding: str) -> None:
    """On Windows a console may lack the letters, lines and symbols of the games."""
    command = [sys.executable, "-m", "veillee", "play", "lumens", "-l", "fr", "--against", "random"]
    done = subprocess.run(
        command,
        check=False,
        input=b"1\nquit\n",
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0, done.stderr
    assert b"Lumens" in done.stdout
