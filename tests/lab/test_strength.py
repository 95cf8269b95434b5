"""The list of matches that tell how strong the bots are."""

from __future__ import annotations

import sys

from benchmarks.strength import hours, lines
from veillee.engine.registry import games
from veillee.lab.match import Terms, check_terms, play


def test_every_table_meets_the_past_greedy_and_the_level_below() -> None:
    found = list(lines(sys.executable, seed=1))
    tables = {(name, players) for name, spec in games().items() for players in spec.player_counts}
    assert {(line.terms.game, line.terms.players) for line in found} == tables
    assert len({line.name for line in found}) == len(found) == 9 * len(tables)
    for line in found:
        check_terms(line.terms)
        assert line.terms.fair <= line.asked < 1
    assert 0 < hours(found[0], 400) < 100


def test_a_frozen_bot_plays_today_s_views() -> None:
    frozen = f"program:{sys.executable} benchmarks/frozen_bot.py --iterations 2"
    shares = play(Terms("lumens", 2, frozen, "random"), 0, [frozen, "random"]).shares
    assert sum(shares) == 1
