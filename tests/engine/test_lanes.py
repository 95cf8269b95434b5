"""Intrinsics do what their plain Python says."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from veillee.engine.jit import bits, cells, lanes

RECORD = np.dtype([("board", "i1", (225,)), ("piles", "i1", (8, 19)), ("heights", "i1", 8)])
WIDTH = 40
chance = np.random.default_rng(1)


def machine_code(function: Any) -> Any:
    return numba.njit(function)


@pytest.mark.parametrize(
    ("plain", "intrinsic"),
    [(bits.highest, bits.compiled_highest()), (bits.size_of, bits.compiled_size_of())],
)
def test_numbers_of_a_set(plain: Any, intrinsic: Any) -> None:
    compiled = machine_code(lambda bits: intrinsic(bits) + 0)
    for member in range(63):
        for below in (0, 1, (1 << member) - 1):
            assert compiled(1 << member | below) == plain(1 << member | below)
    assert compiled(0) == plain(0) == 0


def test_rows_are_added_in_order() -> None:
    add = lanes.compiled_add_rows()
    compiled = machine_code(lambda to, rows, factors: add(to, rows, 2, 3, factors, 4, 5))
    rows, factors = chance.normal(size=(7, WIDTH)), chance.normal(size=9)
    expected = chance.normal(size=lanes.LANES)
    found = expected.copy()
    lanes.add_rows(expected, rows, 2, 3, factors, 4, 5)
    compiled(found, rows, factors)
    assert found.tobytes() == expected.tobytes()


def some_record() -> Any:
    made = np.zeros(1, RECORD)
    made["board"] = chance.integers(0, 25, (1, 225))
    made["piles"] = chance.integers(0, 7, (1, 8, 19))
    made["heights"] = chance.integers(0, 20, (1, 8))
    return made


def test_a_record_is_copied() -> None:
    copy = cells.compiled_copy_record()
    compiled = machine_code(lambda to, i, records: copy(to[i], records[0]))
    made = some_record()
    found = np.zeros(3, RECORD)
    compiled(found, 1, made)
    assert found[1].tobytes() == made.tobytes()
    assert not any(found[0].tobytes() + found[2].tobytes())
    compiled(made, 0, made)
    assert found[1].tobytes() == made.tobytes()


def test_a_row_of_a_field_is_copied() -> None:
    copy = cells.compiled_copy_cells()
    compiled = machine_code(lambda made, out: copy(out, 5, made[0].piles, 3, 19))
    made = some_record()
    found, expected = np.full((2, WIDTH), 9, np.int8)
    cells.copy_cells(expected, 5, made[0]["piles"], 3, 19)
    compiled(made, found)
    assert found.tolist() == expected.tolist()
    assert found[5:24].tolist() == made[0]["piles"][3].tolist()


@pytest.mark.parametrize(("add", "turn", "most", "n"), [(0, 6, 24, 225), (1, 2, 24, 130)])
def test_numbers_are_turned(add: int, turn: int, most: int, n: int) -> None:
    rotate = cells.compiled_rotate_cells()
    compiled = machine_code(
        lambda made, out, add, turn, most, n: rotate(out, 2, made[0].board, add, turn, most, n)
    )
    made = some_record()
    found, expected = np.full((2, 230), 9, np.int8)
    cells.rotate_cells(expected, 2, made[0]["board"], add, turn, most, n)
    compiled(made, found, add, turn, most, n)
    assert found.tolist() == expected.tolist()
    assert (found[2 : 2 + n] != 0).sum() == (made[0]["board"][:n] + add != 0).sum()


def test_cells_are_translated_up_to_the_length_of_their_row() -> None:
    translate = cells.compiled_translate_cells()
    codes = 0x7654321
    compiled = machine_code(
        lambda made, out, codes: translate(out, 1, made[0].piles, made[0].heights, codes)
    )
    made = some_record()
    found, expected = np.full((2, 160), 9, np.int8)
    cells.translate_cells(expected, 1, made[0]["piles"], made[0]["heights"], codes)
    compiled(made, found, codes)
    assert found.tolist() == expected.tolist()
    assert np.count_nonzero(found[1:153]) == made[0]["heights"].clip(0, 19).sum()
