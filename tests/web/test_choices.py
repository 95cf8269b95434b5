"""Choosing in stages: never too much at once, and every action can be reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from veillee.engine.contract import Contract
from veillee.engine.game import game_of
from veillee.engine.library import games
from veillee.engine.words import Words
from veillee.web.choices import MORE, MOST_AT_ONCE, Choice, choices, label_of, stage


def offers(contract: Contract, seeds: Sequence[int]) -> Iterator[list[Choice]]:
    """What is offered at each decision of some random games."""
    players = max(contract.seats)
    for seed in seeds:
        game = game_of(contract)(players, seed)
        chance = Random(seed)
        while not game.over:
            seen = contract.twin(game.seen_by(game.seat))
            yield choices(contract, Words("en"), seen, game.legal, game.names).read()
            game.play(chance.choice(game.legal))


def reached(all_: list[Choice], picked: tuple[tuple[str, str], ...] = ()) -> set[str]:
    """The actions to which some way of picking leads."""
    now = stage(all_, picked)
    if now.field is None:
        return {choice.action for choice in now.left[:1]}
    assert len(now.values) <= MOST_AT_ONCE
    found: set[str] = set()
    for value, _ in now.values:
        assert label_of(all_, now.field, value) or not value
        found |= reached(all_, (*now.picked, (now.field, value)))
    return found


@pytest.mark.parametrize("contract", games().values(), ids=games())
def test_every_action_can_be_reached_in_small_steps(contract: Contract) -> None:
    for all_ in offers(contract, [1, 2, 3]):
        assert reached(all_) == {choice.action for choice in all_}


def squares_of(all_: list[Choice]) -> set[str]:
    return {str(choice.parts["square"]) for choice in all_}


def test_many_squares_are_asked_by_column() -> None:
    wide = max(offers(games()["lumens"], range(30)), key=lambda all_: len(squares_of(all_)))
    squares = squares_of(wide)
    assert len(squares) > MOST_AT_ONCE
    first = stage(wide, [])
    assert first.field == "square"
    assert {value for value, _ in first.values} == {square[0] + MORE for square in squares}
    column = first.values[0][0]
    then = stage(wide, [("square", column)])
    assert {value for value, _ in then.values} == {s for s in squares if s[0] == column[0]}
    assert label_of(wide, "square", column) == column
