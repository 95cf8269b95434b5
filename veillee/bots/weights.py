"""Fitted weights of a game's heuristics, read from `weights.toml` in its folder.

The file has a table for each number of players, or one named `any`::

    [2]
    source = "veillee lab fit lumens teller --players 2 --games 2000, at commit 0123abc"

    [2.weights]
    points = [0.115, -0.188]

The names are those of the `Weight` enumeration in the game's `core/heuristics.py`. Each value is
a number or a list of numbers: a row of the array that the compiled heuristics are given, filled up
with zeros. A table `[2.network]` beside it holds the rows of a network (`bots/jit/evaluation.py`):
for each feature the weights of all units, and `distance`, `bias` and `output`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.bots.jit import evaluation, heuristics
from veillee.engine.game_spec import GameSpec

Weights = npt.NDArray[np.float64]
Rows = Mapping[str, Sequence[float]]
NETWORK = ("distance", "bias", "output")
"""Rows of a network behind those of the features."""
FILE = "weights.toml"
ANY = "any"
HEADER = "# Weights of core/heuristics.py by number of players, written by `veillee lab`.\n"


def weights_for(spec: GameSpec, players: int, file: Path | None = None) -> Weights:
    """Return the weights for a number of players, from the game's own file or another."""
    names = weight_names(spec)
    if not names:
        return np.zeros((0, 1))
    tables = _read(file or spec.folder / FILE)
    table = tables.get(str(players), tables.get(ANY, {}))
    given = table.get("weights", {})
    if set(given) != set(names):
        unmatched = ", ".join(sorted(set(given) ^ set(names)))
        raise ValueError(f"{file or FILE}, {players} players: missing or unknown: {unmatched}")
    rows = [np.atleast_1d(given[name]) for name in names]
    weights = np.zeros((len(rows), max(map(len, rows))))
    for at, row in enumerate(rows):
        weights[at, : len(row)] = row
    network = table.get("network")
    return (
        with_network(weights, [network[name] for name in (*names, *NETWORK)])
        if network
        else weights
    )


def with_network(weights: Weights, rows: Sequence[Sequence[float] | Weights]) -> Weights:
    """Return linear weights with the rows of a network beside and below them."""
    whole = np.zeros((len(rows), evaluation.COLUMNS))
    whole[: len(weights), : evaluation.OWN] = weights
    for at, row in enumerate(rows):
        whole[at, evaluation.OWN : evaluation.OWN + len(row)] = row
    return whole


def as_tables(spec: GameSpec, weights: Weights) -> tuple[Rows, Rows]:
    """Return weights as the rows of a file, linear and of the network; the latter may be empty."""
    names = weight_names(spec)
    if len(weights) == len(names):
        rows = next(iter(_read(spec.folder / FILE).values()))["weights"]
        wide = [len(np.atleast_1d(rows[name])) for name in names]
        return {name: weights[i, : wide[i]].tolist() for i, name in enumerate(names)}, {}
    linear = {name: weights[i, : evaluation.OWN].tolist() for i, name in enumerate(names)}
    network = {name: weights[i, evaluation.OWN :].tolist() for i, name in enumerate(names)}
    last = slice(evaluation.OWN, evaluation.TOTALS)
    network |= {name: weights[len(names) + i, last].tolist() for i, name in enumerate(NETWORK)}
    return linear, network


def has_features(spec: GameSpec) -> bool:
    """Tell whether a game is evaluated by features, so that their weights can be fitted."""
    return hasattr(spec.heuristics, "features")


def weight_names(spec: GameSpec) -> list[str]:
    """Return the names of the weights that a game's heuristics are given, in their order."""
    own = vars(spec.heuristics) if spec.heuristics else {}
    kinds: type[IntEnum] = own.get("Weight", heuristics.Weight)
    return [kind.name.lower() for kind in kinds]


def with_character(spec: GameSpec, weights: Weights, character: Mapping[str, float]) -> Weights:
    """Return the weights with some of them, by name, replaced."""
    changed = weights.copy()
    for name, value in character.items():
        changed[weight_names(spec).index(name)] = value
    return changed


def with_taste(spec: GameSpec, weights: Weights, taste: Mapping[str, float]) -> Weights:
    """Return the weights with something added to some of them, by name.

    It is added to the first column: in evaluations by features, the weight at any time.
    """
    changed = weights.copy()
    for name, value in taste.items():
        changed[weight_names(spec).index(name), 0] += value
    return changed


def put(file: Path, players: int, weights: Rows, source: str, network: Rows | None = None) -> None:
    """Write the weights for a number of players into a file, leaving its other tables alone."""
    tables = _read(file) if file.exists() else {}
    tables[str(players)] = {"source": source, "weights": weights, "network": network or {}}
    file.write_text("\n".join([HEADER, *(_table(name, tables[name]) for name in tables)]), "utf-8")
    _read.cache_clear()


def _table(name: str, content: Mapping[str, Any]) -> str:
    text = f"[{name}]\nsource = {json.dumps(content['source'])}\n"
    for part in ("weights", "network"):
        if rows := content.get(part):
            text += f"\n[{name}.{part}]\n"
            text += "".join(f"{key} = {_row(row)}\n" for key, row in rows.items())
    return text


def _row(row: float | Sequence[float]) -> str:
    if isinstance(row, float | int):
        return f"{row:.4g}"
    if len(row) == 1:
        return f"{row[0]:.5f}"
    return f"[{', '.join(f'{value:.5f}' for value in row)}]"


@cache
def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))
