"""`python -m veillee.adapters.precompile`: compile what the adapters use, before anybody waits."""

from __future__ import annotations

import sys

from veillee.adapters.build import ENVIRONMENTS
from veillee.bots.bot import WARM_UPS as BOTS
from veillee.engine.game_spec import GameSpec
from veillee.engine.precompile import Calls, compile_with_bars
from veillee.engine.registry import games


def environment_calls(spec: GameSpec) -> Calls:
    """Yield calls of every function of the kernel, in the forms that the adapters call it in."""
    from veillee.adapters.gymnasium import AgainstBots
    from veillee.adapters.open_spiel.position import CHANCE, Position, rules_of
    from veillee.adapters.vector import Versus

    env = Versus(spec.name, num_envs=2, opponents="greedy")
    yield "reset", lambda: env.reset(seed=0)
    yield "greedy", lambda: env.step(env.greedy_actions())
    yield "random", lambda: env.step(env.random_actions())
    single = AgainstBots(spec.name)
    yield "single", lambda: single.reset(seed=0)
    yield "observe", lambda: single.table.observe(0)
    yield "rewards", single.table.rewards

    def open_spiel() -> None:
        at = Position.root(rules_of(spec.name, min(spec.player_counts), '{"small": true}'))
        while at.player == CHANCE:
            at = at.after(0)
        at.after(at.legal()[0]).row(0)
        at.rules.returns(at.states)
        at.resampled(0, env._lot)

    yield "open_spiel", open_spiel


WARM_UPS = (*BOTS, ENVIRONMENTS)
"""Everything to compile for environments, including opponents that search."""


def compile_environments() -> None:
    """Compile every game that can be learnt, with progress bars."""
    compile_with_bars([name for name, spec in games().items() if spec.observation], WARM_UPS)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit("veillee.adapters.precompile takes no arguments")
    compile_environments()
