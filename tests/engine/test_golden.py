"""Stored games replay to the same end, and tell every seat the same."""

from __future__ import annotations

import json
import os

import pytest

from tests.golden import (
    DEALS,
    FOLDER,
    deals,
    label,
    perft,
    playthrough,
    playthrough_file,
    record_file,
    tables,
)
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec

compiles = pytest.mark.skipif("MUTANT_UNDER_TEST" in os.environ, reason="mutants run as Python")
TABLES = [pytest.param(c, players, id=f"{c.name}-{players}") for c, players in tables()]


@pytest.mark.parametrize(("spec", "players"), TABLES)
@pytest.mark.parametrize(
    "compiled",
    [pytest.param(False, id="plain"), pytest.param(True, id="compiled", marks=compiles)],
)
def test_a_stored_game_replays(spec: GameSpec, players: int, compiled: bool) -> None:
    record = json.loads(record_file(spec, players).read_text("utf-8"))
    game = game_class(spec).replay(record, compiled=compiled)
    assert game.over
    assert game.record() == record


@pytest.mark.parametrize(("spec", "players"), TABLES)
def test_a_stored_game_tells_every_seat_the_same(spec: GameSpec, players: int) -> None:
    record = json.loads(record_file(spec, players).read_text("utf-8"))
    stored = playthrough_file(spec, players).read_text("utf-8")
    assert playthrough(game_class(spec).replay(record)) == stored


@pytest.mark.parametrize(("spec", "players"), TABLES)
def test_the_same_seed_deals_the_same_game(spec: GameSpec, players: int) -> None:
    record = json.loads(record_file(spec, players).read_text("utf-8"))
    stored = json.loads(DEALS.read_text("utf-8"))
    assert deals(game_class(spec).replay(record)) == stored[label(spec, players)]


@compiles
@pytest.mark.parametrize(("spec", "players"), TABLES)
def test_perft(spec: GameSpec, players: int) -> None:
    counts = json.loads((FOLDER / "perft.json").read_text("utf-8"))
    assert perft(spec, players) == counts[label(spec, players)]
