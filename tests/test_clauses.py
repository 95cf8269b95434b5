"""Every clause of every game: code that names it, a test named after it, a line in the docs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests import clauses
from veillee import lumarathon
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games

GAMES = clauses.games()
MARKS = {
    "en": "(our ruling)",
    "fr": "(notre interprétation)",
    "es": "(interpretación nuestra)",
}
RULES = [(spec.name, spec.clauses, spec.rulings) for spec in games().values() if spec.clauses]
RULES.append((lumarathon.NAME, lumarathon.CLAUSES, lumarathon.RULINGS))


def test_there_are_games_with_clauses() -> None:
    assert "nomads" in GAMES


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_named_where_it_is_carried_out(game: str) -> None:
    missing = [clause.id for clause in clauses.clauses(game).values() if not clause.code]
    assert missing == [], f"name them in docstrings of veillee/games/{game}/"


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_a_test_named_after_it(game: str) -> None:
    missing = [clause.id for clause in clauses.clauses(game).values() if not clause.tests]
    assert missing == [], f"write them in tests/games/{game}/"


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_named_after_a_clause_that_is_not_there(game: str) -> None:
    assert clauses.strangers(game) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_table_in_the_docs_is_up_to_date(game: str) -> None:
    file = clauses.DOCS / f"{game}.md"
    assert file.exists(), f"python -m tests.clauses {game} --write"
    written = file.read_text("utf-8")
    assert written == clauses.table(game), f"python -m tests.clauses {game} --write"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("_", "ids", "rulings"), RULES, ids=[name for name, *_ in RULES])
def test_rulings_are_marked_as_ours_and_nothing_else_is(
    _: str, ids: Sequence[str], rulings: Sequence[str], language: str
) -> None:
    words = Words(language)
    marked = [clause for clause in ids if MARKS[language] in words(clause)]
    assert marked == [clause for clause in ids if clause in rulings]
