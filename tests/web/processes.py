"""The processes that servers start, on any system."""

from __future__ import annotations

import psutil


def command_of(pid: int) -> str:
    """Return the command line of a process; "" if it has ended."""
    try:
        return " ".join(psutil.Process(pid).cmdline())
    except psutil.Error:
        return ""


def children_of(pid: int) -> dict[int, str]:
    """Return the command line of each process that this one started."""
    return {child.pid: command_of(child.pid) for child in psutil.Process(pid).children()}


def is_running(pid: int) -> bool:
    """Whether there is such a process; one that only waits to be collected has ended."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
