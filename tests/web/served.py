"""A real server in a process of its own, on a free port, that tests may kill."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Self

import httpx


class Served:
    """`with Served(database) as served: served.address`; `served.kill()`, `served.start()`."""

    def __init__(self, database: str, *options: str, level: str = "random", pace: int = 0) -> None:
        self.database = database
        self.options = (*options, "--level", level, "--pace", str(pace))
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "veillee", "serve", "--port", str(self.port)),
                *("--database", self.database, *self.options),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, f"the server did not start: {line}{self.process.stdout.read()}"
        self.port = int(found[1])
        # A full pipe would stop a server that has much to say.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.wait()
        return self

    def wait(self) -> None:
        for _ in range(200):
            try:
                if httpx.get(f"{self.address}/health", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """Without any warning, with all its workers."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> int:
        """As an administrator would; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(20)
        self.process = None
        return code

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()


def sqlite_in(folder: Path) -> str:
    return str(folder / "tables.sqlite")
