"""Every clause of every game: code that names it, a test named after it, a line in the docs."""

from __future__ import annotations

import pytest

from tests import clauses

GAMES = clauses.games()


def test_there_are_games_with_clauses() -> None:
    assert "nomads" in GAMES


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_named_where_it_is_carried_out(game: str) -> None:
    missing = [clause.id for clause in clauses.clauses(game).values() if not clause.code]
    assert missing == [], f"name them in docstrings of veillee/games/{game}/"


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_test_named_after_it(game: str) -> None:
    missing = [clause.id for clause in clauses.clauses(game).values() if not clause.tests]
    assert missing == [], f"write them in tests/{game}/"


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_named_after_a_clause_that_is_not_there(game: str) -> None:
    assert clauses.strangers(game) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_table_in_the_docs_is_up_to_date(game: str) -> None:
    file = clauses.DOCS / f"{game}.md"
    assert file.exists(), f"python -m tests.clauses {game} --write"
    written = file.read_text("utf-8")
    assert written == clauses.table(game), f"python -m tests.clauses {game} --write"
