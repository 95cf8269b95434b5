"""What the soak calls growth of memory."""

from __future__ import annotations

from tests.web.soak import Sample, growth

MINUTES = range(30, 60)


def test_memory_that_follows_the_number_of_tables_has_not_grown() -> None:
    tables = {minute: 600 + (200 if minute > 44 else 0) + minute % 7 for minute in MINUTES}
    assert not growth([Sample(m, 130 + tables[m] * 0.1, tables[m], 900, 0) for m in MINUTES])


def test_memory_that_rises_beside_the_same_tables_has_grown() -> None:
    samples = [Sample(m, 190 + (m - 30) * 0.15, 600 + m % 7, 900, 0) for m in MINUTES]
    (problem,) = growth(samples)
    assert problem.startswith("memory grew: +4.4 MB")
