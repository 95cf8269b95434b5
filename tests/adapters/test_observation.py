"""An observation has all that a seat may know, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from veillee.adapters.build import built, compiled, copied, planes, row_length
from veillee.engine.game_spec import GameSpec
from veillee.engine.observation import named, spread
from veillee.engine.precompile import AUDIT, ensure_compiled
from veillee.engine.registry import games
from veillee.engine.seed import fast_row

TABLES = [
    pytest.param(spec, players, id=f"{spec.name}-{players}")
    for spec in games().values()
    for players in spec.player_counts
]
GAMES = [pytest.param(spec, id=spec.name) for spec in games().values()]
TOO_RARE = {"out"}
"""Planes that random games may leave empty: in Lumens nobody ever seems to have no place left."""


def some_states(spec: GameSpec, players: int, n: int) -> Any:
    """One random state of each of n random games; the last ones at the end."""
    states, snapshots = np.zeros(n, spec.dtype), np.zeros(n, spec.dtype)
    actions = np.zeros(spec.actions, np.int16)
    template = spec.template(players)
    ensure_compiled(spec, (AUDIT,))
    wrong = spec.compiled.audit(template, states, 7, 0, fast_row(0), actions, snapshots)
    assert wrong == 0
    return np.concatenate([snapshots, states[:20]])


def observed(spec: GameSpec, states: Any, seat: int) -> Any:
    rows = np.zeros((len(states), row_length(spec)), np.int8)
    for i in range(len(states)):
        compiled(spec).observe_at(states, i, seat, rows[i])
    return rows


@pytest.mark.parametrize(("spec", "players"), TABLES)
def test_it_tells_no_more_than_the_seat_may_know(spec: GameSpec, players: int) -> None:
    """Byte for byte the same on the true state, on the seat's view, and on any state that the
    seat can't tell from it."""
    true = some_states(spec, players, 500)
    for seat in range(players):
        rows = observed(spec, true, seat)
        seen = copied(true)
        spec.compiled.view_all(seen, 1 << seat)
        assert (observed(spec, seen, seat) == rows).all()
        dealt = copied(true)
        spec.compiled.resample_all(dealt, 1 << seat, fast_row(3))
        assert (observed(spec, dealt, seat) == rows).all()


@pytest.mark.parametrize(("spec", "players"), TABLES)
def test_it_tells_no_less_than_the_seat_may_know(spec: GameSpec, players: int) -> None:
    """Whatever is changed in a seat's view shows, but for options and what follows from the rest.

    A changed state may be none that can be; then it may also be refused.
    """
    told = spec.observation
    assert told is not None
    assert spec.dtype.names is not None
    chance = Random(players)
    silent = set(spec.dtype.names) - {*told.OPTIONS, *told.DERIVED, "players"}
    states = some_states(spec, players, 100)
    plain = built(spec, compiled=False)
    for i in range(len(states)):
        seat = chance.randrange(players)
        seen = copied(states[i : i + 1])
        spec.compiled.view_at(seen, 0, 1 << seat)
        before = plainly(spec, plain, seen, seat)
        for name in sorted(silent):
            if any(plainly(spec, plain, other, seat) != before for other in changes(seen, name)):
                silent.remove(name)
    assert not silent, "never shown when changed"


def changes(seen: Any, name: str) -> Iterator[Any]:
    """A state with one cell of a field changed; each cell in turn."""
    for at in range(seen[name].size):
        other = copied(seen)
        cells = other[name].reshape(-1)
        cells[at] = 1 if cells[at] != 1 else 0
        yield other


def plainly(spec: GameSpec, plain: Any, states: Any, seat: int) -> bytes:
    row = np.zeros(row_length(spec), np.int8)
    try:
        plain.observe_at([spec.twin(states)], 0, seat, row.data)
    except (IndexError, ValueError):
        return b"refused"
    return row.tobytes()


@pytest.mark.parametrize(("spec", "players"), TABLES)
def test_compiled_and_plain_agree(spec: GameSpec, players: int) -> None:
    plain = built(spec, compiled=False)
    states = some_states(spec, players, 40)
    for seat in range(players):
        rows = observed(spec, states, seat)
        for i in range(len(states)):
            assert plainly(spec, plain, states[i : i + 1], seat) == rows[i].tobytes()


@pytest.mark.parametrize("spec", GAMES)
def test_every_plane_is_described_and_used(spec: GameSpec) -> None:
    module = spec.observation
    assert isinstance(module, ModuleType)
    names = [plane.name for plane in planes(spec)]
    assert len(set(names)) == len(names)
    assert all(plane.meaning for plane in planes(spec))
    used = dict.fromkeys(names, False)
    for players in spec.player_counts:
        for seat in range(players):
            rows = observed(spec, some_states(spec, players, 300), seat)
            for plane, part in zip(planes(spec), named(planes(spec), rows).values(), strict=True):
                used[plane.name] |= bool(part.any())
                if plane.codes:
                    assert part.min() >= 0
                    assert part.max() < len(plane.codes)
    assert {name for name, seen in used.items() if not seen} <= TOO_RARE


@pytest.mark.parametrize("spec", GAMES)
def test_codes_spread_into_ones(spec: GameSpec) -> None:
    rows = observed(spec, some_states(spec, min(spec.player_counts), 20), 0)
    wide = spread(planes(spec), rows)
    width = sum(plane.size * max(1, len(plane.codes)) for plane in planes(spec))
    assert wide.shape == (len(rows), width)
