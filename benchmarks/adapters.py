"""`python -m benchmarks.adapters`: the adapters beside their peers, in one run.

Every step counts a decision with all that belongs to it: choosing a random legal action out of the
mask or list that the environment gives, the observation, and starting anew at the end.
Peers come with `pip install veillee[peers]`; one that is not installed is left out, and said so.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from benchmarks.measure import Measure, interleaved, keep
from veillee.engine.registry import games

Run = Callable[[int], float]

BATCH = 4096
SMALLER_BATCH = 256


# ---------------------------------------------------------------- PettingZoo


def agents_in_turn(make: Callable[[], Any]) -> Run:
    """Random games through PettingZoo's API, agents' last steps (None) counted by none."""
    env = make()
    env.reset(seed=1)
    chance = random.Random(1)

    def run(size: int) -> float:
        done = 0
        while done < size:
            for _ in env.agent_iter():
                observed, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                else:
                    legal = np.flatnonzero(observed["action_mask"])
                    env.step(int(legal[int(chance.random() * len(legal))]))
                    done += 1
            env.reset()
        return done

    return run


def pettingzoo_measures() -> Iterator[Measure]:
    from pettingzoo.classic import connect_four_v3, leduc_holdem_v4

    from veillee.adapters import pettingzoo

    for name in games():
        yield Measure(f"PettingZoo, ours: {name}", agents_in_turn(partial(pettingzoo.env, name)))
    yield Measure("PettingZoo: connect_four_v3", agents_in_turn(connect_four_v3.env))
    yield Measure("PettingZoo: leduc_holdem_v4", agents_in_turn(leduc_holdem_v4.env))


# ---------------------------------------------------------------- many at once


def stepped(name: str, players: int, batch: int) -> Run:
    from veillee.adapters.vector import SelfPlay

    env = SelfPlay(name, players, num_envs=batch, copy=False)
    env.reset(seed=1)
    for _ in range(150):
        env.step(env.random_actions())

    def run(size: int) -> float:
        for _ in range(size):
            env.step(env.random_actions())
        return size * batch

    return run


def pgx_stepped(name: str, batch: int) -> Run:
    """Pgx as its documentation steps it: compiled, vectorised, reset at the end."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    init = jax.jit(jax.vmap(env.init))
    step = jax.vmap(auto_reset(env.step, env.init))
    steps = 16

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draw, deal = jax.random.split(key, 3)
        odds = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(draw, odds, axis=1)
        state = step(state, action, jax.random.split(deal, batch))
        return (state, key), state.observation.sum()

    many = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=steps))
    key = jax.random.PRNGKey(0)
    carry = (init(jax.random.split(key, batch)), key)
    carry, _ = many(carry)
    kept = [carry]

    def run(size: int) -> float:
        carry = kept[0]
        for _ in range(size):
            carry, seen = many(carry)
        float(seen.sum())
        kept[0] = carry
        return size * steps * batch

    return run


def vector_measures() -> Iterator[Measure]:
    for spec in games().values():
        few = min(spec.player_counts)
        for players in {few: 0, 4: 0}:
            for batch in (SMALLER_BATCH, BATCH):
                title = f"vector, ours: {spec.name}, {players} players, batch {batch}"
                yield Measure(title, stepped(spec.name, players, batch))
    try:
        import pgx
    except ImportError:
        return
    assert pgx
    yield Measure(f"vector, Pgx: connect_four, batch {BATCH}", pgx_stepped("connect_four", BATCH))
    for name in ("sparrow_mahjong", "backgammon"):
        yield Measure(f"vector, Pgx: {name}, batch {BATCH}", pgx_stepped(name, BATCH))


# ---------------------------------------------------------------- OpenSpiel


def played(title: str) -> Run:
    """Random games through pyspiel from Python. Chance nodes are not counted."""
    import pyspiel

    game = pyspiel.load_game(title)
    chance = random.Random(1)

    def run(size: int) -> float:
        done = 0
        while done < size:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(chance.random() * len(outcomes))][0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(chance.random() * len(legal))])
                    done += 1
        return done

    return run


def open_spiel_measures() -> Iterator[Measure]:
    import open_spiel.python.games

    import veillee.adapters.open_spiel

    assert open_spiel.python.games
    for name in games():
        title = veillee.adapters.open_spiel.PREFIX + name
        yield Measure(f"pyspiel, ours: {name}", played(title))
    for title in ("python_tic_tac_toe", "python_liars_poker", "python_block_dominoes"):
        yield Measure(f"pyspiel: {title}", played(title))


# ---------------------------------------------------------------- the run


PARTS = {
    "PettingZoo": pettingzoo_measures,
    "vector": vector_measures,
    "pyspiel": open_spiel_measures,
}


def table(rates: dict[str, float]) -> list[str]:
    """A line for each, and beside it how many times the fastest peer of its part it is."""
    lines = ["| one core | steps/s | x fastest peer |", "| --- | ---: | ---: |"]
    for part in PARTS:
        own = {name: rate for name, rate in rates.items() if name.startswith(part)}
        peers = [rate for name, rate in own.items() if "ours" not in name]
        for name, rate in own.items():
            ratio = f"{rate / max(peers):.2f}" if peers else ""
            lines.append(f"| {name} | {rate:,.0f} | {ratio} |")
    return lines


def conditions(rounds: int) -> str:
    packages = ("numpy", "numba", "pettingzoo", "gymnasium", "open_spiel", "pgx", "jax")
    found = []
    for name in packages:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    load = " ".join(f"{x:.1f}" for x in os.getloadavg())
    return (
        f"Medians of {rounds} interleaved rounds on one of {os.cpu_count()} cores, load averages "
        f"{load} at the end; {', '.join(found)}."
    )


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.adapters", description=__doc__)
    ask.add_argument("--rounds", type=int, default=7)
    ask.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    ask.add_argument("--keep", action="store_true", help="write the table into README.md")
    chosen = ask.parse_args()
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    measures = [measure for part in chosen.parts for measure in PARTS[part]()]
    for number in interleaved(measures, chosen.rounds):
        print(f"round {number + 1} of {chosen.rounds}", flush=True)
    lines = table({measure.name: measure.rate for measure in measures})
    lines += ["", conditions(chosen.rounds)]
    print(*lines, sep="\n")
    if chosen.keep:
        keep("adapters", "\n".join(lines))


if __name__ == "__main__":
    main()
