"""Training the small network that corrects the linear evaluation (`bots/jit/evaluation.py`).

It starts without any effect, learns by Adam from the log-loss of the seats' shares, and is stopped
when the loss on games set aside has not fallen for a while. What is kept is a moving average of its
weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from veillee.bots.jit.evaluation import BIAS, DISTANCE, NETWORK_ROWS, OUTPUT, UNITS
from veillee.lab.fit import Table, log_loss

BATCH = 512
EPOCHS = 60
PATIENCE = 6
"""Epochs without a lower loss after which training ends."""
RATE = 2e-3
DECAY = 1e-3
"""Part of the rate by which weights shrink at each step."""
MEMORY = 0.995
"""Decay of the moving average."""
MOMENTUM, SCALE, TINY = 0.9, 0.999, 1e-8
"""Adam's constants."""

Rows = list[npt.NDArray[np.float64]]
"""Rows of the network: for each feature own and total weights of the units, then the others."""


def train_network(
    found: Table,
    far: Table,
    linear: Table,
    shares: Table,
    aside: npt.NDArray[np.bool_],
    seed: Sequence[int],
) -> Rows:
    """Return the rows of a network trained on all positions but those set aside.

    Args:
        found: Features, positions x seats x features.
        far: Distance to the end of each position.
        linear: The log-odds that the linear weights give each seat.
        shares: What each seat got.
        aside: Positions by whose loss training is stopped.
        seed: Seeds the first weights and the order of the positions.
    """
    chance = np.random.default_rng(seed)
    inputs = Inputs(found, far)
    x = inputs.scaled(found, far)
    size = x.shape[2]
    layers = [
        chance.standard_normal((size, UNITS)) * np.sqrt(1 / size),
        np.zeros(UNITS),
        np.zeros(UNITS),
    ]
    mean = [layer.copy() for layer in layers]
    first = [np.zeros_like(layer) for layer in layers]
    second = [np.zeros_like(layer) for layer in layers]
    best, lowest, since, step = mean, np.inf, 0, 0
    training = np.flatnonzero(~aside)
    for _ in range(EPOCHS):
        order = chance.permutation(training)
        for start in range(0, len(order), BATCH):
            at = order[start : start + BATCH]
            step += 1
            slopes = gradient(layers, x[at], linear[at], shares[at])
            for i, slope in enumerate(slopes):
                first[i] = MOMENTUM * first[i] + (1 - MOMENTUM) * slope
                second[i] = SCALE * second[i] + (1 - SCALE) * slope**2
                moved = first[i] / (1 - MOMENTUM**step)
                moved /= np.sqrt(second[i] / (1 - SCALE**step)) + TINY
                layers[i] = layers[i] - RATE * (moved + DECAY * layers[i])
                mean[i] = MEMORY * mean[i] + (1 - MEMORY) * layers[i]
        loss = log_loss(linear[aside] + output(mean, x[aside]), shares[aside]).mean()
        if loss < lowest:
            best, lowest, since = [layer.copy() for layer in mean], loss, 0
        else:
            since += 1
            if since == PATIENCE:
                break
    return inputs.rows(best)


def output(layers: Sequence[Table], x: Table) -> Table:
    """Return what the network adds to each seat's log-odds."""
    hidden, bias, out = layers
    return np.asarray(np.maximum(x @ hidden + bias, 0) @ out)


def gradient(layers: Sequence[Table], x: Table, linear: Table, shares: Table) -> list[Table]:
    """Return the slope of the mean log-loss for each layer."""
    hidden, bias, out = layers
    units = x @ hidden + bias
    active = np.maximum(units, 0)
    odds = linear + active @ out
    odds = np.exp(odds - odds.max(1, keepdims=True))
    error = (odds / odds.sum(1, keepdims=True) - shares) / len(x)
    back = error[:, :, None] * out * (units > 0)
    return [
        np.tensordot(x, back, axes=([0, 1], [0, 1])),
        back.sum((0, 1)),
        np.tensordot(error, active, axes=([0, 1], [0, 1])),
    ]


class Inputs:
    """The scaled inputs of a unit: features of the seat, their totals, the distance."""

    def __init__(self, found: Table, far: Table) -> None:
        raw = self._raw(found, far)
        flat = raw.reshape(-1, raw.shape[2])
        self._middle, self._spread = flat.mean(0), flat.std(0)
        self._spread[self._spread == 0] = 1
        self._features = found.shape[2]

    def scaled(self, found: Table, far: Table) -> Table:
        return np.asarray((self._raw(found, far) - self._middle) / self._spread)

    def rows(self, layers: Sequence[Table]) -> Rows:
        """Return trained layers as rows for features that are not scaled."""
        hidden, bias, out = layers
        weights = hidden / self._spread[:, None]
        n = self._features
        last = [np.zeros(UNITS)] * NETWORK_ROWS
        last[DISTANCE] = weights[2 * n]
        last[BIAS] = bias - self._middle @ weights
        last[OUTPUT] = out
        return [*np.concatenate([weights[:n], weights[n : 2 * n]], 1), *last]

    @staticmethod
    def _raw(found: Table, far: Table) -> Table:
        players = found.shape[1]
        totals = np.repeat(found.sum(1, keepdims=True), players, 1)
        distance = np.repeat(far[:, None, None], players, 1)
        return np.concatenate([found, totals, distance], 2)
