"""Evaluation by features, for games whose `core/heuristics.py` counts some instead of evaluating.

A seat's log-odds of winning are the weighted sum of its features. Weights may bring a small network
too, whose output is added to that: one hidden layer of rectified units, each of which sees the
features of the seat, their totals over all seats, and the distance to the end of the game.

The array of weights has a row for each feature, and with a network one each for DISTANCE, BIAS and
OUTPUT behind them. Its columns are END and MORE, the linear weights at the end of the game and how
much more towards its beginning; then the units' weights for OWN features, and for TOTALS.
"""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.lanes import LANES, add_rows
from veillee.engine.jit.layout import Cells
from veillee.engine.jit.scratch import stack_array

features: Any = None
distance: Any = None
FEATURES: Any = None

UNITS = LANES
END, MORE, OWN = range(3)
TOTALS = OWN + UNITS
COLUMNS = TOTALS + UNITS
DISTANCE, BIAS, OUTPUT = range(3)
"""Rows of the network behind those of the features."""
NETWORK_ROWS = 3


def evaluate(s: Any, weights: Any, points: Cells, result: Any) -> float:
    """Write the log-odds of every seat into `result`."""
    far = distance(s)
    features(s, points)
    slope = stack_array(FEATURES)
    for feature in range(FEATURES):
        slope[feature] = weights[feature, END] + weights[feature, MORE] * far
    for seat in range(s.players):
        odds = 0.0
        for feature in range(FEATURES):
            odds += points[seat * FEATURES + feature] * slope[feature]
        result[seat] = odds
    if len(weights) > FEATURES:
        add_network(s.players, far, weights, points, result)
    return 1.0


def add_network(players: int, far: float, weights: Any, points: Cells, result: Any) -> None:
    """Add the output of the network."""
    total = stack_array(UNITS)
    unit = stack_array(UNITS)
    sums = stack_array(FEATURES)
    start = stack_array(2)
    start[DISTANCE] = far
    start[BIAS] = 1.0
    for k in range(UNITS):
        total[k] = 0.0
    add_rows(total, weights, FEATURES, OWN, start, 0, 2)
    for feature in range(FEATURES):
        sums[feature] = 0.0
    for seat in range(players):
        for feature in range(FEATURES):
            sums[feature] += points[seat * FEATURES + feature]
    add_rows(total, weights, 0, TOTALS, sums, 0, FEATURES)
    for seat in range(players):
        for k in range(UNITS):
            unit[k] = total[k]
        add_rows(unit, weights, 0, OWN, points, seat * FEATURES, FEATURES)
        odds = result[seat]
        for k in range(UNITS):
            odds += max(unit[k], 0.0) * weights[FEATURES + OUTPUT, OWN + k]
        result[seat] = odds
