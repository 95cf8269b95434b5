"""captain.know.memory: resampling deals what the seats may not know exactly as likely as it is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.games.captain.worlds import TANGLED, is_set_up, lies, played, read_as, story
from veillee.engine.jit.layout import copies_of
from veillee.engine.precompile import AUDIT, ensure_compiled
from veillee.engine.seed import fast_row
from veillee.games.captain import SPEC, Game
from veillee.games.captain.core.state import Card, Phase

SAMPLES = 3000
POSITIONS = 25_000
"""For each number of players."""

pytestmark = pytest.mark.skipif("MUTANT_UNDER_TEST" in os.environ, reason="mutants run as Python")


def dealt(game: Game, seats: int, n: int, seed: int) -> Any:
    states = copies_of(game.states, n)
    SPEC.compiled.resample_all(states, seats, fast_row(seed))
    return states


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_state_dealt_agrees_with_all_that_the_seats_were_told(players: int) -> None:
    chance = Random(players)
    for seed in range(3):
        for game, events in played(players, seed):
            if chance.random() < 0.08 or game.over:
                for seats in (1 << chance.randrange(players), chance.randrange(1 << players)):
                    states = dealt(game, seats, 3, seed)
                    for i in range(len(states)):
                        s = SPEC.twin(states, i)
                        tables = read_as(game, events, seats, story(s)).tables
                        found = [(t.loot, t.discard) for t in tables]
                        expected = [lies(s)] if is_set_up(game) else [(lies(s)[0], (0,) * 7)]
                        assert found == expected


def small_positions(players: int, seeds: range) -> Iterator[tuple[Game, int, dict[Any, float]]]:
    """Positions with few enough worlds to count, each world with its chance."""
    for seed in seeds:
        chance = Random(seed)
        for game, events in played(players, seed, **TANGLED):
            if (is_set_up(game) and game.state.row > 1 and chance.random() < 0.2) or game.over:
                seats = chance.choice(
                    [1 << chance.randrange(players), chance.randrange(1 << players)]
                )
                tables = read_as(game, events, seats).tables
                if 1 < len(tables) < 1500:
                    yield game, seats, worlds(game, tables)


def worlds(game: Game, tables: Any) -> dict[Any, float]:
    """The chance of each story, told up to the card that comes next."""
    s = game.state
    left = s.size - s.drawn
    arrival = 1 / left if not game.over and s.drawn >= s.size - s.bottom - 1 else 0.0
    total = float(sum(tables.values()))
    found = {}
    for table, weight in tables.items():
        chance = float(weight) / total
        if game.over:
            found[table.told, -1] = chance
            continue
        if arrival:
            found[table.told, int(Card.ARRIVAL)] = chance * arrival
        for card, n in enumerate(table.cave):
            if n and arrival < 1:
                found[table.told, card] = chance * (1 - arrival) * n / sum(table.cave)
    return found


def counted(game: Game, seats: int, n: int, seed: int) -> Counter[Any]:
    states = dealt(game, seats, n, seed)
    found: Counter[Any] = Counter()
    unique = Counter(states[i].tobytes() for i in range(n))
    for raw, times in unique.items():
        s = SPEC.twin(np.frombuffer(raw, SPEC.dtype))
        following = -1 if s.phase == Phase.OVER else s.cave[s.drawn]
        found[story(s), following] += times
    return found


def chi_square(expected: dict[Any, float], found: Counter[Any], n: int) -> tuple[float, int]:
    """Rare worlds are counted together."""
    total, cells, rare, rare_found = 0.0, 0, 0.0, 0
    for world, chance in expected.items():
        if chance * n < 8:
            rare += chance * n
            rare_found += found[world]
        else:
            total += (found[world] - chance * n) ** 2 / (chance * n)
            cells += 1
    if rare >= 8:
        total += (rare_found - rare) ** 2 / rare
        cells += 1
    return total, cells - 1


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_agreeing_state_is_dealt_as_often_as_it_is_likely(players: int) -> None:
    checked, deviations, freedom = 0, 0.0, 0
    for game, seats, expected in small_positions(players, range(8)):
        found = counted(game, seats, SAMPLES, checked)
        assert set(found) <= set(expected), "a state that disagrees with what was seen"
        for world, chance in expected.items():
            assert found[world] or chance * SAMPLES < 15, "a state that agrees is never dealt"
        total, free = chi_square(expected, found, SAMPLES)
        if free > 0:
            assert total < free + 6 * (2 * free) ** 0.5 + 12
        deviations += total
        freedom += free
        checked += 1
    assert checked > 10
    assert abs(deviations - freedom) < 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_no_seat_can_tell_a_resampled_game_from_the_true_one(players: int) -> None:
    """Byte for byte, over a hundred thousand random positions in all."""
    true = np.zeros(POSITIONS, SPEC.dtype)
    work, out = true.copy(), np.zeros(SPEC.actions, np.int16)
    rng = fast_row(0)
    template = SPEC.template(players)
    ensure_compiled(SPEC, (AUDIT,))
    assert SPEC.compiled.audit(template, work, players, 0, rng, out, true) == 0
    for seats in {*(1 << seat for seat in range(players)), 0, 0b101, (1 << players) - 1}:
        seen, dealt = true.copy(), true.copy()
        SPEC.compiled.view_all(seen, seats)
        SPEC.compiled.resample_all(dealt, seats, rng)
        if seats + 1 < 1 << players:
            assert dealt.tobytes() != true.tobytes()
        SPEC.compiled.view_all(dealt, seats)
        assert dealt.tobytes() == seen.tobytes()
