"""The life of a worker process: how it is tuned, and how it stops."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

SWITCH_INTERVAL = 0.0001
"""Seconds that a thread may hold the interpreter while another waits. The thread that commits needs
it often and briefly, and people wait for it."""
GC_THRESHOLDS = (20_000, 20, 20)
"""A full collection over thousands of live games stalls the event loop, and we create almost no
cycles."""
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def tune_process() -> None:
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def call_on_stop(callback: Callable[[], None]) -> None:
    """Call back in the event loop when the process is told to stop, before the server learns of it.

    ASGI servers wait for open responses before they shut an application down, so streams must be
    ended at the signal. The handler that the server installed goes on to be called.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        before = signal.getsignal(number)

        def stop(number: int, frame: FrameType | None, before: object = before) -> None:
            loop.call_soon_threadsafe(callback)
            if callable(before):
                before(number, frame)

        signal.signal(number, stop)
