"""Nomads: events are the same for all, and hold nothing but what they declare."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.games.nomads.scene import new, told
from veillee.engine.events import new_buffer
from veillee.engine.seed import Seed
from veillee.games.nomads import SPEC


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_values_that_an_event_does_not_declare_are_zero(players: int) -> None:
    game = new(players, seed=players, quick=players > 3)
    chance = random.Random(players)
    buffer = new_buffer()
    met = set()
    while not game.over:
        action = chance.choice(game.legal)
        buffer[0, 0] = 0
        twin = SPEC.twin(game.states.copy())
        SPEC.plain.apply(twin, int(action), game.seed.row(0).data, buffer.data)
        for kind, _, *values in buffer[1 : buffer[0, 0] + 1].tolist():
            declared = len(SPEC.events.KINDS[kind].fields)
            assert values[declared:] == [0] * (6 - declared)
            met.add(kind)
        assert buffer[0, 0] == len(game.play(action))
    assert len(met) > 8


def test_everybody_sees_every_event() -> None:
    game = new(3, seed=2, quick=True)
    chance = random.Random(2)
    while not game.over:
        game.play(chance.choice(game.legal))
    assert len(told(game.events)) == len(game.events)
    for event in game.events:
        assert event.seen_by(0) == event


@pytest.mark.parametrize("players", [2, 5])
def test_set_up_tells_nothing_undeclared_either(players: int) -> None:
    twin = SPEC.twin(SPEC.template(players, {"quick": True}))
    buffer, scratch = new_buffer(), np.zeros(SPEC.actions, np.int16)
    seed = Seed.of(1)
    SPEC.plain.setup(twin, seed.row(0).data, scratch.data, buffer.data)
    for kind, audience, *values in buffer[1 : buffer[0, 0] + 1].tolist():
        assert audience == -1
        declared = len(SPEC.events.KINDS[kind].fields)
        assert values[declared:] == [0] * (6 - declared)


def test_with_nobody_listening_the_same_comes_to_pass() -> None:
    game = new(2, seed=4, quick=True)
    twin = SPEC.twin(game.states.copy())
    for _ in range(20):
        action = game.legal[-1]
        SPEC.plain.apply(twin, int(action), game.seed.row(0).data, None)
        game.play(action)
        assert twin.bytes == game.state.bytes
