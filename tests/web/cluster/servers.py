"""Several servers on one database, which tests may kill and start again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

import httpx

from tests.web.parts import free_port
from tests.web.processes import children_of
from veillee.web.database import queries, store_at
from veillee.web.tables import log

NOTED = ("Traceback", "ERROR")
"""What a log must not contain."""


class Server:
    """One server on a port of its own, whose log is kept."""

    def __init__(self, database: str, *options: str) -> None:
        self.database = database
        self.port = free_port()
        self._options = options
        self._log = Path(tempfile.mkstemp(prefix="veillee-server-", suffix=".log")[1])
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8")

    def launch(self) -> None:
        with self._log.open("ab") as file:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "veillee", "serve", "--port", str(self.port)),
                    *("--database", self.database, "--no-limits", "--level", "random"),
                    *("--pace", "0", *self._options),
                ],
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

    def start(self) -> Self:
        self.launch()
        self.wait()
        return self

    def wait(self) -> None:
        """Wait until the server is ready."""
        for _ in range(1200):
            try:
                if httpx.get(f"{self.address}/health/ready", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"the server does not answer:\n{self.log[-3000:]}")

    def kill(self) -> None:
        """End the server and all its workers without any warning."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def workers(self) -> list[int]:
        """The processes that answer requests, without the supervisor."""
        assert self._process is not None
        started = children_of(self._process.pid)
        return [pid for pid, command in started.items() if "spawn_main" in command]

    def close(self) -> None:
        self.kill()
        self._log.unlink()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


async def decisions(database: str, path: str) -> list[str]:
    """The actions in a table's log, in order."""
    store = store_at(database)
    await store.open()
    rows = await queries.entries_of(store, path.rpartition("/")[2])
    await store.close()
    entries = [log.decode(row.data) for row in rows]
    return [entry.action for entry in entries if isinstance(entry, log.Play)]
