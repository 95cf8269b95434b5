"""Chance: the published test vectors, fairness, and the same draws compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest

from veillee.engine.jit import rng as chance
from veillee.engine.jit.compile import Build
from veillee.engine.seed import Seed, fast_row

COMPILED = Build("test", "veillee.engine", compiled=True).module(chance)


def test_secret_rows_are_chacha20_as_published() -> None:
    """RFC 8439, section 2.3.2."""
    row = Seed(bytes(range(32))).row(0)
    row[chance.BLOCK] = 1
    row[chance.NONCE : chance.NONCE + 3] = [0x09000000, 0x4A000000, 0]
    drawn = [chance.draw(row.data) for _ in range(16)]
    assert drawn == [
        *(0xE4E7F110, 0x15593BD1, 0x1FDD0F50, 0xC47120A3),
        *(0xC7F4D1C7, 0x0368C033, 0x9AAA2204, 0x4E6CD4C3),
        *(0x466482D2, 0x09AA9F07, 0x05D7C214, 0xA2028BD9),
        *(0xD19C12B5, 0xB94E16DE, 0xE883D0CB, 0x4E3C50A2),
    ]


@pytest.mark.parametrize("row", [fast_row(5), Seed.of(5).row(3)], ids=["fast", "secret"])
def test_compiled_and_plain_draw_the_same(row: np.ndarray) -> None:
    other = row.copy()
    for n in (1, 2, 3, 7, 112, 1000, 30_000):
        for _ in range(40):
            assert chance.below(row.data, n) == COMPILED.below(other, n)
    assert row.tobytes() == other.tobytes()


@pytest.mark.parametrize("row", [fast_row(1), Seed.of(1).row(0)], ids=["fast", "secret"])
def test_every_number_comes_as_often(row: np.ndarray) -> None:
    """Chi-square with 6 degrees of freedom: 22.5 is passed once in a thousand."""
    counts = np.bincount([COMPILED.below(row, 7) for _ in range(70_000)], minlength=7)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 22.5


def test_below_draws_again_where_the_rest_would_be_unfair() -> None:
    row = fast_row(0)
    n = 3 << 30
    drawn = [chance.below(row.data, n) for _ in range(2000)]
    assert max(drawn) < n
    assert 0.45 < sum(value < n // 2 for value in drawn) / 2000 < 0.55


def test_each_entry_has_chance_of_its_own() -> None:
    seed = Seed.of("a game")
    first = [chance.draw(seed.row(0).data) for _ in range(2)]
    assert first[0] == first[1]
    assert chance.draw(seed.row(0).data) != chance.draw(seed.row(1).data)


def test_a_seed_is_committed_to_and_every_person_mixes_in() -> None:
    seed = Seed.of("00" * 32)
    assert seed.bytes == bytes(32)
    assert seed.commitment != seed.hex
    assert seed.commitment == Seed(bytes(32)).commitment
    assert seed.mixed([b"a", b"b"]).bytes != seed.mixed([b"ab"]).bytes
    assert seed.mixed([b"a"]).bytes == seed.mixed([b"a"]).bytes
    with pytest.raises(ValueError, match="32 bytes"):
        Seed(b"short")


def test_a_seed_comes_from_anything() -> None:
    assert Seed.of(None).bytes != Seed.of(None).bytes
    assert Seed.of(7).bytes == Seed.of("7").bytes
    assert Seed.of("zz" * 32).bytes == Seed.of("zz" * 32).bytes
    assert Seed.of(bytes(32)).bytes == bytes(32)
    assert Seed.of(Seed.of(3)).bytes == Seed.of(3).bytes
