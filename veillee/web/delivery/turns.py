"""Whose turn each event of a game belongs to: for the log, the replay and the API."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.engine.events import Event
from veillee.engine.game import Game

NO_TURN = -1
"""Stands for the set-up, and for the final scoring."""


def turn_at(game: Game, step: int) -> int:
    """Return the seat whose turn it was when a step was taken; step 0 is the set-up."""
    return game.steps[step - 1].turn if step else NO_TURN


def turns_in(game: Game, step: int) -> list[tuple[int, Sequence[Event]]]:
    """Return the events of a step by the turn to which they belong.

    A decision may end a turn: then the next one begins among its events.
    """
    events = game.steps[step - 1].events if step else game.opening
    starts, ends = game.spec.turn_starts, game.spec.final_events
    turn = turn_at(game, step)
    found: list[tuple[int, Sequence[Event]]] = []
    first = 0
    for at, event in enumerate(events):
        now = turn
        if event.name in starts:
            now = event.values["seat"] or 0
        elif event.name in ends:
            now = NO_TURN
        if now != turn:
            if at > first:
                found.append((turn, events[first:at]))
            turn, first = now, at
    if first < len(events):
        found.append((turn, events[first:]))
    return found
