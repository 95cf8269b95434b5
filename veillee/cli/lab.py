"""`veillee lab`: matches, tournaments and studies from the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from veillee.cli.arguments import App, a_language, game_names, level_names

if TYPE_CHECKING:
    from veillee.engine.precompile import WarmUp
    from veillee.lab.executor import Workers

app = App(
    help="Measure players, study and tune variants, train bots, export games and puzzles.",
    no_args_is_help=True,
)

Game = Annotated[str, typer.Argument(help="the game", autocompletion=game_names)]
Against = Annotated[
    str, typer.Argument(help="who sits in all other seats", autocompletion=level_names)
]
Players = Annotated[int, typer.Option(help="how many seats")]
Blocks = Annotated[int, typer.Option(help="deals, each played through all seats")]
First = Annotated[int, typer.Option(help="number of the first block: shards of one run differ")]
Seed = Annotated[int, typer.Option(help="what the deals start from")]
Option = Annotated[list[str] | None, typer.Option(help="an option of the game, name=value in JSON")]
VariantFile = Annotated[Path | None, typer.Option("--variant", help="a variant, TOML or JSON")]
Keep = Annotated[
    Path | None, typer.Option(help="a file to keep every block in; an interrupted run goes on")
]
Out = Annotated[Path | None, typer.Option(help="where to write the result as JSON")]
Plot = Annotated[Path | None, typer.Option(help="where to draw the result, .svg or .png")]
Processes = Annotated[
    int | None, typer.Option(help="how many processes; by default one for each processor")
]
Ray = Annotated[
    str | None, typer.Option(help="run on a Ray cluster: auto, or the address of its head")
]


@app.command(name="match")
def match_command(
    game: Game,
    challenger: Annotated[
        str,
        typer.Argument(
            help="who is tried: see https://veillee.github.io/veillee/bots",
            autocompletion=level_names,
        ),
    ],
    against: Against,
    players: Players = 3,
    blocks: Blocks = 100,
    first: First = 0,
    seed: Seed = 1,
    option: Option = None,
    variant: VariantFile = None,
    gain: Annotated[
        float | None, typer.Option(help="stop when it is clear whether the share is this much up")
    ] = None,
    detail: Annotated[
        bool, typer.Option("--breakdown", help="also by turn order, role and phase")
    ] = False,
    keep: Keep = None,
    out: Out = None,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """One challenger against a field of another kind, or of several (teller+spark)."""
    from veillee.bots.bot import WARM_UPS
    from veillee.lab.match import Terms, check_terms, match
    from veillee.lab.report import breakdown, matches, progress
    from veillee.lab.sprt import Sequential

    with _lab(processes, ray, keep, out) as started:
        options, label = _options(game, option, variant)
        terms = Terms(game, players, challenger, against, seed, options, label)
        sequential = None if gain is None else Sequential(gain)
        check_terms(terms, blocks)
        with started(game, *WARM_UPS) as pool, progress(blocks) as update:
            result = match(
                terms,
                blocks,
                first=first,
                file=keep,
                pool=pool,
                sequential=sequential,
                progress=update,
            )
        matches([result])
        if detail:
            breakdown(result)
        if sequential:
            typer.echo(sequential.answer(result.shares, terms.fair) or "not yet answered")
        _write(out, result.data())


@app.command(name="tournament")
def tournament_command(
    game: Game,
    names: Annotated[
        list[str], typer.Argument(help="two players or more", autocompletion=level_names)
    ],
    players: Players = 3,
    blocks: Blocks = 50,
    first: First = 0,
    seed: Seed = 1,
    option: Option = None,
    variant: VariantFile = None,
    ladder: Annotated[bool, typer.Option(help="only each against the one before it")] = False,
    keep: Keep = None,
    out: Out = None,
    plot: Plot = None,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Everybody against everybody, both ways."""
    from veillee.bots.bot import WARM_UPS
    from veillee.lab.report import draw, matches, progress, ratings
    from veillee.lab.tournament import tournament

    with _lab(processes, ray, keep, out, plot) as started:
        _check_plot(plot)
        options, label = _options(game, option, variant)
        with started(game, *WARM_UPS) as pool, progress(blocks) as update:
            held = tournament(
                game,
                players,
                names,
                blocks,
                ladder=ladder,
                seed=seed,
                options=options,
                variant=label,
                first=first,
                file=keep,
                pool=pool,
                progress=update,
            )
        matches(list(held.results.values()))
        ratings(held)
        _write(out, held.data())
        if plot:
            draw(held, plot)


@app.command(name="growth")
def growth_command(
    game: Game,
    player: Annotated[
        str, typer.Argument(help="who thinks longer and longer", autocompletion=level_names)
    ],
    against: Against,
    budgets: Annotated[list[int], typer.Argument(help="two numbers of iterations or more")],
    players: Players = 3,
    blocks: Blocks = 50,
    first: First = 0,
    seed: Seed = 1,
    option: Option = None,
    variant: VariantFile = None,
    keep: Keep = None,
    out: Out = None,
    plot: Plot = None,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Measure how strength grows with the budget, against the same opponent on the same deals."""
    from veillee.bots.bot import WARM_UPS
    from veillee.lab.growth import growth
    from veillee.lab.report import draw_growth, matches, progress, rises

    with _lab(processes, ray, keep, out, plot) as started:
        _check_plot(plot)
        options, label = _options(game, option, variant)
        with started(game, *WARM_UPS) as pool, progress(blocks) as update:
            held = growth(
                game,
                players,
                player,
                against,
                budgets,
                blocks,
                seed=seed,
                options=options,
                variant=label,
                first=first,
                file=keep,
                pool=pool,
                progress=update,
            )
        matches(list(held.results.values()))
        rises(held)
        _write(out, held.data())
        if plot:
            draw_growth(held, plot)


@app.command(name="calibrate")
def calibrate_command(
    game: Game,
    players: Players = 3,
    blocks: Blocks = 50,
    fewest: Annotated[
        int, typer.Option(help="deals at least: those who think longer play fewer")
    ] = 10,
    reach: Annotated[int, typer.Option(help="how many points below a point it meets")] = 2,
    seed: Seed = 1,
    keep: Keep = None,
    out: Out = None,
    write: Annotated[Path | None, typer.Option(help="a levels.toml to write")] = None,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Measure the strengths of a game's bots, the points of its levels.toml."""
    from veillee.bots.bot import WARM_UPS
    from veillee.engine.registry import game as spec_named
    from veillee.lab.calibrate import calibrate, check_rising, write_curve
    from veillee.lab.report import matches, progress, strengths
    from veillee.lab.versions import versions

    with _lab(processes, ray, keep, out, write) as started:
        spec = spec_named(game)
        with started(game, *WARM_UPS) as pool, progress(blocks) as update:
            found = calibrate(
                game,
                players,
                blocks,
                fewest=fewest,
                reach=reach,
                seed=seed,
                file=keep,
                pool=pool,
                progress=update,
            )
        matches(found.results)
        strengths(found)
        _write(out, found.data())
        check_rising(found.curve)
        if write:
            command = f"veillee lab calibrate {game} --players {players} --blocks {blocks}"
            command += f" --fewest {fewest} --reach {reach} --seed {seed}"
            code = versions(spec)["code"]
            write_curve(write, found.curve, f"{command}, code {code}")


@app.command(name="fit")
def fit_command(
    game: Game,
    player: Annotated[
        str, typer.Argument(help="who plays in all seats", autocompletion=level_names)
    ],
    players: Players = 3,
    games: Annotated[int, typer.Option(help="how many games to learn from")] = 500,
    seed: Seed = 1,
    option: Option = None,
    variant: VariantFile = None,
    write: Annotated[
        Path | None, typer.Option(help="a weights.toml whose table for --players is replaced")
    ] = None,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Fit the weights of the bots' heuristics to the results of games."""
    from veillee.bots.bot import WARM_UPS, fingerprint
    from veillee.bots.weights import put
    from veillee.engine.registry import game as spec_named
    from veillee.lab.fit import FEATURES, check_features, fit
    from veillee.lab.report import bars

    with _lab(processes, ray, write) as started:
        spec, (options, _) = spec_named(game), _options(game, option, variant)
        check_features(spec)
        with started(game, *WARM_UPS, FEATURES) as pool, bars() as shown:
            task = shown.add_task(game, total=games)
            found = fit(
                spec,
                players,
                games,
                player,
                seed,
                options=options,
                pool=pool,
                progress=lambda: shown.advance(task),
            )
        for name, (end, more) in found.weights.items():
            typer.echo(f"{name} = [{end:.4f}, {more:.4f}]")
        gain, low, high = found.gain
        typer.echo(
            f"held-out loss {found.loss:.4f}, less than now by {gain:.4f} ({low:.4f} to {high:.4f})"
        )
        if write:
            command = f"veillee lab fit {game} {player} --players {players} --games {games}"
            made_by = f"{command} --seed {seed}, bots {fingerprint(spec, players)}"
            put(write, players, found.weights, made_by)


@app.command(name="train")
def train_command(
    game: Game,
    player: Annotated[
        str, typer.Argument(help="who plays in all seats, a level", autocompletion=level_names)
    ] = "teller",
    players: Players = 3,
    generations: Annotated[int, typer.Option(help="how many generations to train")] = 1,
    games: Annotated[int, typer.Option(help="games of each generation")] = 20_000,
    judge: Annotated[
        str, typer.Option(help="who plays the match that admits a generation")
    ] = "sage:iterations=400",
    blocks: Annotated[int, typer.Option(help="deals of that match at most")] = 150,
    steps: Annotated[
        int, typer.Option(help="steps in which a policy learns, where the game has one")
    ] = 100,
    seed: Seed = 1,
    keep: Keep = None,
    write: Annotated[
        Path | None, typer.Option(help="a weights.toml whose table for --players is replaced")
    ] = None,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Let bots learn from games among themselves: see https://veillee.github.io/veillee/bots."""
    from veillee.bots.weights import as_tables, put
    from veillee.engine.registry import game as spec_named
    from veillee.lab.report import generation_line, study_progress
    from veillee.lab.train import Generation, Plan, check_plan, source, train, warm_ups

    with _lab(processes, ray, keep, write) as started:
        plan = Plan(game, players, games, player, judge, blocks, steps, seed)
        check_plan(plan, generations)
        command = f"veillee lab train {game} {player} --players {players} --games {games}"
        command += f" --generations {generations} --judge {judge} --blocks {blocks}"
        command += f" --steps {steps} --seed {seed}"

        def told(found: Generation) -> None:
            typer.echo(generation_line(found))
            if found.admitted and write:
                linear, network = as_tables(spec_named(game), found.weights)
                put(write, players, linear, source(plan, found, command), network)

        with started(game, *warm_ups(spec_named(game))) as pool, study_progress() as report:
            train(plan, generations, file=keep, pool=pool, report=report, told=told)


@app.command(name="study")
def study_command(
    game: Game,
    out: Annotated[Path, typer.Option(help="the report: .html, .md and .json are written")],
    variant: Annotated[
        Path | None, typer.Option(help="the variant, TOML or JSON; the printed game, if left out")
    ] = None,
    against: Annotated[
        str, typer.Option(help="what to compare it with: printed, another file, or nothing")
    ] = "",
    players: Annotated[str, typer.Option(help="numbers of players, 2-4 or 2,3; all")] = "",
    games: Annotated[int, typer.Option(help="random games of each number of players")] = 10_000,
    bot_games: Annotated[
        int | None,
        typer.Option(help="games of each number of players that bots play; by default --games"),
    ] = None,
    levels: Annotated[
        str,
        typer.Option(
            "--players-are", help="levels from weak to strong: random,teller; a+b for a mixed table"
        ),
    ] = "random",
    language: Annotated[
        str, typer.Option(help="the report's language: en, fr or es", callback=a_language)
    ] = "en",
    first: Annotated[
        int | None, typer.Option(help="number of the first game: play a shard of a longer study")
    ] = None,
    seed: Seed = 1,
    keep: Keep = None,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Play a variant many times and write a report: is it fair, how long, what is worth what."""
    from veillee.engine.registry import game as spec_named
    from veillee.engine.variant import read_variant
    from veillee.lab.extras import require
    from veillee.lab.report import study_progress
    from veillee.lab.study import (
        PRINTED,
        Plan,
        check_plan,
        printed,
        read_levels,
        read_players,
        warm_ups,
    )
    from veillee.lab.study import study as run
    from veillee.lab.study_report import Report, write

    with _lab(processes, ray, keep, out) as started:
        for library in ("matplotlib", "jinja2"):
            require(library)
        chosen = [read_variant(variant) if variant else printed(game)]
        if against:
            compared = printed(game) if against == PRINTED else read_variant(Path(against))
            chosen.append(compared)
        plan = Plan(
            game,
            tuple(chosen),
            read_players(spec_named(game), players),
            read_levels(levels),
            games,
            games if bot_games is None else bot_games,
            seed,
            first,
        )
        check_plan(plan)
        with started(game, *warm_ups(plan.levels)) as pool, study_progress() as update:
            found = run(plan, file=keep, pool=pool, progress=update)
        report = Report(found, language)
        for level in reversed(plan.levels):
            typer.echo(report.words("lab.report.when", level=report.level(level)))
            for sentence in report.sentences(level):
                typer.echo(f"  {sentence}")
        for file in write(report, out):
            typer.echo(file)


@app.command(name="tune")
def tune_command(
    goals: Annotated[
        Path,
        typer.Argument(
            help="what to tune, in TOML: see https://veillee.github.io/veillee/workshop"
        ),
    ],
    out: Annotated[Path, typer.Option(help="the chart; .svg, .json and .variant.json are written")],
    trials: Annotated[int, typer.Option(help="how many candidates to try in all")] = 50,
    games: Annotated[int, typer.Option(help="games of each candidate")] = 10_000,
    seed: Seed = 1,
    storage: Annotated[
        Path | None, typer.Option(help="a file to keep the trials in; an interrupted run goes on")
    ] = None,
    language: Annotated[
        str, typer.Option(help="the chart's language: en, fr or es", callback=a_language)
    ] = "en",
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Search for values of a game that meet goals: fair seats, a length, and others."""
    from veillee.engine.i18n import Words
    from veillee.lab import tune
    from veillee.lab.charts import front_chart
    from veillee.lab.extras import require
    from veillee.lab.report import bars, candidates
    from veillee.lab.study import warm_ups

    with _lab(processes, ray, storage, out) as started:
        require("matplotlib")
        task = tune.read_task(goals)
        tune.check_task(task, trials, games)
        with started(task.game, *warm_ups([task.level])) as pool, bars() as shown:
            bar = shown.add_task(task.name, total=trials)
            found = tune.tune(
                task,
                trials,
                games,
                seed=seed,
                storage=storage,
                pool=pool,
                progress=lambda n: shown.update(bar, completed=n),
            )
            best, again = tune.confirm(task, found, games, seed=seed + 1, pool=pool)
        candidates(found, best, again)
        chart = front_chart(task, found, games, Words(language))
        out.with_suffix(".svg").write_text(chart, "utf-8")
        _write(out.with_suffix(".json"), tune.data(task, found) | {"confirmed": again})
        out.with_suffix(".variant.json").write_text(tune.variant_file(task, best), "utf-8")


@app.command(name="export")
def export_command(
    game: Game,
    out: Annotated[Path, typer.Option(help="the folder to write Parquet files into")],
    players: Players = 3,
    games: Annotated[int, typer.Option(help="how many games to play")] = 10_000,
    level: Annotated[str, typer.Option("--players-are", help="who plays: a level")] = "random",
    positions: Annotated[bool, typer.Option(help="write every decision too")] = False,
    option: Option = None,
    variant: VariantFile = None,
    seed: Seed = 1,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Play games and write them as Parquet, for pandas, Polars or DuckDB.

    See https://veillee.github.io/veillee/lab for the columns.
    """
    from veillee.engine.refusal import Refusal
    from veillee.engine.registry import game as spec_named
    from veillee.lab.dataset import LOGS, export
    from veillee.lab.extras import require
    from veillee.lab.gather import Setting
    from veillee.lab.report import bars
    from veillee.lab.study import check_level, dealt, warm_ups

    with _lab(processes, ray) as started:
        require("pyarrow")
        if not out.is_dir() or not os.access(out, os.W_OK):
            raise Refusal("impossible", "lab.folder", path=str(out))
        if games < 1:
            raise Refusal("option", "lab.games", games=games, fewest=1)
        spec = spec_named(game)
        options, label = _options(game, option, variant)
        options = dealt(spec, options)
        spec.template(players, options)
        check_level(spec, level)
        logged = [LOGS] if positions else []
        setting = Setting(game, players, level, seed, options, label["hash"] if label else "")
        with started(game, *warm_ups([level]), *logged) as pool, bars() as shown:
            task = shown.add_task(game, total=games)
            files = export(
                setting,
                games,
                out,
                positions=positions,
                pool=pool,
                progress=lambda n: shown.advance(task, n),
            )
        for file in files:
            typer.echo(file)


@app.command(name="puzzles")
def puzzles_command(
    game: Game,
    out: Annotated[Path, typer.Option(help="the file to write, as JSON")],
    players: Annotated[str, typer.Option(help="numbers of players, 2-4 or 2,3; all")] = "",
    games: Annotated[int, typer.Option(help="how many games to play at most")] = 200,
    count: Annotated[int, typer.Option(help="how many puzzles to find")] = 20,
    kind: Annotated[str, typer.Option(help="one kind of puzzle only, such as bluff")] = "",
    players_are: Annotated[
        list[str] | None, typer.Option(help="who plays, such as teller; repeat it: games in turn")
    ] = None,
    again: Annotated[
        Path | None, typer.Option(help="puzzles from before: keep those that are still clear")
    ] = None,
    seed: Seed = 1,
    processes: Processes = None,
    ray: Ray = None,
) -> None:
    """Find positions with one clear best choice in games that bots play."""
    from veillee.bots.bot import WARM_UPS
    from veillee.engine.registry import game as spec_named
    from veillee.lab.players import check
    from veillee.lab.puzzles import find, read_older, write
    from veillee.lab.report import bars
    from veillee.lab.study import read_players

    with _lab(processes, ray, out) as started:
        spec = spec_named(game)
        counts = list(read_players(spec, players))
        entrants = players_are or ["teller"]
        for entrant in entrants:
            check(spec, entrant)
        older = read_older(again, game) if again else ()
        with started(game, *WARM_UPS) as pool, bars() as shown:
            bar = shown.add_task(game, total=games)

            def told(played: int, found: list[Any]) -> None:
                shown.update(bar, completed=played, description=f"{game}: {len(found)}")
                write(found, out)

            found = find(game, counts, entrants, games, count, seed, kind, pool, told, older)
        typer.echo(f"{len(found)} puzzles")


@app.command(name="merge")
def merge_command(
    files: Annotated[list[Path], typer.Argument(help="files that --keep wrote")],
    out: Annotated[Path, typer.Option(help="the file to write")],
) -> None:
    """Join the blocks of several runs, each block once."""
    from veillee.lab.results import merge

    with _lab(None, None, out):
        lines = merge(files)
        out.write_text("".join(line.text() for line in lines), "utf-8")
        typer.echo(f"{len(lines)} blocks")


class Start(Protocol):
    """Starts the workers for a game, when what they need of it is compiled."""

    def __call__(self, game: str, *warm_ups: WarmUp) -> AbstractContextManager[Workers]: ...


@contextmanager
def _lab(processes: int | None, ray: str | None, *files: Path | None) -> Iterator[Start]:
    """Turn refusals into messages; check the files to be written before any work is done.

    Yields a function that starts the workers, to be called when the input has been checked.
    """
    from veillee.cli.arguments import Refusals
    from veillee.engine.i18n import Words, language_of_environment
    from veillee.engine.precompile import ensure_compiled
    from veillee.engine.refusal import Refusal
    from veillee.engine.registry import game as spec_named
    from veillee.lab.executor import workers

    @contextmanager
    def start(game: str, *warm_ups: WarmUp) -> Iterator[Workers]:
        with workers(processes, ray) as pool:
            ensure_compiled(spec_named(game), warm_ups)  # or each worker would compile by itself
            yield pool

    with Refusals(Words(language_of_environment())):
        for path in files:
            if path and (path.is_dir() or not os.access(path.parent, os.W_OK)):
                raise Refusal("impossible", "lab.file", path=str(path))
        yield start


def _options(
    game: str, given: list[str] | None, variant: Path | None
) -> tuple[dict[str, Any], dict[str, str] | None]:
    """Return the options of a run, and name and hash of the variant that some come from."""
    from veillee.cli.arguments import read_options
    from veillee.engine.variant import read_variant

    options = read_options(given or [])
    if variant is None:
        return options, None
    found = read_variant(variant)
    return found.options(game, options), {"name": found.name, "hash": found.hash}


def _check_plot(plot: Path | None) -> None:
    """Refuse to draw where the library is missing."""
    from veillee.lab.extras import require

    if plot:
        require("matplotlib")


def _write(out: Path | None, data: dict[str, Any]) -> None:
    if out:
        out.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
