"""`python -m benchmarks.showing FOLDER`: what showing a move costs, here and in another checkout.

Ten tables of four people, each with an open window, without a store: the processor time from a
state and its events to the bytes of four messages. *Drawing and wording* is all of that except
the encoding as JSON. *Bytecodes* are the instructions of Python that are executed for a move: they
are the same in every run, while times on a busy machine differ by a fifth. Each round runs both
checkouts, one after the other, in a process of its own; a round plays whole random games, the
first of which fill caches. FOLDER may hold any version since 0.1.0 (`git worktree add FOLDER
9335f94`), whose `veillee compile` must have run.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

SEATS = 4
TABLES = 10
COUNTED = 3
"""Games in which bytecodes are counted."""
HERE = Path(__file__).parent.parent
NOTHING: Any = None


class Costs(NamedTuple):
    """Of a move: microseconds, those without encoding, bytes of its messages, bytecodes."""

    whole: float
    drawn_and_worded: float
    size: float
    bytecodes: float


class BytecodeCounter:
    """Counts the instructions that Python executes in a call."""

    def __init__(self) -> None:
        self.count = 0

    def call(self, function: Callable[[Any], None], value: Any) -> None:
        sys.settrace(self._enter)
        function(value)
        sys.settrace(None)

    def _enter(self, frame: FrameType, _event: str, _value: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._execute

    def _execute(self, _frame: FrameType, event: str, _value: Any) -> Any:
        self.count += event == "opcode"
        return self._execute


class Encoder:
    """Times another encoder."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder
        self.spent = 0.0

    def encode(self, value: Any) -> bytes:
        began = time.thread_time()
        encoded: bytes = self._encoder.encode(value)
        self.spent += time.thread_time() - began
        return encoded


class Scene(NamedTuple):
    """A table, what shows it, how to play at it, and the sizes of what was sent."""

    table: Any
    show: Callable[[Any], None]
    play: Callable[[str], None]
    sizes: list[int]


def set_scene(name: str, seed: int) -> Scene:
    """Set a table of the version that is installed here, before its viewers."""
    try:
        return _set_scene(name, seed)
    except ModuleNotFoundError:
        return _set_scene_of_0_1_0(name, seed)


def _set_scene(name: str, seed: int) -> Scene:
    from veillee.engine.registry import game
    from veillee.engine.seed import Seed
    from veillee.web.bus import MemoryBus
    from veillee.web.delivery.broadcast import Broadcast, Viewer
    from veillee.web.delivery.fragments import Fragments
    from veillee.web.delivery.rendering import Layout
    from veillee.web.people import People
    from veillee.web.tables import log
    from veillee.web.tables.messages import Messages
    from veillee.web.tables.presence import Presence
    from veillee.web.tables.registry import TableRegistry
    from veillee.web.tables.seeds import SeedSource
    from veillee.web.tables.table import COMPILED, Table

    COMPILED.add(game(name))
    table = Table(f"t{seed}", Seed.of(seed))
    table.apply(log.Open(name, game(name).version, "p0", [""] * SEATS), 0)
    for seat in range(SEATS):
        table.apply(log.Sit(seat, f"p{seat}", "00"), 0)
    table.apply(log.Start(), 0)
    people = People(NOTHING, MemoryBus())
    people.names = {f"p{seat}": f"Person {seat}" for seat in range(SEATS)}
    messages = Messages()
    presence = Presence(messages, 60)
    tables = TableRegistry(NOTHING, MemoryBus(), NOTHING, people, presence, messages)
    broadcast = Broadcast(tables, presence, messages, Fragments(SeedSource("00" * 32)))
    sizes: list[int] = []
    for seat in range(SEATS):
        broadcast.join(table, _window(Viewer, sizes)(f"p{seat}", Layout("en", "wide")))
    return Scene(
        table,
        broadcast.send,
        lambda action: table.apply(log.Play(table.deciding, action), 1),
        sizes,
    )


def _set_scene_of_0_1_0(name: str, seed: int) -> Scene:
    seeds, library = import_module("veillee.engine.seed"), import_module("veillee.engine.library")
    entries, looks = import_module("veillee.web.entries"), import_module("veillee.web.looks")
    tables, houses = import_module("veillee.web.table"), import_module("veillee.web.house")
    people = import_module("veillee.web.people")

    tables.SWIFT.add(name)
    table = tables.Table(f"t{seed}", seeds.Seed.of(seed))
    table.take(entries.Open(name, library.game(name).version, "p0", [""] * SEATS), 0)
    for seat in range(SEATS):
        table.take(entries.Sit(seat, f"p{seat}", "00"), 0)
    table.take(entries.Start(), 0)
    house = houses.House(None, None, "random")
    house.seal = people.Seal("00" * 32)
    house.names = {f"p{seat}": f"Person {seat}" for seat in range(SEATS)}
    broadcast = looks.Broadcast(house)
    sizes: list[int] = []
    for seat in range(SEATS):
        broadcast.join(table, _window(looks.Viewer, sizes)(f"p{seat}", looks.Look("en", False)))
    return Scene(
        table,
        broadcast.tell,
        lambda action: table.take(entries.Play(table.deciding, action), 1),
        sizes,
    )


def _window(viewer: Any, sizes: list[int]) -> Any:
    """Return a class of viewers whose messages are counted."""

    class Window(viewer):  # type: ignore[misc]
        def put(self, *message: bytes) -> None:
            sizes.append(sum(map(len, message)))

        def end(self) -> None:
            pass

    return Window


def measure(name: str, rounds: int) -> Costs:
    """Measure the version that is imported here."""
    scenes = [set_scene(name, seed) for seed in range((rounds + 1) * TABLES + COUNTED)]
    module: Any = sys.modules[scenes[0].show.__module__]
    encoder = module._json = Encoder(module._json)
    chance, found = Random(1), []
    gc.freeze()
    gc.disable()
    for number in range(rounds + 1):
        encoder.spent, spent, moves, size = 0.0, 0.0, 0, 0
        playing = scenes[number * TABLES : (number + 1) * TABLES]
        while playing := [scene for scene in playing if not scene.table.game.over]:
            for table, show, play, sizes in playing:
                play(str(chance.choice(table.game.legal)))
                began = time.thread_time()
                show(table)
                spent += time.thread_time() - began
                moves += 1
                size += sum(sizes)
                sizes.clear()
        if number:  # the first one fills caches
            costs = spent * 1e6, (spent - encoder.spent) * 1e6, size
            found.append([cost / moves for cost in costs])
    bytecodes = count_bytecodes(scenes[-COUNTED:], chance)
    whole, worded, size = map(statistics.median, zip(*found, strict=True))
    return Costs(whole, worded, size, bytecodes)


def count_bytecodes(scenes: Sequence[Scene], chance: Random) -> float:
    """Play whole games and return the bytecodes that showing a move takes."""
    counter, moves = BytecodeCounter(), 0
    for table, show, play, _ in scenes:
        while not table.game.over:
            play(str(chance.choice(table.game.legal)))
            counter.call(show, table)
            moves += 1
    return counter.count / moves


def measured_in(folder: Path, name: str, rounds: int) -> Costs:
    """Measure a checkout in a process of its own."""
    command = [sys.executable, "-P", __file__, "--only", name, "--games", str(rounds), str(folder)]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return Costs(*json.loads(done.stdout))


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.showing", description=__doc__)
    ask.add_argument("folder", type=Path, help="the other checkout")
    ask.add_argument("--names", nargs="*", default=["captain", "lumens", "nomads"])
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--games", type=int, default=4, help="rounds of ten games in each process")
    ask.add_argument("--only", metavar="NAME", help="measure one game in this process")
    chosen = ask.parse_args()
    if chosen.only:
        print(json.dumps(measure(chosen.only, chosen.games)))
        return
    for name in chosen.names:
        for _ in range(chosen.rounds):
            before, after = (
                measured_in(folder, name, chosen.games) for folder in (chosen.folder, HERE)
            )
            ratios = " ".join(f"{a / b:.2f}" for a, b in zip(after, before, strict=True))
            shown = " ".join(f"{a:.0f}/{b:.0f}" for a, b in zip(after, before, strict=True))
            what = "whole, drawing and wording, bytes, bytecodes"
            print(f"{name}: {what}: {ratios} ({shown})", flush=True)


if __name__ == "__main__":
    main()
