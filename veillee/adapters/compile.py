"""`python -m veillee.adapters.compile`: compile what the adapters use, before anybody waits."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from veillee.ahead import SIDE_BY_SIDE
from veillee.engine.contract import Contract
from veillee.engine.library import game, games


def compile_here(contract: Contract) -> None:
    """Call every function of the kernel once, in the forms that the adapters call it in."""
    from veillee.adapters.gymnasium import AgainstBots
    from veillee.adapters.open_spiel.position import CHANCE, Position, rules_of
    from veillee.adapters.vector import Versus

    env = Versus(contract.name, num_envs=2, opponents="greedy")
    env.reset(seed=0)
    env.step(env.greedy_actions())
    env.step(env.random_actions())
    single = AgainstBots(contract.name)
    single.reset(seed=0)
    single.table.observe(0)
    single.table.rewards()
    at = Position.root(rules_of(contract.name, min(contract.seats), (("small", True),)))
    while at.player == CHANCE:
        at = at.after(0)
    at.after(at.legal()[0]).row(0)
    at.rules.returns(at.states)
    at.resampled(0, env._lot)


def main(names: Sequence[str]) -> None:
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        commands = [[sys.executable, "-m", __spec__.name, name] for name in names]
        for done in pool.map(subprocess.run, commands):
            if done.returncode:
                sys.exit(done.returncode)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        compile_here(game(sys.argv[1]))
    else:
        main([contract.name for contract in games().values() if contract.observation])
