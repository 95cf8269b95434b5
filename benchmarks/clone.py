"""What a search does at every node: copy a state, take one of its actions. Compiled with a game."""

from __future__ import annotations

from typing import Any

from veillee.engine.jit.layout import OVER, Cells

legal: Any = None
apply: Any = None


def clone_and_apply(states: Any, copies: Any, rng: Cells, actions: Cells, rounds: int) -> int:
    """Take every legal action of every state on a copy of its own; how many that were."""
    done = 0
    for _ in range(rounds):
        for i in range(len(states)):
            if states[i].seat != OVER:
                for k in range(legal(states[i], actions)):
                    copies[0] = states[i]
                    apply(copies[0], actions[k], rng, None)
                    done += 1
    return done
