"""`veillee serve`: the server."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import sys
import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import Any

import msgspec
import typer
import uvicorn

from veillee.bots.bot import WARM_UPS
from veillee.bots.characters import RANDOM
from veillee.engine.precompile import CompilationStopped, compile_with_bars, stop_compiling
from veillee.web import logs
from veillee.web.app import make_app
from veillee.web.config import ServerConfig, default_database
from veillee.web.database import SqliteStore, StoreError, store_at

PORT = 8753
BACKLOG = 2048
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
"""Allowed host names if only this machine can connect; others may be DNS rebinding."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - names them
SILENCE = 30_000
"""Milliseconds after which a connection is dropped that confirms nothing of what it is sent."""
SPARE_FILES = 64
"""Open files that are left for the store and the bots when connections take the rest."""
UVICORN: dict[str, Any] = {
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "proxy_headers": True,
    "timeout_graceful_shutdown": 5,
    "timeout_keep_alive": 75,
    "backlog": BACKLOG,
    "ws": "none",
}


def address_in_network() -> str:
    """This machine's address as others in the network know it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only asks for the route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def serve(
    config: ServerConfig, host: str = "127.0.0.1", port: int = PORT, *, show: bool = False
) -> None:
    """Serve until told to stop."""
    logs.configure(as_json=config.log_json, requests=config.log_requests)
    listening = _bind(host, port)
    port = int(listening.getsockname()[1])
    local, shared = _addresses(host, port)
    if not (shared or config.address or config.allowed_hosts):  # only this machine
        config = msgspec.structs.replace(config, allowed_hosts=LOCAL_HOSTS)
    config = msgspec.structs.replace(config, address=config.address or shared)
    _prepare(config)
    config = msgspec.structs.replace(config, compiling=True)
    if config.metrics:
        _serve_metrics(config)
    others = f" and, for others, at {shared}" if shared not in ("", local) else ""
    typer.echo(f"Veillée is at {local}{others}")
    if config.level != RANDOM:
        threading.Thread(target=_compile, daemon=True).start()
    if show:
        threading.Timer(1.0, webbrowser.open, [local]).start()
    # Uvicorn raises the signal again once it has stopped in good order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    options = UVICORN | {"limit_concurrency": _most_connections()}
    try:
        if config.workers == 1:
            uvicorn.Server(uvicorn.Config(make_app(config), **options)).run(sockets=[listening])
            return
        listening.close()
        os.environ.update(config.to_environment())
        uvicorn.run(
            "veillee.web.app:create_app",
            factory=True,
            host=host,
            port=port,
            workers=config.workers,
            **options,
        )
    finally:
        stop_compiling()


def _addresses(host: str, port: int) -> tuple[str, str]:
    """Return the addresses for this machine and for others; "" if others can't connect."""
    if host in ANY_ADDRESS:
        return f"http://127.0.0.1:{port}", f"http://{address_in_network()}:{port}"
    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    return address, "" if host in LOOPBACK else address


def _compile() -> None:
    """Compile the games that are not compiled, unless the server stops before."""
    with contextlib.suppress(CompilationStopped):
        compile_with_bars(None, WARM_UPS)


def _bind(host: str, port: int) -> socket.socket:
    """A socket that listens, or a sentence that says why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # so that a closed laptop is noticed
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)  # who comes before the server is ready waits
    except OSError:
        typer.echo(
            f"Cannot listen at {host}, port {port}. Choose another port with --port, or 0 for any.",
            err=True,
        )
        raise typer.Exit(2) from None
    return listening


def _prepare(config: ServerConfig) -> None:
    """Migrate a SQLite file before workers open it, or say in a sentence why it can't be used."""
    try:
        store = store_at(config.database)
        if isinstance(store, SqliteStore):
            _require_folder(config.database, store.path)
            store.prepare().close()
    except (StoreError, OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        if not isinstance(error, StoreError):
            reason = f"The database {config.database} cannot be used: {reason}."
        typer.echo(reason, err=True)
        raise typer.Exit(2) from None


def _require_folder(database: str, path: Path) -> None:
    """Refuse a path that was mistyped. The folder of the default database is made."""
    if database != default_database() and not path.parent.is_dir():
        raise StoreError(f"There is no folder {path.parent} for the database {path.name}.")


def _serve_metrics(config: ServerConfig) -> None:
    """Serve metrics on their own port; of several workers, from files of a folder."""
    if config.workers > 1:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="veillee-metrics-")
    from veillee.web.metrics import serve_metrics

    try:
        serve_metrics(config.metrics)
    except (OSError, ValueError) as error:
        typer.echo(f"Metrics cannot be served at {config.metrics}: {error}", err=True)
        raise typer.Exit(2) from None


def _most_connections() -> int | None:
    """Raise the limit of open files as far as allowed; return how many connections it permits."""
    try:
        import resource
    except ModuleNotFoundError:  # not on Windows
        return None
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return max(most - SPARE_FILES, SPARE_FILES)
