"""Real servers, a real browser, and both databases for the tests of the web table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.guest import KEY
from tests.web.loop import run
from tests.web.parts import Postgres, Redis
from tests.web.served import Served, sqlite_in
from tools import node
from tools.browser import launch_options
from veillee.web.database import queries, store_at

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NewPage = Callable[..., Any]
PATIENCE = 30_000
"""Milliseconds for which something on a page is awaited, on a machine that does other work too."""


ONCE = (
    "test_append.py",
    "test_bus.py",
    "test_bus_cut.py",
    "test_jobs.py",
    "test_kills.py",
    "test_presence.py",
    "test_proxies.py",
    "test_registry.py",
    "test_scheduler.py",
    "test_servers.py",
    "test_two_servers.py",
    "test_workers.py",
)
"""Tests in which a failure may be a race that is lost now and then: never run again."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a failed test of this folder once more; the summary names it either way.

    Browsers, servers and databases share the machine with other tests, and a wait may be too short
    once in thousands.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents and item.path.name not in ONCE:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real Chromium; see `tools/browser.py` for where it comes from."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**launch_options(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL, started for these tests."""
    server = Postgres()
    yield server
    server.close()


@pytest.fixture
def postgres_database(postgres: Postgres) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    with postgres.new_database() as address:
        yield address


@pytest.fixture
def redis() -> Iterator[Redis]:
    """A real Redis."""
    with Redis() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return sqlite_in(tmp_path)
    return str(request.getfixturevalue("postgres_database"))


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests that do not start their own. It takes two seconds to start."""
    database = sqlite_in(tmp_path_factory.mktemp("served"))

    async def prepare() -> None:
        store = store_at(database)
        await store.open()
        await queries.signing_key(store, KEY)
        await store.close()

    run(prepare())
    with Served(database, "--no-limits") as server:
        yield server


@contextmanager
def opened_pages(browser: Any, address: str) -> Iterator[NewPage]:
    """Yield what opens a page in a context of its own; any error on a page is an error here."""
    contexts = []
    errors: list[str] = []

    def note(message: Any) -> None:
        usual = (
            re.search("ERR_(CONNECTION|INTERNET)", message.text) or "status of 4" in message.text
        )
        if message.type == "error" and not usual:
            errors.append(f"{message.page.url}: {message.text}")

    def make(**options: Any) -> Any:
        settings = {"reduced_motion": "reduce", "locale": "en", "base_url": address}
        context = browser.new_context(**(settings | options))
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
        page.on("console", note)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def new_page(browser: Any, served: Served) -> Iterator[NewPage]:
    """A person with a browser of their own; any error on a page fails the test."""
    with opened_pages(browser, served.address) as make:
        yield make


@pytest.fixture(scope="module")
def new_shared_page(browser: Any, served: Served) -> Iterator[NewPage]:
    """A person with a browser of their own, for all tests of a file."""
    with opened_pages(browser, served.address) as make:
        yield make


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core from npm, installed where it is missing."""
    return (node.packages() / "axe-core" / "axe.min.js").read_text("utf-8")
