"""The command `veillee`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from veillee.engine.words import LANGUAGES, Words, language_of_environment

app = typer.Typer(
    name="veillee",
    help="Nomads, Oh Captain! and Lumens: to play and to study.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _a_language(value: str) -> str:
    if value not in LANGUAGES:
        raise typer.BadParameter(f"{value}: {', '.join(LANGUAGES)}")
    return value


def _game_names() -> list[str]:
    from veillee.engine.library import games

    return [*games(), *_series()]


Language = Annotated[
    str,
    typer.Option(
        "--language",
        "-l",
        help="en, fr or es",
        default_factory=language_of_environment,
        callback=_a_language,
        autocompletion=lambda: list(LANGUAGES),
    ),
]
GameName = Annotated[str, typer.Argument(help="the game", autocompletion=_game_names)]


@app.command()
def games(language: Language) -> None:
    """List the games."""
    from veillee.engine.library import games

    words = Words(language)
    for contract in games().values():
        seats = f"{min(contract.seats)}–{max(contract.seats)}"
        title = words(f"{contract.name}.title")
        typer.echo(f"{contract.name:<10} {title}, {seats}, {contract.minutes} min")


@app.command()
def play(
    game: GameName,
    language: Language,
    players: Annotated[int | None, typer.Option(help="how many seats")] = None,
    people: Annotated[int, typer.Option(help="how many of them are people at this terminal")] = 1,
    name: Annotated[list[str] | None, typer.Option(help="a person's name; repeat it")] = None,
    seed: Annotated[str | None, typer.Option(help="64 hex digits, or any text")] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="an option as name=value, the value in JSON; repeat it")
    ] = None,
    board: Annotated[Path | None, typer.Option(help="a board of your own (Lumens)")] = None,
    against: Annotated[
        str, typer.Option(help="spark, wanderer, teller, elder, sage, or random")
    ] = "teller",
    load: Annotated[Path | None, typer.Option(help="go on from a saved game")] = None,
) -> None:
    """Play at this terminal, against the machine or with several people."""
    from veillee.terminal import Terminal, machine

    words = Words(language)
    with Refusals(words):
        kind = _kind(game)
        if load:
            started = kind.replay(_json(load))
        else:
            seats = players or 3
            names = (name or [])[:seats]
            names += [words("veillee.seat", n=n + 1) for n in range(len(names), seats)]
            options = read_options(option or [])
            if board:
                options["board"] = _text(board)
            started = kind(seats, seed, names=names, **options)
        machines = {
            seat: machine(against, seat)
            for seat in range(min(max(people, 0), started.players), started.players)
        }
        Terminal(Console(), words, started, machines).play()


@app.command()
def replay(record: Path, language: Language) -> None:
    """Tell a saved game from its first entry to its last."""
    console = Console()
    with Refusals(Words(language)):
        game = _replayed(record)
        for line in game.log(language):
            console.print(escape(line))
        console.print(game.board(language))


@app.command()
def verify(record: Path, language: Language) -> None:
    """Check a saved game: its seed, every entry, and its result."""
    words = Words(language)
    with Refusals(words):
        game = _replayed(record)
        key = "veillee.verified" if game.over else "veillee.verified.unfinished"
        typer.echo(words(key, entries=len(game.entries), commitment=game.seed.commitment))


@app.command()
def referee(language: Language) -> None:
    """Speak the referee protocol: JSON lines on standard input and output."""
    from veillee.engine.referee import serve

    serve(sys.stdin.buffer, sys.stdout.buffer, language, _series())


@app.command()
def bot(
    language: Language,
    level: Annotated[str, typer.Option(help="spark, wanderer, teller, elder or sage")] = "elder",
    seed: Annotated[int, typer.Option(help="what its chance starts from")] = 0,
) -> None:
    """Sit at somebody else's table: JSON lines, see docs/bots.md."""
    from veillee.bots.levels import level_named
    from veillee.bots.program import serve

    with Refusals(Words(language)):
        level_named(level)
        serve(sys.stdin.buffer, sys.stdout.buffer, level, seed, language)


@app.command(name="compile")
def compile_games(
    language: Language,
    game: Annotated[
        list[str] | None, typer.Argument(help="the games; all of them", autocompletion=_game_names)
    ] = None,
) -> None:
    """Make machine code of the rules, once, so that nobody waits for it later."""
    from veillee.ahead import show

    with Refusals(Words(language)):
        show(game)


def _series() -> dict[str, Any]:
    """What plays as a game does and is made of several."""
    from veillee.lumarathon import NAME, Marathon

    return {NAME: Marathon}


@app.command()
def serve(
    lan: Annotated[bool, typer.Option("--lan", help="let others in the network join")] = False,
    port: Annotated[int, typer.Option(help="where to listen; 0 for any free port")] = 8753,
    database: Annotated[
        str | None, typer.Option(help="a path for SQLite, or postgresql://…", show_default=False)
    ] = None,
    level: Annotated[str, typer.Option(help="the bots' level where nobody chose")] = "wanderer",
    pace: Annotated[int, typer.Option(help="how long a bot takes at least, in ms")] = 1200,
    address: Annotated[str, typer.Option(help="what links begin with, behind a proxy")] = "",
    show: Annotated[bool, typer.Option("--open", help="open the browser")] = False,
    processes: Annotated[
        int, typer.Option(help="how many processes share the work", min=1, max=64)
    ] = 1,
    limits: Annotated[bool, typer.Option(help="limit how often one may ask")] = True,
    away: Annotated[
        int, typer.Option(help="seconds of absence after which the others may vote for a bot")
    ] = 60,
) -> None:
    """Serve the table in the browser."""
    from veillee.web import command
    from veillee.web.desk import Serving

    database = database or command.usual_database()
    serving = Serving(database, level, pace, address, limits, away=away)
    host = "0.0.0.0" if lan else "127.0.0.1"  # noqa: S104
    command.serve(serving, host, port, processes=processes, show=show)


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(help="the file to make")],
    database: Annotated[str | None, typer.Option(help="the store to copy")] = None,
) -> None:
    """Copy the store of the web table, also while it is in use."""
    from veillee.web import command

    command.backup(database or command.usual_database(), to)


class Refusals:
    """Turns a refusal into a message and exit code 2."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        from veillee.engine.refusal import Refusal

        if isinstance(error, Refusal):
            typer.echo(error.message(self.words), err=True)
            raise typer.Exit(2) from error


def read_options(given: list[str]) -> dict[str, Any]:
    found = {}
    for item in given:
        name, _, value = item.partition("=")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def _json(path: Path) -> Any:
    from veillee.engine.refusal import Refusal

    try:
        return json.loads(_text(path))
    except ValueError:
        raise Refusal("unreadable", "veillee.file", path=str(path)) from None


def _text(path: Path) -> str:
    from veillee.engine.refusal import Refusal

    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        raise Refusal("unreadable", "veillee.file", path=str(path)) from None


def _replayed(path: Path) -> Any:
    record = _json(path)
    name = record.get("game") if isinstance(record, dict) else None
    return _kind(str(name)).replay(record)


def _kind(name: str) -> Any:
    """The class of a game, or of the series, of that name."""
    from veillee.engine.game import game_of
    from veillee.engine.library import game as contract_named

    return _series()[name] if name in _series() else game_of(contract_named(name))


def main() -> None:
    from veillee.lab.command import app as lab

    app.add_typer(lab, name="lab")
    app()
