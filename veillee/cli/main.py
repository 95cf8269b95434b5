"""The command `veillee`."""

from __future__ import annotations

import json
import os
import sys
import warnings
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from veillee.cli.admin import app as admin
from veillee.cli.arguments import (
    App,
    Refusals,
    a_language,
    game_names,
    level_names,
    read_options,
)
from veillee.engine.discovery import use_folder
from veillee.engine.drawing.picture import Theme
from veillee.engine.extras import require
from veillee.engine.i18n import LANGUAGES, Words, language_of_environment
from veillee.engine.refusal import Refusal

if TYPE_CHECKING:
    from veillee.engine.game_spec import GameSpec

app = App(
    name="veillee",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(admin, name="admin")


def _game_names() -> list[str]:
    return [*game_names(), *_series()]


def _show_version(asked: bool) -> None:
    if asked:
        from veillee import __version__

        typer.echo(f"veillee {__version__}")
        raise typer.Exit


@app.callback()
def command(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Show the version and exit.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Nomads, Oh Captain! and Lumens: to play and to study."""


Language = Annotated[
    str,
    typer.Option(
        "--language",
        "-l",
        help="en, fr or es",
        default_factory=language_of_environment,
        show_default="as LANG says",
        callback=a_language,
        autocompletion=lambda: list(LANGUAGES),
    ),
]
GameName = Annotated[str, typer.Argument(help="the game", autocompletion=_game_names)]


@app.command()
def games(language: Language) -> None:
    """List the games."""
    words = Words(language)
    for name in _game_names():
        specs = _specs(name)
        fewest = max(min(spec.player_counts) for spec in specs)
        most = min(max(spec.player_counts) for spec in specs)
        minutes = sum(spec.minutes for spec in specs)
        typer.echo(f"{name:<12} {words(f'{name}.title')}, {fewest}–{most}, {minutes} min")


@app.command(name="options")
def list_options(game: GameName, language: Language) -> None:
    """List the options of a game, for --option and for variants."""
    words = Words(language)
    with Refusals(words):
        _kind(game)
        for spec in _specs(game):
            Console().print(_options_table(words, spec))


def _options_table(words: Words, spec: GameSpec) -> Table | str:
    title = words(f"{spec.name}.title")
    if not spec.options.OPTIONS:
        return words("veillee.options.none", title=title)
    heads = [words(f"veillee.options.{head}") for head in ("name", "default", "help")]
    table = Table(*heads, title=words("veillee.options.title", title=title), show_lines=True)
    for option in spec.options.OPTIONS:
        default = json.dumps(option.default, ensure_ascii=False)
        meaning = words(f"{spec.name}.option.{option.name}.help")
        table.add_row(option.name, escape(default), escape(meaning))
    return table


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
    variant: Annotated[
        list[Path] | None,
        typer.Option(
            help="a variant: values of your own, in TOML or JSON; one of each of a series"
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            help="spark, wanderer, teller, elder, sage, a strength such as 1500, a character "
            "with one of these (bold@teller), or random",
            autocompletion=level_names,
        ),
    ] = "teller",
    load: Annotated[Path | None, typer.Option(help="go on from a saved game")] = None,
    save: Annotated[Path | None, typer.Option(help="save the game here when it ends")] = None,
) -> None:
    """Play at this terminal, against bots or with several people."""
    from veillee.bots.bot import WARM_UPS
    from veillee.bots.characters import RANDOM
    from veillee.bots.levels import BotName
    from veillee.cli.terminal import Terminal, bot_chooser
    from veillee.engine.precompile import ensure_compiled

    words = Words(language)
    with Refusals(words):
        if save and not os.access(save.parent, os.W_OK):
            raise Refusal("impossible", "lab.folder", path=str(save.parent))
        kind = _kind(game)
        if load:
            started = kind.replay(_json(load))
        else:
            seats = 3 if players is None else players
            names = (name or [])[:seats]
            names += [words("veillee.seat", n=n + 1) for n in range(len(names), max(seats, 0))]
            options = read_options(option or [])
            if board:
                options["board"] = _text(board)
            if variant:
                from veillee.engine.variant import read_variant

                found = [read_variant(path) for path in variant]
                options |= {"variants": found} if game in _series() else {"variant": found[-1]}
            started = kind(seats, seed, names=names, **options)
        if not 0 <= people <= started.players:
            raise Refusal("option", "veillee.people", people=people, most=started.players)
        bots = {seat: bot_chooser(against, seat) for seat in range(people, started.players)}
        if bots and against != RANDOM:
            for spec in _specs(game):
                BotName.parse(against).budget_for(spec)
                ensure_compiled(spec, WARM_UPS)
        terminal = Terminal(Console(), words, started, bots)
        terminal.play()
        if save:
            terminal.save(save)


@app.command()
def replay(
    record: Path,
    language: Language,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="write a file instead: .html (replays without a server), .svg or .png (a moment), "
            ".apng or .gif (the whole game)",
        ),
    ] = None,
    at: Annotated[int | None, typer.Option(help="the moment: the last one by default")] = None,
    seen: Annotated[str, typer.Option(help="a seat's number from 0, watch, or open")] = "",
    dark: Annotated[bool, typer.Option(help="draw in the dark theme")] = False,
) -> None:
    """Show a saved game from its first entry to its last, or turn it into a page or a picture."""
    console = Console()
    with Refusals(Words(language)):
        game = _replayed(record)
        if output is not None:
            require("jinja2", "web")
            from veillee.web.delivery.export import write

            write(game, output, language, at, seen, "dark" if dark else "light")
            return
        for line in game.log(language):
            console.print(escape(line))
        console.print(game.board(language))


@app.command(name="analyse")
def analyse_command(
    records: Annotated[
        list[Path], typer.Argument(help="finished games, as saved, or folders of them")
    ],
    language: Language,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON in place of tables")] = False,
    out: Annotated[
        Path | None, typer.Option(help="a folder to write the JSON of each record into")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(help="an SVG file to draw the chances to win into")
    ] = None,
    theme: Annotated[Theme, typer.Option(help="the colours of the chart")] = "light",
    seed: Annotated[int, typer.Option(help="seed of the searches")] = 1,
    iterations: Annotated[
        int | None,
        typer.Option(help="iterations of search for each game", show_default="600000"),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(help="how many processes; by default one for each processor")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(help="run on a Ray cluster: auto, or the address of its head")
    ] = None,
) -> None:
    """Judge every decision of finished games, and tell luck from decisions.

    Of several records, each game gets a line.
    """
    from veillee.cli import analyse
    from veillee.lab.executor import workers

    words = Words(language)
    with Refusals(words):
        if chart and (chart.is_dir() or not os.access(chart.parent, os.W_OK)):
            raise Refusal("impossible", "lab.file", path=str(chart))
        played = analyse.read(records, _replayed)
        if out:
            analyse.check_folder(out, played)
        games = [game for of_record in played.values() for game in of_record]
        found = []
        with workers(processes, ray) as pool:
            analyses = analyse.analyse_all(games, words, pool, seed, iterations)
            for record, of_record in played.items():
                done = list(islice(analyses, len(of_record)))
                found += done
                if out:
                    analyse.write(done, record, out)
                if len(played) > 1 and not as_json:
                    for game, analysis in zip(of_record, done, strict=True):
                        typer.echo(analyse.line(record, analysis, game, words))
        if as_json:
            typer.echo(analyse.as_json(found))
        elif len(played) == 1:
            for game, analysis in zip(games, found, strict=True):
                analyse.show(analysis, game, words)
        if chart:
            analyse.write_chart(found, words, chart, theme)


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
    level: Annotated[
        str,
        typer.Option(
            help="spark, wanderer, teller, elder, sage, a strength such as 1500, or a character "
            "with one of these (bold@teller)",
            autocompletion=level_names,
        ),
    ] = "elder",
    seed: Annotated[int, typer.Option(help="seed of its random numbers")] = 0,
    server: Annotated[
        str, typer.Option(help="address of a server at which it plays as a guest")
    ] = "",
    token: Annotated[str, typer.Option(help="token for that server", envvar="VEILLEE_TOKEN")] = "",
    games: Annotated[int, typer.Option(help="finished games after which it stops")] = 0,
) -> None:
    """Run a bot for somebody else's table: JSON lines, or as a guest of a server.

    With --server it plays at all tables to which it is invited, several at once.
    """
    from veillee.bots.external import serve
    from veillee.bots.levels import BotName

    with Refusals(Words(language)):
        BotName.parse(level)
        if server:
            from veillee.cli.guest import play_as_guest

            play_as_guest(server, token, level, seed, language, games)
        else:
            serve(sys.stdin.buffer, sys.stdout.buffer, level, seed, language)


@app.command(name="compile")
def compile_games(
    language: Language,
    game: Annotated[
        list[str] | None, typer.Argument(help="the games; all of them", autocompletion=_game_names)
    ] = None,
) -> None:
    """Compile the games to machine code, once, so that nobody waits for it later."""
    from veillee.bots.bot import WARM_UPS
    from veillee.engine.precompile import compile_with_bars
    from veillee.lab.gather import STUDY

    with Refusals(Words(language)):
        compile_with_bars(game, (*WARM_UPS, STUDY))


def _series() -> dict[str, Any]:
    """Return the classes that play as a game does and are made of several, by name."""
    from veillee.lumarathon import NAME, Marathon

    return {NAME: Marathon}


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="the address to listen at")] = "127.0.0.1",
    lan: Annotated[
        bool, typer.Option("--lan", help="let others in the network join: --host 0.0.0.0")
    ] = False,
    port: Annotated[
        int, typer.Option(help="the port to listen at; 0 for any free port", min=0, max=65535)
    ] = 8753,
    workers: Annotated[
        int | None,
        typer.Option(help="how many processes share the work", show_default="1", min=1, max=64),
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="a path for SQLite, or postgresql://…", show_default=False)
    ] = None,
    bus: Annotated[
        str | None,
        typer.Option(help="redis://…, to announce moves by Redis", show_default=False),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            help="the bots' level where nobody chose",
            show_default="wanderer",
            autocompletion=level_names,
        ),
    ] = None,
    pace: Annotated[
        int | None,
        typer.Option(help="shortest time a bot takes, in ms", show_default="1200", min=0),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="what links begin with, behind a proxy", show_default=False),
    ] = None,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help="a host name under which the server answers", show_default=False),
    ] = None,
    limits: Annotated[
        bool | None,
        typer.Option("--limits/--no-limits", help="rate limits", show_default="limits"),
    ] = None,
    away: Annotated[
        float | None,
        typer.Option(help="seconds until the others may vote for a bot", show_default="60", min=1),
    ] = None,
    reports: Annotated[
        str | None,
        typer.Option(help="a folder with reports of “veillee lab study”", show_default="none"),
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(help="where Prometheus finds /metrics: host:port", show_default="nowhere"),
    ] = None,
    log_json: Annotated[
        bool | None, typer.Option("--log-json", help="log JSON objects", show_default=False)
    ] = None,
    log_requests: Annotated[
        bool | None, typer.Option("--log-requests", help="log each request", show_default=False)
    ] = None,
    delete_finished: Annotated[
        int | None,
        typer.Option(help="days after which finished tables are deleted", show_default="never"),
    ] = None,
    delete_abandoned: Annotated[
        int | None,
        typer.Option(help="days after which abandoned tables are deleted", show_default="never"),
    ] = None,
    delete_people: Annotated[
        int | None,
        typer.Option(
            help="days after which people without tables are deleted", show_default="never"
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="open the browser")] = False,
) -> None:
    """Serve the games in the browser. Options left out are read from VEILLEE_DATABASE, …"""
    given = {
        "database": database,
        "bus": bus,
        "level": level,
        "pace": pace,
        "address": address,
        "allowed_hosts": tuple(allowed_host) if allowed_host else None,
        "limits": limits,
        "away": away,
        "workers": workers,
        "reports": reports,
        "metrics": metrics,
        "log_json": log_json,
        "log_requests": log_requests,
        "delete_finished": delete_finished,
        "delete_abandoned": delete_abandoned,
        "delete_people": delete_people,
    }
    from veillee.cli.server_config import server_config

    with Refusals(Words(language_of_environment())):
        config = server_config({name: each for name, each in given.items() if each is not None})
        from veillee.web import server

        server.serve(config, "0.0.0.0" if lan else host, port, show=show)  # noqa: S104


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(help="the file to create")],
    database: Annotated[str | None, typer.Option(help="the store to copy")] = None,
) -> None:
    """Copy the server's SQLite file, also while it is in use."""
    from veillee.cli.server_config import server_config

    with Refusals(Words(language_of_environment())):
        config = server_config({"database": database} if database else {})
        from veillee.web.backup import backup

        backup(config.database, to)


@app.command()
def restore(
    copy: Annotated[Path, typer.Argument(help="the copy to restore")],
    database: Annotated[str | None, typer.Option(help="the store to create")] = None,
) -> None:
    """Create the server's SQLite file from a copy that `backup` made."""
    from veillee.cli.server_config import server_config

    with Refusals(Words(language_of_environment())):
        config = server_config({"database": database} if database else {})
        from veillee.web.backup import restore

        restore(copy, config.database)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="the game's name, as a Python package is named")],
    language: Language,
    into: Annotated[Path, typer.Option(help="the folder to write it into")] = Path("."),
) -> None:
    """Write a small game to change into one of your own.

    See https://veillee.github.io/veillee/new-game.
    """
    from veillee.cli.new import new_game

    words = Words(language)
    with Refusals(words):
        written = new_game(name, into)
        typer.echo(words("veillee.new.written", path=str(written[0].parent), name=name))


@app.command()
def freeze(game: GameName, language: Language) -> None:
    """Keep the present rules of a game for games that began with them, before changing them."""
    from veillee.cli.new import freeze_rules
    from veillee.engine.registry import game as spec_named

    words = Words(language)
    with Refusals(words):
        spec = spec_named(game)
        path = freeze_rules(spec)
        typer.echo(words("veillee.freeze.written", path=str(path), version=spec.version + 1))


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        raise Refusal("unreadable", "veillee.file", path=str(path)) from None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        raise Refusal("unreadable", "veillee.file.text", path=str(path)) from None


def _replayed(path: Path) -> Any:
    record = _json(path)
    if not isinstance(record, dict) or not isinstance(record.get("game"), str):
        raise Refusal("unreadable", "veillee.file", path=str(path))
    return _kind(record["game"]).replay(record)


def _kind(name: str) -> Any:
    """Return the class of the game, or of the series, of that name."""
    from veillee.engine.game import game_class
    from veillee.engine.registry import game as spec_named
    from veillee.engine.registry import games

    if name in _series():
        return _series()[name]
    if name not in games():
        raise Refusal("unknown", "veillee.game", name=name, games=", ".join(_game_names()))
    return game_class(spec_named(name))


def _specs(name: str) -> list[GameSpec]:
    """Return the game of that name, or the games of the series."""
    from veillee.engine.registry import game as spec_named
    from veillee.lumarathon import FIRST, NAME, SECOND

    return [spec_named(each) for each in ((FIRST, SECOND) if name == NAME else (name,))]


def main() -> None:
    """Run the command."""
    for stream in (sys.stdout, sys.stderr):
        # Consoles that are not UTF-8, as on Windows, show what they lack as a question mark.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    # Without the line of our source that issued it, which says nothing to the user of a command.
    warnings.formatwarning = lambda message, kind, *_: f"{kind.__name__}: {message}\n"
    use_folder(Path.cwd())
    from veillee.cli.lab import app as lab

    app.add_typer(lab, name="lab")
    app()
