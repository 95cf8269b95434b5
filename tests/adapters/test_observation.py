"""An observation has all that a seat may know, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from veillee.adapters.compiled import built, compiled, copied, planes, row_length
from veillee.engine.contract import Contract
from veillee.engine.library import games
from veillee.engine.observation import named, spread
from veillee.engine.seed import fast_row

TABLES = [
    pytest.param(contract, players, id=f"{contract.name}-{players}")
    for contract in games().values()
    for players in contract.seats
]
GAMES = [pytest.param(contract, id=contract.name) for contract in games().values()]
TOO_RARE = {"out"}
"""Planes that random games may leave empty: in Lumens nobody ever seems to have no place left."""


def some_states(contract: Contract, players: int, n: int) -> Any:
    """One random state of each of n random games; the last ones at the end."""
    states, snapshots = np.zeros(n, contract.dtype), np.zeros(n, contract.dtype)
    actions = np.zeros(contract.actions, np.int16)
    template = contract.template(players)
    wrong = contract.compiled.audit(template, states, 7, 0, fast_row(0), actions, snapshots)
    assert wrong == 0
    return np.concatenate([snapshots, states[:20]])


def observed(contract: Contract, states: Any, seat: int) -> Any:
    rows = np.zeros((len(states), row_length(contract)), np.int8)
    for i in range(len(states)):
        compiled(contract).observe_at(states, i, seat, rows[i])
    return rows


@pytest.mark.parametrize(("contract", "players"), TABLES)
def test_it_tells_no_more_than_the_seat_may_know(contract: Contract, players: int) -> None:
    """Byte for byte the same on the true state, on the seat's view, and on any state that the
    seat can't tell from it."""
    true = some_states(contract, players, 500)
    for seat in range(players):
        rows = observed(contract, true, seat)
        seen = copied(true)
        contract.compiled.view_all(seen, 1 << seat)
        assert (observed(contract, seen, seat) == rows).all()
        dealt = copied(true)
        contract.compiled.resample_all(dealt, 1 << seat, fast_row(3))
        assert (observed(contract, dealt, seat) == rows).all()


@pytest.mark.parametrize(("contract", "players"), TABLES)
def test_it_tells_no_less_than_the_seat_may_know(contract: Contract, players: int) -> None:
    """Whatever is changed in a seat's view shows, but for options and what follows from the rest.

    A changed state may be none that can be; then it may also be refused.
    """
    told = contract.observation
    assert told is not None
    assert contract.dtype.names is not None
    chance = Random(players)
    silent = set(contract.dtype.names) - {*told.OPTIONS, *told.DERIVED, "players"}
    states = some_states(contract, players, 100)
    plain = built(contract, compiled=False)
    for i in range(len(states)):
        seat = chance.randrange(players)
        seen = copied(states[i : i + 1])
        contract.compiled.view_at(seen, 0, 1 << seat)
        before = plainly(contract, plain, seen, seat)
        for name in sorted(silent):
            if any(
                plainly(contract, plain, other, seat) != before for other in changes(seen, name)
            ):
                silent.remove(name)
    assert not silent, "never shown when changed"


def changes(seen: Any, name: str) -> Iterator[Any]:
    """A state with one cell of a field changed; each cell in turn."""
    for at in range(seen[name].size):
        other = copied(seen)
        cells = other[name].reshape(-1)
        cells[at] = 1 if cells[at] != 1 else 0
        yield other


def plainly(contract: Contract, plain: Any, states: Any, seat: int) -> bytes:
    row = np.zeros(row_length(contract), np.int8)
    try:
        plain.observe_at([contract.twin(states)], 0, seat, row.data)
    except (IndexError, ValueError):
        return b"refused"
    return row.tobytes()


@pytest.mark.parametrize(("contract", "players"), TABLES)
def test_compiled_and_plain_agree(contract: Contract, players: int) -> None:
    plain = built(contract, compiled=False)
    states = some_states(contract, players, 40)
    for seat in range(players):
        rows = observed(contract, states, seat)
        for i in range(len(states)):
            assert plainly(contract, plain, states[i : i + 1], seat) == rows[i].tobytes()


@pytest.mark.parametrize("contract", GAMES)
def test_every_plane_is_described_and_used(contract: Contract) -> None:
    module = contract.observation
    assert isinstance(module, ModuleType)
    names = [plane.name for plane in planes(contract)]
    assert len(set(names)) == len(names)
    assert all(plane.meaning for plane in planes(contract))
    used = dict.fromkeys(names, False)
    for players in contract.seats:
        for seat in range(players):
            rows = observed(contract, some_states(contract, players, 300), seat)
            for plane, part in zip(
                planes(contract), named(planes(contract), rows).values(), strict=True
            ):
                used[plane.name] |= bool(part.any())
                if plane.codes:
                    assert part.min() >= 0
                    assert part.max() < len(plane.codes)
    assert {name for name, seen in used.items() if not seen} <= TOO_RARE


@pytest.mark.parametrize("contract", GAMES)
def test_codes_spread_into_ones(contract: Contract) -> None:
    rows = observed(contract, some_states(contract, min(contract.seats), 20), 0)
    wide = spread(planes(contract), rows)
    width = sum(plane.size * max(1, len(plane.codes)) for plane in planes(contract))
    assert wide.shape == (len(rows), width)
