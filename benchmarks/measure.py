"""Measuring side by side: every round runs everything once, and medians are compared."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SHORTEST = 0.2
"""Seconds that one measurement should last at least."""


@dataclass
class Measure:
    """A rate. `run(size)` does some work of about that size and tells how many units it was."""

    name: str
    run: Callable[[int], float]
    cores: int = 1
    size: int = 1
    rates: list[float] = field(default_factory=list)

    def warm_up(self) -> None:
        """Run once, then find a size that lasts long enough to be measured."""
        with only(self.cores):
            self.run(self.size)
            while self._seconds() < SHORTEST:
                self.size *= 2

    def _seconds(self) -> float:
        return self._timed()[1]

    def once(self) -> None:
        with only(self.cores):
            done, seconds = self._timed()
            self.rates.append(done / seconds)

    def _timed(self) -> tuple[float, float]:
        # On one core the processor's time: what else the machine does then hardly counts.
        clock = time.process_time if self.cores == 1 else time.perf_counter
        start = clock()
        done = self.run(self.size)
        return done, clock() - start

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)


def interleaved(measures: Sequence[Measure], rounds: int) -> Iterator[int]:
    """Take all measures in turn, round after round: the machine's drift is the same for all."""
    for measure in measures:
        measure.warm_up()
    for number in range(rounds):
        for measure in measures:
            measure.once()
        yield number


@contextmanager
def only(cores: int) -> Iterator[None]:
    """Keep to so many cores, where the system can be asked to."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-cores:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def keep(part: str, text: str) -> None:
    """Write what was measured into README.md, between the marks of its part."""
    readme = Path(__file__).parent / "README.md"
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    before, _, rest = readme.read_text("utf-8").partition(begin)
    after = rest.partition(end)[2]
    readme.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")
