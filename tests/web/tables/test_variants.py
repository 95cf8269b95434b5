"""A table plays the variant that it was opened with, and its record names it."""

from __future__ import annotations

import json

import pytest

from tests.web.delivery.scene import set_up
from veillee.engine.game import game_class
from veillee.engine.refusal import Refusal
from veillee.engine.variant import Variant
from veillee.web.tables import log
from veillee.web.tables.plans import TablePlan
from veillee.web.tables.table import Table

ONE_WILD = Variant("nomads", "One Wild", {"wilds": 1})


def opened(plan: TablePlan) -> log.Open:
    entry = plan.opening("p0")[0][0]
    assert isinstance(entry, log.Open)
    return entry


def plan(**options: object) -> TablePlan:
    return TablePlan("nomads", ["", ""], {0: ""}, "00" * 16, options, variant=ONE_WILD)


def test_the_record_of_a_table_names_its_variant() -> None:
    entry = opened(plan(quick=True))
    table: Table = set_up("nomads", 2, options=entry.options, variant=entry.variant)[1]
    assert table.game is not None
    assert table.variant == ONE_WILD
    record = json.loads(json.dumps(table.game.record(reveal=True)))
    assert record["variant"]["name"] == "One Wild"
    assert record["options"] == {"wilds": 1, "quick": True}
    assert game_class(table.spec).replay(record).variant == ONE_WILD


def test_an_option_that_the_variant_sets_is_refused() -> None:
    plan(quick=True).check()
    with pytest.raises(Refusal):
        plan(wilds=0).check()


def test_the_printed_game_has_no_variant() -> None:
    table = set_up("nomads", 2)[1]
    assert table.variant is None
    assert table.game is not None
    assert "variant" not in table.game.record()
