"""Weights as numbers to be moved: each in steps of its own, within its limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from veillee.bots.weights import Weights

Ranges = Mapping[int, tuple[float, float, float, int]]
"""For a row of weights: a step worth trying, lowest and highest value, and how many columns."""


class Scale:
    """Some of the weights, counted in steps; the others stay as they are."""

    def __init__(self, start: Weights, ranges: Ranges) -> None:
        self._start = start
        given = ranges.items()
        self._cells = [(int(row), at) for row, (*_, columns) in given for at in range(columns)]
        limits = [limits for _, (*limits, columns) in given for _ in range(columns)]
        self._step, self._low, self._high = np.array(limits).T

    def numbers(self, weights: Weights) -> Any:
        return np.array([weights[cell] for cell in self._cells]) / self._step

    def weights(self, numbers: Any) -> Weights:
        changed = self._start.copy()
        for cell, value in zip(self._cells, numbers * self._step, strict=True):
            changed[cell] = value
        return changed

    def limited(self, numbers: Any) -> Any:
        return np.clip(numbers, self._low / self._step, self._high / self._step)
