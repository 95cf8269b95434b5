"""Schemathesis: every check in every phase, at a running server. `fuzz.py` runs for longer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.http.api.fuzz import fuzz
from tests.web.served import Served, sqlite_in

EXAMPLES = 4
"""Examples for each operation."""


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose people and tables are nobody else's: nearly everything is tried on them."""
    with Served(sqlite_in(tmp_path_factory.mktemp("fuzzed")), "--no-limits") as server:
        yield server


def test_the_api_does_what_its_document_says(served: Served) -> None:
    done = fuzz(served, EXAMPLES)
    assert done.returncode == 0, done.stdout
    assert "Stateful" in done.stdout
