"""`veillee lab`: matches and tournaments from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(help="Let players meet: who is stronger, and by how much.", no_args_is_help=True)

Game = Annotated[str, typer.Argument(help="the game")]
Players = Annotated[int, typer.Option(help="how many seats")]
Blocks = Annotated[int, typer.Option(help="deals, each played through all seats")]
Seed = Annotated[int, typer.Option(help="what the deals start from")]
Option = Annotated[list[str] | None, typer.Option(help="an option of the game, name=value in JSON")]
Keep = Annotated[
    Path | None, typer.Option(help="a file to keep every block in; an interrupted run goes on")
]
Out = Annotated[Path | None, typer.Option(help="where to write the result as JSON")]
Plot = Annotated[Path | None, typer.Option(help="where to draw the result, .svg or .png")]


@app.command(name="match")
def match_command(
    game: Game,
    challenger: Annotated[str, typer.Argument(help="who is tried: see docs/bots.md")],
    against: Annotated[str, typer.Argument(help="who sits in all other seats")],
    players: Players = 3,
    blocks: Blocks = 100,
    seed: Seed = 1,
    option: Option = None,
    gain: Annotated[
        float | None, typer.Option(help="stop when it is clear whether the share is this much up")
    ] = None,
    keep: Keep = None,
    out: Out = None,
) -> None:
    """One challenger against a field of another kind."""
    from veillee.lab.match import Terms, match
    from veillee.lab.sequential import Sequential
    from veillee.lab.show import matches, progress

    with _refusals():
        terms = Terms(game, players, challenger, against, seed, _options(option))
        sequential = Sequential(gain) if gain else None
        with progress(blocks) as told:
            result = match(terms, blocks, file=keep, sequential=sequential, progress=told)
    matches([result])
    if sequential:
        typer.echo(sequential.answer(result.shares, terms.fair) or "not yet answered")
    _write(out, result.data())


@app.command(name="tournament")
def tournament_command(
    game: Game,
    names: Annotated[list[str], typer.Argument(help="two players or more")],
    players: Players = 3,
    blocks: Blocks = 50,
    seed: Seed = 1,
    option: Option = None,
    ladder: Annotated[bool, typer.Option(help="only each against the one before it")] = False,
    keep: Keep = None,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """Everybody against everybody, both ways."""
    from veillee.lab.show import draw, matches, progress, ratings
    from veillee.lab.tournament import tournament

    with _refusals(), progress(blocks) as told:
        held = tournament(
            game,
            players,
            names,
            blocks,
            ladder=ladder,
            seed=seed,
            options=_options(option),
            file=keep,
            progress=told,
        )
    matches(list(held.results.values()))
    ratings(held)
    _write(out, held.data())
    if plot:
        draw(held, plot)


@app.command(name="growth")
def growth_command(
    game: Game,
    player: Annotated[str, typer.Argument(help="who thinks longer and longer")],
    against: Annotated[str, typer.Argument(help="who sits in all other seats")],
    budgets: Annotated[list[int], typer.Argument(help="two numbers of iterations or more")],
    players: Players = 3,
    blocks: Blocks = 50,
    seed: Seed = 1,
    keep: Keep = None,
    out: Out = None,
    plot: Plot = None,
) -> None:
    """What more thinking gives: each budget against the same opponent, on the same deals."""
    from veillee.lab.growth import growth
    from veillee.lab.show import draw_growth, matches, progress, rises

    if len(set(budgets)) < 2 or min(budgets) < 1:
        raise typer.BadParameter("give two different numbers of iterations or more, each above 0")
    with _refusals(), progress(blocks) as told:
        held = growth(
            game, players, player, against, budgets, blocks, seed=seed, file=keep, progress=told
        )
    matches(list(held.results.values()))
    rises(held)
    _write(out, held.data())
    if plot:
        draw_growth(held, plot)


@app.command(name="fit")
def fit_command(
    game: Game,
    player: Annotated[str, typer.Argument(help="who plays in all seats")],
    players: Players = 3,
    games: Annotated[int, typer.Option(help="how many games to learn from")] = 500,
    seed: Seed = 1,
) -> None:
    """How much each sign of a position tells about who will win: WEIGHTS for a knowledge.py."""
    from rich.progress import track

    from veillee.engine.library import game as contract_named
    from veillee.lab.fit import fit
    from veillee.lab.players import check

    with _refusals():
        contract = contract_named(game)
        check(contract, player)
        bar = iter(track(range(games), description=game))
        for name, (end, more) in fit(
            contract, players, games, player, seed, lambda: next(bar, None)
        ).items():
            typer.echo(f"[{end:.3f}, {more:.3f}],  # {name}")


def _refusals() -> Any:
    from veillee.cli import Refusals
    from veillee.engine.words import Words, language_of_environment

    return Refusals(Words(language_of_environment()))


def _options(given: list[str] | None) -> dict[str, Any]:
    from veillee.cli import read_options

    return read_options(given or [])


def _write(out: Path | None, data: dict[str, Any]) -> None:
    if out:
        out.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
