"""How many processors this process may use, by CPU affinity and the CPU quota of its container."""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import ceil
from pathlib import Path, PurePosixPath

PROCESS = Path("/proc/self/cgroup")
"""Lists the cgroups of this process on Linux."""
MOUNT = Path("/sys/fs/cgroup")


def processors() -> int:
    """Return how many processors this process may use, at least 1."""
    return max(1, min([_by_affinity(), *(ceil(quota) for quota in _quotas())]))


def _by_affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS and Windows


def _quotas() -> Iterator[float]:
    """Yield the CPU quotas of this process's cgroups and their parents, in processors."""
    try:
        lines = PROCESS.read_text("utf-8").splitlines()
    except OSError:  # not Linux
        return
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0":  # version 2: one hierarchy
            for folder in _with_parents(MOUNT, path):
                yield from _quota(_words(folder / "cpu.max"))
        elif "cpu" in controllers.split(","):  # version 1: one hierarchy for each controller
            for folder in _with_parents(MOUNT / controllers, path):
                names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
                yield from _quota([word for name in names for word in _words(folder / name)])


def _with_parents(mount: Path, path: str) -> Iterator[Path]:
    """Yield the folders of a cgroup and its parents; in a container only the last may exist."""
    inner = PurePosixPath(path.lstrip("/"))
    for part in (inner, *inner.parents):
        yield mount / part


def _words(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8").split()
    except OSError:
        return []


def _quota(words: list[str]) -> Iterator[float]:
    """Yield a quota as processors, from microseconds and the period; none if there is no limit."""
    if len(words) == 2 and words[0] not in ("max", "-1"):
        yield int(words[0]) / int(words[1])
