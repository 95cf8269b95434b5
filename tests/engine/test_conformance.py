"""What every game must hold to. A new folder under `veillee/games/` is tested here by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from veillee.engine.contract import Contract
from veillee.engine.events import new_buffer
from veillee.engine.game import Game, game_of
from veillee.engine.library import games
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed, fast_row
from veillee.engine.tally import lines
from veillee.engine.words import LANGUAGES, Words

AUDITED_GAMES = int(os.environ.get("VEILLEE_AUDIT", "1000"))
"""Random games of each player count with every invariant checked at every step; `make audit`
plays 100,000."""


def variants(contract: Contract) -> Iterator[dict[str, Any]]:
    """The default, every other choice of every option, and the small variant."""
    yield {}
    for option in contract.options:
        for value in option.choices:
            if value != option.default:
                yield {option.name: value}
    if contract.small:
        yield dict(contract.small)


TABLES = [
    pytest.param(contract, players, options, id=f"{contract.name}-{players}-{options}")
    for contract in games().values()
    for players in contract.seats
    for options in variants(contract)
]
SEATED = [
    pytest.param(contract, players, id=f"{contract.name}-{players}")
    for contract in games().values()
    for players in contract.seats
]


def a_game(contract: Contract, players: int, seed: int, **options: Any) -> Game:
    return game_of(contract)(players, seed, **options)


@pytest.mark.parametrize(("contract", "players", "options"), TABLES)
def test_random_games_end_and_every_form_goes_there_and_back(
    contract: Contract, players: int, options: dict[str, Any]
) -> None:
    game = a_game(contract, players, 11, **options)
    chance = Random(5)
    words = [Words(language) for language in LANGUAGES]
    while not game.over:
        legal = game.legal
        assert legal, "no legal action before the end"
        assert len(set(legal)) == len(legal)
        for action in legal:
            assert contract.parse(action.text) == int(action)
        shown = [json.dumps(contract.describe(game.state, int(action))) for action in legal]
        assert len(set(shown)) == len(legal)
        contract.check(game.state)
        again = type(game).from_position(json.loads(json.dumps(game.position)))
        assert again.states.tobytes() == game.states.tobytes()
        action = chance.choice(legal)
        for tongue in words:
            assert contract.say(tongue, game.state, int(action))
        events = game.play(action)
        json.dumps([contract.relate(event) for event in events])
    for language in LANGUAGES:
        assert game.log(language)
        assert game.board(language)
    record = json.loads(json.dumps(game.record()))
    assert type(game).replay(record).states.tobytes() == game.states.tobytes()
    assert 1 in game.places
    assert len(game.winners) >= 1


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_the_rows_of_a_score_sheet_sum_up_to_the_score(contract: Contract, players: int) -> None:
    for seed in range(5):
        game = a_game(contract, players, seed)
        chance = Random(seed)
        while not game.over:
            game.play(chance.choice(game.legal))
        sheets = [game.tally(seat) for seat in range(players)]
        assert [sum(row.points for row in sheet) for sheet in sheets] == game.scores
        for line in lines(sheets):
            assert len({(row.what, tuple(row.facts.items())) for row in line}) == 1
            assert all(row.clause in contract.clauses for row in line)
        for language in LANGUAGES:
            said = [row.said(Words(language)) for row in sheets[0]]
            assert len(set(said)) == len(said)


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_a_view_goes_out_and_in_and_is_enough_to_decide_on(
    contract: Contract, players: int
) -> None:
    """A remote player gets the view as JSON: nothing that it may know is lost on the way. What it
    does not know is dealt, so that it can play on."""
    game = a_game(contract, players, 17)
    chance = Random(4)
    while not game.over:
        for seat in (None, game.seat, chance.randrange(players)):
            seats = () if seat is None else (seat,)
            again = type(game).from_position(json.loads(json.dumps(game.view(seat))))
            assert again.seen_by(*seats).tobytes() == game.seen_by(*seats).tobytes()
            contract.check(again.state)
            if seat == game.seat:
                assert again.legal == game.legal
        game.play(chance.choice(game.legal))


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_the_facts_of_an_action_are_all_that_its_words_depend_on(
    contract: Contract, players: int
) -> None:
    """Across games, phases and seats: what was said once may be said again without a look."""
    words = Words("fr")
    said: dict[Any, tuple[Any, str]] = {}
    again = 0
    for seed in range(6):
        game = a_game(contract, players, seed)
        chance = Random(seed)
        while not game.over:
            s = contract.twin(game.seen_by(game.seat))
            for action in game.legal:
                key = action, contract.facts(s, action)
                told = contract.describe(s, action), contract.say(words, s, action)
                again += key in said
                assert said.setdefault(key, told) == told
            game.play(chance.choice(game.legal))
    assert again > 100


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_illegal_actions_are_refused_with_a_clause_and_change_nothing(
    contract: Contract, players: int
) -> None:
    game = a_game(contract, players, 3)
    chance = Random(2)
    while not game.over:
        legal = set(map(int, game.legal))
        before = game.states.tobytes()
        for number in chance.sample(range(contract.actions), 12):
            if number not in legal:
                with pytest.raises(Refusal) as refused:
                    game.play(number)
                assert refused.value.code == "illegal"
                assert refused.value.clause in contract.clauses
                assert refused.value.message(Words("fr"))
        assert game.states.tobytes() == before
        game.play(chance.choice(sorted(legal)))
    with pytest.raises(Refusal) as refused:
        game.play(0)
    assert refused.value.code == "over"


@pytest.mark.parametrize(("contract", "players", "options"), TABLES)
def test_compiled_and_plain_rules_agree_to_the_byte(
    contract: Contract, players: int, options: dict[str, Any]
) -> None:
    for seed in range(3):
        plain = a_game(contract, players, seed, **options)
        compiled = game_of(contract)(players, seed, compiled=True, **options)
        chance = Random(seed)
        assert plain.opening == compiled.opening
        while not plain.over:
            assert plain.states.tobytes() == compiled.states.tobytes()
            legal = plain.legal
            assert legal == compiled.legal
            for seats in range(1 << players):
                if chance.random() < 0.1:
                    chosen = [seat for seat in range(players) if seats >> seat & 1]
                    assert plain.seen_by(*chosen) == compiled.seen_by(*chosen)
                    one = plain.resample(*chosen, seed=seed).states.tobytes()
                    assert one == compiled.resample(*chosen, seed=seed).states.tobytes()
            action = chance.choice(legal)
            assert plain.play(action) == compiled.play(action)
        assert (plain.scores, plain.places) == (compiled.scores, compiled.places)


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_every_state_of_many_random_games_keeps_every_invariant(
    contract: Contract, players: int
) -> None:
    audit(contract, players, AUDITED_GAMES)


def audit(contract: Contract, players: int, n: int) -> Any:
    """Random games with every state checked; one random state of each."""
    states = np.zeros(n, contract.dtype)
    snapshots = np.zeros(n, contract.dtype)
    wrong = contract.compiled.audit(
        contract.template(players),
        states,
        2026,
        0,
        fast_row(0),
        np.zeros(contract.actions, np.int16),
        snapshots,
    )
    assert wrong == 0
    return snapshots


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_nobody_can_tell_a_resampled_game_from_the_true_one(
    contract: Contract, players: int
) -> None:
    """Byte for byte: the view, and for the seat to decide the list of legal actions."""
    true = audit(contract, players, max(AUDITED_GAMES, 2000))
    for seats in {0, *(1 << seat for seat in range(players)), 0b11, (1 << players) - 1}:
        seen = true.copy()
        contract.compiled.view_all(seen, seats)
        dealt = true.copy()
        contract.compiled.resample_all(dealt, seats, fast_row(9))
        from_view = seen.copy()
        contract.compiled.resample_all(from_view, seats, fast_row(9))
        assert dealt.tobytes() == from_view.tobytes(), "resample reads more than the view"
        assert no_invariant_broken(contract, dealt)
        seen_again = dealt.copy()
        contract.compiled.view_all(seen_again, seats)
        assert seen_again.tobytes() == seen.tobytes()
        deciding = np.array([s >= 0 and bool(seats >> int(s) & 1) for s in true["seat"]])
        assert lists(contract, true[deciding]) == lists(contract, dealt[deciding])
        twice = seen.copy()
        contract.compiled.view_all(twice, seats)
        assert twice.tobytes() == seen.tobytes()


def no_invariant_broken(contract: Contract, states: Any) -> bool:
    return not any(contract.compiled.broken(state) for state in states[:200])


def lists(contract: Contract, states: Any) -> list[bytes]:
    out = np.zeros(contract.actions, np.int16)
    found = []
    for i in range(min(len(states), 500)):
        n = contract.compiled.legal_at(states, i, out)
        found.append(out[:n].tobytes())
    return found


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_copies_never_share_memory(contract: Contract, players: int) -> None:
    """At each decision every action is tried on a copy of its own; nothing else changes."""
    game = a_game(contract, players, 8)
    chance = Random(8)
    while not game.over:
        before = game.states.tobytes()
        tried = {}
        for action in chance.sample(game.legal, min(4, len(game.legal))):
            copy = game.copy()
            copy.play(action)
            tried[action] = (copy, copy.states.tobytes())
        assert game.states.tobytes() == before
        for copy, after in tried.values():
            assert copy.states.tobytes() == after
        game.play(chance.choice(list(tried)))


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_undo_gives_the_decision_back(contract: Contract, players: int) -> None:
    game = a_game(contract, players, 21)
    chance = Random(1)
    for _ in range(30):
        if game.over:
            break
        before = game.states.tobytes()
        game.play(chance.choice(game.legal))
        game.undo()
        assert game.states.tobytes() == before
        game.play(chance.choice(game.legal))
        game.undo(redeal=True)
        everyone = range(players)
        game.contract.check(game.state)
        restored = type(game).from_position(game.position)
        seen = game_from(game, before).seen_by(*everyone)
        assert restored.seen_by(*everyone).tobytes() == seen.tobytes()
        game.play(chance.choice(game.legal))
    record = game.record(reveal=True)
    assert type(game).replay(record).states.tobytes() == game.states.tobytes()


@pytest.mark.parametrize("contract", games().values(), ids=games())
def test_no_entry_draws_what_another_drew(contract: Contract) -> None:
    """Set-up, every decision and every undo have chance of their own."""
    rows: list[int] = []

    class Told(Seed):
        def row(self, entry: int) -> Any:
            rows.append(entry)
            return super().row(entry)

    game = game_of(contract)(3, Told(bytes(32)))
    for _ in range(6):
        game.play(game.legal[0])
        game.undo(redeal=True)
        game.play(game.legal[-1])
    assert len(rows) == len(set(rows)) == 19


def game_from(game: Game, state: bytes) -> Game:
    other = game.copy()
    other._restore(state)
    return other


@pytest.mark.parametrize(("contract", "players"), SEATED)
def test_events_tell_the_same_with_and_without_a_listener(contract: Contract, players: int) -> None:
    """Listening changes nothing in the game."""
    kernel = contract.compiled
    heard, unheard = contract.template(players), contract.template(players)
    scratch = np.zeros(contract.actions, np.int16)
    kernel.setup_at(heard, 0, fast_row(4), scratch, new_buffer())
    kernel.setup_at(unheard, 0, fast_row(4), scratch, None)
    chance = Random(0)
    while heard[0]["seat"] >= 0:
        assert heard.tobytes() == unheard.tobytes()
        n = kernel.legal_at(heard, 0, scratch)
        action = int(scratch[chance.randrange(n)])
        seed = chance.randrange(1 << 30)
        kernel.apply_at(heard, 0, action, fast_row(seed), new_buffer())
        kernel.apply_at(unheard, 0, action, fast_row(seed), None)


@pytest.mark.parametrize("contract", games().values(), ids=games())
def test_a_state_is_small_flat_and_free_of_pointers(contract: Contract) -> None:
    assert contract.dtype.itemsize <= 1024
    assert not contract.dtype.hasobject


@pytest.mark.parametrize("contract", games().values(), ids=games())
def test_every_option_and_phase_has_words(contract: Contract) -> None:
    for language in LANGUAGES:
        words = Words(language)
        for option in contract.options:
            assert words(f"{contract.name}.option.{option.name}")
            assert words(f"{contract.name}.option.{option.name}.help")
        for phase in contract.phases:
            assert words(f"{contract.name}.phase.{phase}")
