"""Executors of the lab: processes on this machine, or a Ray cluster.

Both are `concurrent.futures` executors, and every task is a pure function of its arguments, so the
results are the same on either. A task whose worker dies is run again. A node of a cluster that has
other versions than the driver refuses to work.
"""

from __future__ import annotations

import multiprocessing
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

from veillee.engine.processors import processors
from veillee.engine.refusal import Refusal
from veillee.engine.worker_process import end_with_parent
from veillee.lab.extras import require
from veillee.lab.versions import installed

R = TypeVar("R")
AUTO = "auto"
"""In place of an address: the cluster that runs on this machine."""
CONNECT_SECONDS = 10
RETRIES = 3
"""Number of retries of a task after its worker died."""


class InlineExecutor(Executor):
    """Runs each task at once, in this process."""

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        done: Future[R] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class RayExecutor(Executor):
    """Runs tasks on a Ray cluster, which retries them when a worker or a node dies."""

    def __init__(self, address: str) -> None:
        ray = require("ray", "cluster")
        self._ray = ray
        self._checked = ray.remote(max_retries=RETRIES)(checked)
        try:
            if address != AUTO:
                _knock(address)
            ray.init(address, logging_level="ERROR", log_to_driver=False)
        except (OSError, ValueError) as error:
            raise Refusal("unknown", "lab.ray", address=address) from error

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        future: Future[R] = self._checked.remote(installed(), fn, *args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Disconnect; what is still running is cancelled."""
        self._ray.shutdown()

    def size(self) -> int:
        """Return the number of processors in the cluster, which grows as nodes join."""
        return max(int(self._ray.cluster_resources().get("CPU", 1)), 1)

    def lost(self) -> tuple[type[Exception], ...]:
        """Return the errors of a task that was given up after its last retry."""
        errors = self._ray.exceptions
        return (
            errors.WorkerCrashedError,
            errors.NodeDiedError,
            errors.LocalRayletDiedError,
            errors.ObjectLostError,
            errors.OutOfMemoryError,
        )


def checked(expected: Mapping[str, Any], task: Callable[..., R], *args: Any, **kwargs: Any) -> R:
    """Run a task if all games have the versions expected, here where it runs; refuse otherwise."""
    here = installed()
    differing = [name for name, versions in expected.items() if here.get(name) != versions]
    if differing:
        raise Refusal(
            "impossible",
            "lab.ray.versions",
            node=socket.gethostname(),
            games=", ".join(differing),
        )
    return task(*args, **kwargs)


def _knock(address: str) -> None:
    """Raise an OSError or ValueError if nothing listens: Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    socket.create_connection((host, int(port)), CONNECT_SECONDS).close()


class Workers:
    """Runs tasks with a bounded number under way and hands back their results in order."""

    def __init__(
        self,
        start: Callable[[], Executor],
        size: Callable[[], int],
        lost: tuple[type[Exception], ...] = (),
    ) -> None:
        self._start = start
        self._executor = start()
        self._size = size
        self._lost = lost

    @property
    def size(self) -> int:
        """Number of tasks that can run at once now."""
        return self._size()

    def map(self, task: Callable[..., R], arguments: Iterable[tuple[Any, ...]]) -> Generator[R]:
        """Yield the result of the task for each tuple of arguments, in their order."""
        waiting: deque[tuple[Future[R], tuple[Any, ...]]] = deque()
        try:
            for given in arguments:
                waiting.append((self._executor.submit(task, *given), given))
                if len(waiting) >= 2 * self.size:
                    yield self._first(task, waiting)
            while waiting:
                yield self._first(task, waiting)
        finally:
            for future, _ in waiting:
                future.cancel()

    def _first(
        self, task: Callable[..., R], waiting: deque[tuple[Future[R], tuple[Any, ...]]]
    ) -> R:
        """Return the first result; if workers died, start new ones and submit again."""
        for _ in range(RETRIES):
            try:
                result = waiting[0][0].result()
            except self._lost as error:
                raise Refusal("impossible", "lab.workers", tries=RETRIES + 1) from error
            except BrokenExecutor:
                self._executor.shutdown(wait=False)
                self._executor = self._start()
                for i, (future, given) in enumerate(waiting):
                    if not future.done() or future.exception():
                        waiting[i] = (self._executor.submit(task, *given), given)
            else:
                waiting.popleft()
                return result
        raise Refusal("impossible", "lab.workers", tries=RETRIES)

    def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def workers(processes: int | None = None, ray: str | None = None) -> Iterator[Workers]:
    """Start workers: on the Ray cluster at an address, or in local processes.

    Without a number there are as many processes as processors that this one may use. With one
    process, tasks run in this one.
    """
    if processes is not None and processes < 1:
        raise Refusal("option", "lab.processes", processes=processes)
    if ray is not None:
        cluster = RayExecutor(ray)
        started = Workers(lambda: cluster, cluster.size, cluster.lost())
    else:
        size = processes or processors()
        start = InlineExecutor if size == 1 else lambda: _processes(size)
        started = Workers(start, lambda: size)
    try:
        yield started
    finally:
        started.close()


def borrowed(pool: Workers | None) -> AbstractContextManager[Workers]:
    """Return the workers given, which stay open, or start some for the time of the context."""
    return nullcontext(pool) if pool else workers()


def _processes(size: int) -> Executor:
    # Not forked from this process: it may have threads, such as the progress bar's.
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(size, context, initializer=end_with_parent)
