"""Stored games replay to the same end, and tell every seat the same."""

from __future__ import annotations

import json

import pytest

from tests.golden import FOLDER, perft, playthrough, playthrough_file, record_file, tables
from veillee.engine.contract import Contract
from veillee.engine.game import game_of

TABLES = [pytest.param(c, players, id=f"{c.name}-{players}") for c, players in tables()]


@pytest.mark.parametrize(("contract", "players"), TABLES)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_a_stored_game_replays(contract: Contract, players: int, compiled: bool) -> None:
    record = json.loads(record_file(contract, players).read_text("utf-8"))
    game = game_of(contract).replay(record, compiled=compiled)
    assert game.over
    assert game.record() == record


@pytest.mark.parametrize(("contract", "players"), TABLES)
def test_a_stored_game_tells_every_seat_the_same(contract: Contract, players: int) -> None:
    record = json.loads(record_file(contract, players).read_text("utf-8"))
    stored = playthrough_file(contract, players).read_text("utf-8")
    assert playthrough(game_of(contract).replay(record)) == stored


@pytest.mark.parametrize(("contract", "players"), TABLES)
def test_perft(contract: Contract, players: int) -> None:
    counts = json.loads((FOLDER / "perft.json").read_text("utf-8"))
    assert perft(contract, players) == counts[f"{contract.name}-{players}"]
