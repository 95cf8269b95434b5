"""Measure the strength of a game's bots: the points of `levels.toml`, on an Elo scale.

Every point meets the next ones on the curve in matches of blocks (`lab.match`). A challenger who is
stronger by `difference` than each of `n - 1` others wins with odds of `10 ** (difference / 400)` to
`n - 1`, as in Elo's model of two players and in that of Plackett and Luce. The differences are
fitted to the shares of all blocks by maximum likelihood, which is a logistic regression; the
standard errors are robust for blocks, since the games of a block share a deal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from veillee.bots.levels import ANCHOR, NAMES, Curve, Point, curve
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.lab.executor import Workers, borrowed
from veillee.lab.match import Result, Terms, Z, check_terms, match
from veillee.lab.players import entrant_of

ANCHORED = 1500
"""The strength of the level that fixes the scale."""
SCALE = log(10) / 400
STEPS = 50
"""Steps of Newton's method at most."""
QUICK = 200
"""Up to so many iterations a match has all its blocks; with twice as many, half of them."""
HEADER = "# Settings of the bots' search from weak to strong, with strengths from `veillee lab`.\n"


@dataclass
class Calibration:
    """The matches, and the strengths that fit them best."""

    curve: Curve
    """The points with their new strengths."""
    results: Sequence[Result]

    @property
    def steps(self) -> list[tuple[str, str, float]]:
        """How far each level is above the one below it."""
        named = [point for point in self.curve.points if point.level]
        return [(a.level, b.level, b.strength - a.strength) for a, b in pairwise(named)]

    def data(self) -> dict[str, Any]:
        return {
            "matches": [result.data() for result in self.results],
            "points": [vars(point) for point in self.curve.points],
        }


def calibrate(
    game: str,
    players: int,
    blocks: int,
    *,
    fewest: int = 1,
    reach: int = 2,
    seed: int = 1,
    file: Path | None = None,
    pool: Workers | None = None,
    progress: Callable[[Result], None] = lambda _: None,
) -> Calibration:
    """Play every point of a game's curve against the `reach` points below it, and fit strengths.

    Args:
        game: The game.
        players: The number of seats.
        blocks: Blocks of each match; fewer of players who think longer than `QUICK`.
        fewest: Blocks of a match at least.
        reach: How many points lie between the players of a match at most, and one.
        seed: What the deals start from.
        file: Where to keep every block, so that an interrupted run goes on.
        pool: The processes that play.
        progress: Called after each block.
    """
    spec = spec_named(game)
    points = list(curve(spec).points)
    if not points:
        raise Refusal("option", "bots.strength.none", levels=", ".join(NAMES))
    entrants = [entrant_of(point.settings) for point in points]
    pairs = [
        (above, below)
        for above in range(len(points))
        for below in range(max(0, above - reach), above)
    ]
    results = []
    with borrowed(pool) as running:
        for above, below in pairs:
            terms = Terms(game, players, entrants[above], entrants[below], seed)
            thinks = max(QUICK, points[above].settings["iterations"])
            number = max(fewest, blocks * QUICK // thinks)
            check_terms(terms, number)
            results.append(match(terms, number, file=file, pool=running, progress=progress))
    order = {entrant: at for at, entrant in enumerate(entrants)}
    anchor = next(at for at, point in enumerate(points) if point.level == ANCHOR)
    strengths, errors = fit(results, order, anchor)
    measured = [
        replace(point, strength=ANCHORED + round(float(strengths[at])), error=round(errors[at], 1))
        for at, point in enumerate(points)
    ]
    return Calibration(Curve(measured, players), results)


def fit(
    results: Sequence[Result], order: Mapping[str, int], anchor: int
) -> tuple[Any, list[float]]:
    """Return the strengths above the anchor's, and their standard errors.

    One block with the fair share is added to each match, so that one that was won whole has a
    finite difference.
    """
    size = len(order)
    free = [at for at in range(size) if at != anchor]
    strengths = np.zeros(size)
    for _ in range(STEPS):
        slope, bend, spread = np.zeros(size), np.zeros((size, size)), np.zeros((size, size))
        for result in results:
            fair = result.terms.fair
            side = np.zeros(size)
            side[order[result.terms.challenger]] = SCALE
            side[order[result.terms.against]] = -SCALE
            odds = np.exp(side @ strengths) / (1 / fair - 1)
            expected = odds / (1 + odds)
            surprise = np.array([*result.shares, fair]) - expected
            slope += surprise.sum() * side
            bend += len(surprise) * expected * (1 - expected) * np.outer(side, side)
            spread += (surprise**2).sum() * np.outer(side, side)
        step = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        strengths[free] += np.clip(step, -200, 200)
        if np.abs(step).max() < 1e-6:
            break
    inverse = np.linalg.inv(bend[np.ix_(free, free)])
    variance = np.zeros(size)
    variance[free] = np.diag(inverse @ spread[np.ix_(free, free)] @ inverse)
    return strengths, [float(error) for error in np.sqrt(variance)]


def interval(point: Point) -> tuple[float, float]:
    """Return the 95% confidence interval of a strength."""
    return point.strength - Z * point.error, point.strength + Z * point.error


def check_rising(measured: Curve) -> None:
    """Refuse a curve on which a point is not stronger than the one below."""
    for weaker, stronger in pairwise(measured.points):
        if weaker.strength >= stronger.strength:
            raise Refusal(
                "impossible",
                "lab.calibrate.order",
                stronger=entrant_of(stronger.settings),
                weaker=entrant_of(weaker.settings),
            )


def write_curve(file: Path, measured: Curve, source: str) -> None:
    """Write a curve into a file, so that bots can be named by these strengths."""
    check_rising(measured)
    text = f"{HEADER}\nsource = {json.dumps(source)}\nplayers = {measured.players}\n"
    for point in measured.points:
        text += "\n[[point]]\n"
        text += f'level = "{point.level}"\n' if point.level else ""
        text += f"strength = {point.strength}\nerror = {point.error}\n"
        text += f"settings = {_inline(point.settings)}\n"
    file.write_text(text, "utf-8")


def _inline(settings: Mapping[str, Any]) -> str:
    pairs = (
        f"{name} = {_inline(value) if isinstance(value, Mapping) else value}"
        for name, value in settings.items()
    )
    return "{" + ", ".join(pairs) + "}"
