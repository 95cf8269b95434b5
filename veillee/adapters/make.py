"""Naming a game, its players and its options, the same way in every adapter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from veillee.adapters.build import ENVIRONMENTS, planes
from veillee.engine.game_spec import GameSpec
from veillee.engine.precompile import KERNEL, ensure_compiled
from veillee.engine.registry import game
from veillee.engine.variant import Variant, read_variant

SMALL = "small"
OBSERVATION = "observation"
Dtype = type[np.int8 | np.float32]
"""Possible types of an observation."""
VARIANT = "variant"


def setting(
    name: str, players: int | None, options: Mapping[str, Any]
) -> tuple[GameSpec, int, dict[str, Any]]:
    """Return a game that can be learnt, its number of players, and its options, all checked.

    The default is the smallest number of players. Among the options, `small=True` stands for those
    of the game's small variant, and `variant=` a path or a `Variant` for its values. A game that is
    not compiled yet is compiled, with a progress bar.
    """
    spec = game(name)
    planes(spec)
    chosen = dict(options)
    variant = chosen.pop(VARIANT, None)
    if variant is not None:
        found = variant if isinstance(variant, Variant) else read_variant(Path(variant))
        chosen = found.options(spec.name, chosen)
    if chosen.pop(SMALL, False):
        chosen = {**spec.options.SMALL, **chosen}
    count = min(spec.player_counts) if players is None else players
    spec.template(count, chosen)
    ensure_compiled(spec, (KERNEL, ENVIRONMENTS))
    return spec, count, chosen


def new_seed() -> int:
    """Draw a seed, for callers that gave none."""
    return int(np.random.default_rng().integers(1 << 62))
