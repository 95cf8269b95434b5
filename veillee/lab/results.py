"""Results on disk: a line of JSON for each block of work, so that runs are resumed and merged.

A line names the run it belongs to by everything its result depends on: game, players, options,
seed, the versions of rules and package, and a hash of compiled sources and of the files that say
how bots play. Lines of other runs in the same file are left alone, so results of different versions
are never mixed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from veillee.engine.refusal import Refusal
from veillee.lab.executor import Workers

Run = Mapping[str, Any]
"""The identity of a run, as JSON data."""


@dataclass(frozen=True)
class Line:
    """One block of a run."""

    run: Run
    block: int
    result: Any
    seconds: float = field(default=0.0, compare=False)
    """Processor time it took."""
    measured: Any = field(default=None, compare=False)
    """What else was measured and differs from run to run, as JSON data."""

    @property
    def key(self) -> tuple[str, int]:
        return json.dumps(self.run, sort_keys=True), self.block

    def text(self) -> str:
        data = {
            "run": self.run,
            "block": self.block,
            "result": self.result,
            "seconds": self.seconds,
        }
        if self.measured is not None:
            data["measured"] = self.measured
        return json.dumps(data, ensure_ascii=False) + "\n"


class Measured(NamedTuple):
    """Returned by a task: its result, and what was measured beside it."""

    result: Any
    measured: Any


class ResultFile:
    """The lines of one run in a file; without a path, nothing is kept."""

    def __init__(self, path: Path | None, run: Run) -> None:
        self._path = path
        self._run: Run = json.loads(json.dumps(run))
        self._whole = False
        """Whether the file is known to end with a line break."""

    def done(self) -> dict[int, Line]:
        """Return the lines so far, by block."""
        if self._path is None or not self._path.exists():
            return {}
        return {line.block: line for line in read(self._path) if line.run == self._run}

    def add(self, block: int, result: Any, seconds: float = 0.0, measured: Any = None) -> Line:
        line = Line(self._run, block, result, round(seconds, 3), measured)
        if self._path is not None:
            if not self._whole:
                _drop_torn_line(self._path)
                self._whole = True
            with self._path.open("a", encoding="utf-8") as out:
                out.write(line.text())
        return line

    def complete(
        self,
        running: Workers,
        task: Callable[..., Any],
        blocks: Mapping[int, tuple[Any, ...]],
        usable: Callable[[Line], bool] = lambda _: True,
    ) -> Generator[Line]:
        """Yield the line of each block in order; play those that the file does not have."""
        done = {block: line for block, line in self.done().items() if usable(line)}
        missing = running.map(
            timed, ((task, *given) for block, given in blocks.items() if block not in done)
        )
        try:
            for block in blocks:
                yield done[block] if block in done else self.add(block, *next(missing))
        finally:
            missing.close()


def timed(task: Callable[..., Any], *given: Any) -> tuple[Any, float, Any]:
    """Return a task's result, the seconds of processor time it took, and what it measured."""
    start = time.thread_time()
    result = task(*given)
    seconds = time.thread_time() - start
    if isinstance(result, Measured):
        return result.result, seconds, result.measured
    return result, seconds, None


def read(path: Path) -> list[Line]:
    """Return the lines of a file. A torn last line, left by an interrupted run, is ignored."""
    try:
        texts = path.read_text("utf-8").split("\n")[:-1]
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal("unreadable", "lab.results.file", path=str(path)) from error
    found = []
    for number, text in enumerate(texts, 1):
        try:
            data = json.loads(text)
            run, block, result = data["run"], data["block"], data["result"]
            found.append(Line(run, block, result, data.get("seconds", 0.0), data.get("measured")))
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise Refusal("unreadable", "lab.results.line", path=str(path), line=number) from error
    return found


def merge(paths: Iterable[Path]) -> list[Line]:
    """Return the lines of several files, each block once; refuse files that contradict."""
    found: dict[tuple[str, int], Line] = {}
    for path in paths:
        for line in read(path):
            if found.setdefault(line.key, line).result != line.result:
                raise Refusal(
                    "impossible", "lab.results.contradiction", path=str(path), block=line.block
                )
    return [found[key] for key in sorted(found)]


def _drop_torn_line(path: Path) -> None:
    """Cut off what follows the last line break."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            file.truncate(whole)
