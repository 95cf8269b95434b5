"""`veillee serve`: the table in the browser. `veillee backup`: a copy of it while it runs."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sqlite3
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from types import FrameType

import platformdirs
import typer
import uvicorn

from veillee.web.app import make_app
from veillee.web.desk import Serving
from veillee.web.lane import Lane
from veillee.web.share import Share, split
from veillee.web.store import SqliteStore, store_at

PORT = 8753
BACKLOG = 2048
TURN = 0.0001
"""Seconds that a thread may keep the interpreter while another waits: the one that writes to the
disk wakes up often and needs it only for a moment, and people wait for it."""
RUBBISH = (20_000, 20, 20)
"""How much is made before Python looks for rubbish: each look at thousands of games in memory holds
up everybody, and there is hardly any."""
SILENCE = 30_000
"""Milliseconds after which a connection is dead that confirms nothing of what it is sent."""


def usual_database() -> str:
    """Where tables are kept if nobody says otherwise."""
    return os.environ.get("VEILLEE_DATABASE") or str(
        Path(platformdirs.user_data_dir("veillee")) / "tables.sqlite"
    )


def address_in_network() -> str:
    """This machine's address as others in the network know it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only asks for the way
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


class Server(uvicorn.Server):
    """Uvicorn, which ends the streams first when it is told to stop, so that it can; and which
    takes in the connections that other processes hand over."""

    def __init__(self, config: uvicorn.Config, share: Share | None, children: list[int]) -> None:
        super().__init__(config)
        self.share = share
        self.children = children

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.share is not None:
            desk = self.config.app.state.desk  # type: ignore[union-attr]
            self.share.adopt = lambda *connection: desk.do(self._go_on(*connection))
            self.share.listen()

    async def _go_on(self, connection: socket.socket, read: bytes) -> None:
        connection.setblocking(False)
        lane = Lane(self.config, self.server_state, self.lifespan.state)
        lane.handed = read
        await asyncio.get_running_loop().connect_accepted_socket(lambda: lane, connection)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.share is not None:
            self.share.stopping = True
        for child in self.children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        desk = getattr(self.config.app.state, "desk", None)  # type: ignore[union-attr]
        if desk is not None:
            desk.broadcast.close()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def serve(
    serving: Serving,
    host: str,
    port: int,
    *,
    processes: int = 1,
    show: bool = False,
    say: bool = True,
) -> None:
    """Serve until told to stop."""
    if processes > 1 and not (hasattr(os, "fork") and hasattr(socket, "SOCK_SEQPACKET")):
        typer.echo("Several processes can share the work on Linux only.", err=True)
        raise typer.Exit(2)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # so that we notice when a laptop is closed
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE)
    try:
        listening.bind((host, port))
    except OSError:
        typer.echo(f"Port {port} is taken. Choose another one with --port, or 0 for any.", err=True)
        raise typer.Exit(2) from None
    port = int(listening.getsockname()[1])
    address = f"http://127.0.0.1:{port}"
    shared = f"http://{address_in_network()}:{port}" if host != "127.0.0.1" else ""
    listening.listen(BACKLOG)
    store = store_at(serving.database)
    if isinstance(store, SqliteStore) and processes > 1:  # not all at once
        store.prepare().close()
    share, children = split(processes)
    first = share is None or share.number == 0
    app = make_app(replace(serving, address=serving.address or shared), share)
    if say and first:
        others = f" and, for others, at {shared}" if shared else ""
        typer.echo(f"Veillée is at {address}{others}")
    if show and first:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    sys.setswitchinterval(TURN)
    gc.freeze()
    gc.set_threshold(*RUBBISH)
    config = uvicorn.Config(
        app,
        http=Lane,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1"),
        timeout_graceful_shutdown=5,
        timeout_keep_alive=75,
        backlog=BACKLOG,
    )
    Server(config, share, children).run(sockets=[listening])
    for child in children:
        os.waitpid(child, 0)
    if share is not None and share.lost:
        typer.echo("A process ended that should not have; all have stopped.", err=True)
        raise typer.Exit(1)


def backup(database: str, to: Path) -> None:
    """Copy a SQLite store, also while it is in use. What is copied is a whole moment."""
    if database.startswith(("postgresql://", "postgres://")):
        typer.echo("For PostgreSQL use pg_dump: it copies a running database.", err=True)
        raise typer.Exit(2)
    path = Path(database.removeprefix("sqlite:///"))
    if not path.exists():
        typer.echo(f"There is no store at {path}. Name it with --database.", err=True)
        raise typer.Exit(2)
    if to.exists():
        typer.echo(f"{to} is there already. Choose another name.", err=True)
        raise typer.Exit(2)
    source = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    target = sqlite3.connect(to)
    with source, target:
        source.backup(target)
    target.execute("PRAGMA journal_mode = DELETE")
    source.close()
    target.close()
    typer.echo(f"Copied to {to}.")
