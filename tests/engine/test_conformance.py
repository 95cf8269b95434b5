"""What every game must hold to. A new folder under `veillee/games/` is tested here by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.engine.worlds import play_worlds
from veillee.engine.events import new_buffer
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.precompile import AUDIT, ensure_compiled
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.score_sheet import lines
from veillee.engine.seed import Seed, fast_row

AUDITED_GAMES = int(os.environ.get("VEILLEE_AUDIT", "1000"))
"""Random games of each player count with every invariant checked at every step;
`python -m tests.engine.audit` plays 100,000."""
LARGEST_STATE = 17 * 64
"""Bytes: 17 cache lines hold Lumens' three boards and the values that a variant may change."""


def variants(spec: GameSpec) -> Iterator[dict[str, Any]]:
    """The default, every other choice of every option, and the small variant."""
    yield {}
    for option in spec.options.OPTIONS:
        for value in option.choices:
            if value != option.default:
                yield {option.name: value}
    if spec.options.SMALL:
        yield dict(spec.options.SMALL)


TABLES = [
    pytest.param(spec, players, options, id=f"{spec.name}-{players}-{options}")
    for spec in games().values()
    for players in spec.player_counts
    for options in variants(spec)
]
SEATED = [
    pytest.param(spec, players, id=f"{spec.name}-{players}")
    for spec in games().values()
    for players in spec.player_counts
]


def a_game(spec: GameSpec, players: int, seed: int, **options: Any) -> Game:
    return game_class(spec)(players, seed, **options)


@pytest.mark.parametrize(("spec", "players", "options"), TABLES)
def test_random_games_end_and_every_form_goes_there_and_back(
    spec: GameSpec, players: int, options: dict[str, Any]
) -> None:
    game = a_game(spec, players, 11, **options)
    chance = Random(5)
    words = [Words(language) for language in LANGUAGES]
    while not game.over:
        legal = game.legal
        assert legal, "no legal action before the end"
        assert len(set(legal)) == len(legal)
        for action in legal:
            assert spec.notation.parse(action.text) == int(action)
        shown = [json.dumps(spec.notation.describe(game.state, int(action))) for action in legal]
        assert len(set(shown)) == len(legal)
        spec.position.check(game.state)
        again = type(game).from_position(json.loads(json.dumps(game.position)))
        assert again.states.tobytes() == game.states.tobytes()
        action = chance.choice(legal)
        for tongue in words:
            assert spec.text.say(tongue, game.state, int(action), game.names)
        events = game.play(action)
        json.dumps([spec.relate(event) for event in events])
    for language in LANGUAGES:
        assert game.log(language)
        assert game.board(language)
    record = json.loads(json.dumps(game.record()))
    assert type(game).replay(record).states.tobytes() == game.states.tobytes()
    assert 1 in game.places
    assert len(game.winners) >= 1


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_the_rows_of_a_score_sheet_sum_up_to_the_score(spec: GameSpec, players: int) -> None:
    for seed in range(5):
        game = a_game(spec, players, seed)
        chance = Random(seed)
        while not game.over:
            game.play(chance.choice(game.legal))
        sheets = [game.score_sheet(seat) for seat in range(players)]
        assert [sum(row.points for row in sheet) for sheet in sheets] == game.scores
        for line in lines(sheets):
            assert len({(row.what, tuple(row.facts.items())) for row in line}) == 1
            assert all(row.clause in spec.clauses for row in line)
        for language in LANGUAGES:
            said = [row.said(Words(language)) for row in sheets[0]]
            assert len(set(said)) == len(said)


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_a_view_goes_out_and_in_and_is_enough_to_decide_on(spec: GameSpec, players: int) -> None:
    """A remote player gets the view as JSON: nothing that it may know is lost on the way. What it
    does not know is dealt, so that it can play on."""
    game = a_game(spec, players, 17)
    chance = Random(4)
    while not game.over:
        for seat in (None, game.seat, chance.randrange(players)):
            again = reloaded(game, seat)
            if seat == game.seat:
                assert again.legal == game.legal
        game.play(chance.choice(game.legal))


@pytest.mark.parametrize(("spec", "players", "options"), TABLES)
def test_a_view_of_a_finished_game_loads_with_the_same_result(
    spec: GameSpec, players: int, options: dict[str, Any]
) -> None:
    for seed in range(6):
        game = a_game(spec, players, seed, **options)
        chance = Random(seed)
        while not game.over:
            game.play(chance.choice(game.legal))
        for seat in (None, *range(players)):
            again = reloaded(game, seat, compiled=seed % 2 == 1)
            assert (again.over, again.scores, again.places) == (True, game.scores, game.places)


def reloaded(game: Game, seat: int | None, compiled: bool = False) -> Game:
    """A game loaded from a seat's view, which says whose it is and comes out the same again."""
    view = json.loads(json.dumps(game.view(seat)))
    seats = [] if seat is None else [seat]
    assert view["seen_by"] == seats
    again = type(game).from_position(view, compiled=compiled)
    assert again.seen_by(*seats).tobytes() == game.seen_by(*seats).tobytes()
    assert again.view(seat) == game.view(seat)
    game.spec.position.check(again.state)
    assert not game.spec.position.hides(again.state)
    return again


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_a_view_that_tells_more_than_its_seats_may_know_is_refused(
    spec: GameSpec, players: int
) -> None:
    game = a_game(spec, players, 17)
    for _ in range(20):
        if not game.over:
            game.play(game.legal[0])
    elsewhere: list[Any] = [0, [players], [-1], ["0"], [True], {}, "0"]
    for wrong in elsewhere:
        with pytest.raises(Refusal) as refused:
            type(game).from_position(game.view(0) | {"seen_by": wrong})
        assert refused.value.code == "impossible"
    written = [
        (game.seen_by(), game.view()),
        (game.seen_by(0), game.view(0)),
        (game.seen_by(1), game.view(1)),
        (game.states, game.position),
    ]
    for seen, position in written:
        for claimed in ([], [0], [1]):
            redacted = seen.copy()
            spec.compiled.view_all(redacted, sum(1 << seat for seat in claimed))
            if redacted.tobytes() != seen.tobytes():
                with pytest.raises(Refusal):
                    type(game).from_position(position | {"seen_by": claimed})


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_what_a_phase_tells_holds_in_every_dealt_world(spec: GameSpec, players: int) -> None:
    """`python -m tests.engine.worlds 100000` deals as many worlds of every phase."""
    counts = play_worlds(spec, players, wanted=200, most_games=2000)
    assert max(counts.values()) == 200


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_the_facts_of_an_action_are_all_that_its_words_depend_on(
    spec: GameSpec, players: int
) -> None:
    """Across games, phases and seats: what was said once may be said again without a look."""
    words = Words("fr")
    said: dict[Any, tuple[Any, str]] = {}
    again = 0
    for seed in range(6):
        game = a_game(spec, players, seed)
        chance = Random(seed)
        while not game.over:
            s = spec.twin(game.seen_by(game.seat))
            keys = spec.notation.wording_keys(s, game.legal_numbers())
            for action, facts in zip(game.legal, keys, strict=True):
                key = action, facts
                said_now = spec.text.say(words, s, action, game.names)
                told = spec.notation.describe(s, action), said_now
                again += key in said
                assert said.setdefault(key, told) == told
            game.play(chance.choice(game.legal))
    assert again > 100


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_illegal_actions_are_refused_with_a_clause_and_change_nothing(
    spec: GameSpec, players: int
) -> None:
    game = a_game(spec, players, 3)
    chance = Random(2)
    while not game.over:
        legal = set(map(int, game.legal))
        before = game.states.tobytes()
        for number in chance.sample(range(spec.actions), min(12, spec.actions)):
            if number not in legal:
                with pytest.raises(Refusal) as refused:
                    game.play(number)
                assert refused.value.code == "illegal"
                assert refused.value.clause in spec.clauses
                assert refused.value.message(Words("fr"))
        assert game.states.tobytes() == before
        game.play(chance.choice(sorted(legal)))
    with pytest.raises(Refusal) as refused:
        game.play(0)
    assert refused.value.code == "over"


@pytest.mark.parametrize(("spec", "players", "options"), TABLES)
def test_compiled_and_plain_rules_agree_to_the_byte(
    spec: GameSpec, players: int, options: dict[str, Any]
) -> None:
    for seed in range(3):
        plain = a_game(spec, players, seed, **options)
        compiled = game_class(spec)(players, seed, compiled=True, **options)
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


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_every_state_of_many_random_games_keeps_every_invariant(
    spec: GameSpec, players: int
) -> None:
    audit(spec, players, AUDITED_GAMES)


def audit(spec: GameSpec, players: int, n: int) -> Any:
    """Random games with every state checked; one random state of each."""
    ensure_compiled(spec, (AUDIT,))
    states = np.zeros(n, spec.dtype)
    snapshots = np.zeros(n, spec.dtype)
    wrong = spec.compiled.audit(
        spec.template(players),
        states,
        2026,
        0,
        fast_row(0),
        np.zeros(spec.actions, np.int16),
        snapshots,
    )
    assert wrong == 0
    return snapshots


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_nobody_can_tell_a_resampled_game_from_the_true_one(spec: GameSpec, players: int) -> None:
    """Byte for byte: the view, and for the seat to decide the list of legal actions."""
    true = audit(spec, players, max(AUDITED_GAMES, 2000))
    for seats in {0, *(1 << seat for seat in range(players)), 0b11, (1 << players) - 1}:
        seen = true.copy()
        spec.compiled.view_all(seen, seats)
        dealt = true.copy()
        spec.compiled.resample_all(dealt, seats, fast_row(9))
        from_view = seen.copy()
        spec.compiled.resample_all(from_view, seats, fast_row(9))
        assert dealt.tobytes() == from_view.tobytes(), "resample reads more than the view"
        assert no_invariant_broken(spec, dealt)
        seen_again = dealt.copy()
        spec.compiled.view_all(seen_again, seats)
        assert seen_again.tobytes() == seen.tobytes()
        deciding = np.array([s >= 0 and bool(seats >> int(s) & 1) for s in true["seat"]])
        assert lists(spec, true[deciding]) == lists(spec, dealt[deciding])
        twice = seen.copy()
        spec.compiled.view_all(twice, seats)
        assert twice.tobytes() == seen.tobytes()


def no_invariant_broken(spec: GameSpec, states: Any) -> bool:
    return not any(spec.compiled.broken_at(states, i) for i in range(len(states)))


def lists(spec: GameSpec, states: Any) -> list[bytes]:
    out = np.zeros(spec.actions, np.int16)
    found = []
    for i in range(min(len(states), 500)):
        n = spec.compiled.legal_at(states, i, out)
        found.append(out[:n].tobytes())
    return found


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_seats_see_different_things_just_in_games_with_secrets(
    spec: GameSpec, players: int
) -> None:
    differ = False
    for seed in range(5):
        game = a_game(spec, players, seed)
        chance = Random(seed)
        while not game.over:
            differ |= len({game.seen_by(seat).tobytes() for seat in range(players)}) > 1
            game.play(chance.choice(game.legal))
    assert differ == spec.hidden


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_copies_never_share_memory(spec: GameSpec, players: int) -> None:
    """At each decision every action is tried on a copy of its own; nothing else changes."""
    game = a_game(spec, players, 8)
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


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_undo_gives_the_decision_back(spec: GameSpec, players: int) -> None:
    game = a_game(spec, players, 21)
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
        game.spec.position.check(game.state)
        restored = type(game).from_position(game.position)
        seen = game_from(game, before).seen_by(*everyone)
        assert restored.seen_by(*everyone).tobytes() == seen.tobytes()
        game.play(chance.choice(game.legal))
    record = game.record(reveal=True)
    assert type(game).replay(record).states.tobytes() == game.states.tobytes()


@pytest.mark.parametrize("spec", games().values(), ids=games())
def test_no_entry_draws_what_another_drew(spec: GameSpec) -> None:
    """Set-up, every decision and every undo have chance of their own."""
    rows: list[int] = []

    class Told(Seed):
        def row(self, entry: int) -> Any:
            rows.append(entry)
            return super().row(entry)

    game = game_class(spec)(3, Told(bytes(32)))
    for _ in range(6):
        game.play(game.legal[0])
        game.undo(redeal=True)
        game.play(game.legal[-1])
    assert len(rows) == len(set(rows)) == 19


def game_from(game: Game, state: bytes) -> Game:
    other = game.copy()
    other.states[:] = np.frombuffer(state, game.spec.dtype)
    return other


@pytest.mark.parametrize(("spec", "players"), SEATED)
def test_events_tell_the_same_with_and_without_a_listener(spec: GameSpec, players: int) -> None:
    """Listening changes nothing in the game."""
    kernel = spec.compiled
    heard, unheard = spec.template(players), spec.template(players)
    scratch = np.zeros(spec.actions, np.int16)
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


@pytest.mark.parametrize("spec", games().values(), ids=games())
def test_a_state_is_small_flat_and_free_of_pointers(spec: GameSpec) -> None:
    assert spec.dtype.itemsize <= LARGEST_STATE
    assert not spec.dtype.hasobject


@pytest.mark.parametrize("spec", games().values(), ids=games())
def test_every_option_and_phase_has_words(spec: GameSpec) -> None:
    for language in LANGUAGES:
        words = Words(language)
        for option in spec.options.OPTIONS:
            assert words(f"{spec.name}.option.{option.name}")
            assert words(f"{spec.name}.option.{option.name}.help")
        for phase in spec.phases:
            assert words(f"{spec.name}.phase.{phase}")
