"""Bots as policies, so that OpenSpiel can tell how exploitable they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from open_spiel.python import policy

from veillee.adapters.open_spiel.position import CHANCE, TERMINAL, Position
from veillee.adapters.open_spiel.state import State
from veillee.engine.record import States


def policy_of(game: Any, choose: Callable[[States], int]) -> Any:
    """The policy of a bot on a small game: its choice in every information state.

    `choose` is handed the view of the seat to decide, as `Bot.choose` is, and asked once for each.
    """
    found = policy.TabularPolicy(game)
    for at in positions(game.new_initial_state().position):
        key = State(game, at).information_state_string(at.player)
        row = found.policy_for_key(key)
        row[:] = 0
        row[choose(at.rules.seen(at.states, 1 << at.player))] = 1
    return found


def positions(root: Position) -> list[Position]:
    """Every position of a tree in which somebody decides, one of each information state."""
    found: dict[tuple[int, bytes], Position] = {}
    left = [root]
    while left:
        at = left.pop()
        if at.player == CHANCE:
            left += [at.after(outcome) for outcome, _ in at.outcomes()]
        elif at.player != TERMINAL:
            found.setdefault((at.player, at.key(at.player)), at)
            left += [at.after(action) for action in at.legal()]
    return list(found.values())
