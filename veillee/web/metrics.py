"""Metrics for Prometheus, served on a port of their own.

With several workers, each counts in files of a folder that `PROMETHEUS_MULTIPROC_DIR` names, and
the supervisor serves the sums.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Buckets in seconds for what people wait for."""

COMMANDS = Counter("veillee_commands", "Commands that were carried out.", ["command"])
REFUSED = Counter("veillee_refused", "Requests that were refused or failed.", ["status"])
ACKNOWLEDGED = Histogram(
    "veillee_acknowledged_seconds", "From a command's arrival until it is durable.", buckets=FAST
)
SHOWN = Histogram(
    "veillee_shown_seconds", "From an entry's time until it was sent to viewers.", buckets=FAST
)
STREAMS = Gauge("veillee_streams", "Open streams.", multiprocess_mode="livesum")
TABLES = Gauge("veillee_tables", "Tables in memory.", multiprocess_mode="livesum")
DRAWING = Histogram("veillee_drawing_seconds", "Drawing and wording of one step.", buckets=FAST)
BOTS_WAITING = Gauge("veillee_bots_waiting", "Bots in the queue.", multiprocess_mode="livesum")
BOT_WAIT = Histogram("veillee_bot_wait_seconds", "Waiting of a bot for its turn.", buckets=FAST)
BOT_THINKING = Histogram("veillee_bot_thinking_seconds", "Thinking of a bot.", buckets=FAST)
COMMIT = Histogram("veillee_commit_seconds", "Duration of a commit.", buckets=FAST)
COMMIT_WRITES = Histogram(
    "veillee_commit_writes", "Writes in one commit.", buckets=(1, 2, 5, 10, 20, 50, 100, 200)
)
COMMIT_ERRORS = Counter("veillee_commit_errors", "Writes that failed.")
BUS_DELAY = Histogram(
    "veillee_bus_delay_seconds", "From an entry's time until it was heard.", buckets=FAST
)
BUS_RECONNECTS = Counter("veillee_bus_reconnects", "Times that messages may have been lost.")
JOB_FAILURES = Counter("veillee_job_failures", "Jobs that failed and are tried again.", ["kind"])
NOTIFICATIONS = Counter(
    "veillee_notifications", "Messages to people who are not there.", ["channel", "outcome"]
)


def serve_metrics(address: str) -> None:
    """Serve `/metrics` at `host:port`, or a port of this machine, in a thread."""
    host, _, port = address.rpartition(":")
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        registry.register(WorkersCollector())
        start_http_server(int(port), host or "127.0.0.1", registry)
    else:
        start_http_server(int(port), host or "127.0.0.1")


class WorkersCollector(Collector):
    """The sums over all workers; the gauges of one that died are deleted first."""

    def __init__(self) -> None:
        self._folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        self._all = MultiProcessCollector(None, str(self._folder))  # type: ignore[no-untyped-call]

    def collect(self) -> Iterable[Metric]:
        for file in self._folder.glob("gauge_live*.db"):
            pid = int(file.stem.rpartition("_")[2])
            if not _is_alive(pid):
                mark_process_dead(pid, str(self._folder))  # type: ignore[no-untyped-call]
        return self._all.collect()  # type: ignore[no-untyped-call,no-any-return]


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":  # there the signal 0 is Ctrl-C
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):  # gone, or by now somebody else's number
        return False
    return True
