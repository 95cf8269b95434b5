"""Two servers behind a real proxy, with the examples of `deploy/`, while one of them is killed."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.web.cluster.people import Player, Watcher, end
from tests.web.cluster.servers import Server, decisions
from tests.web.guest import TLS
from tests.web.loop import run
from tests.web.parts import free_port

DEPLOY = Path(__file__).parents[3] / "deploy"


def nginx_command(folder: Path, port: int, servers: list[Server]) -> list[str]:
    """The example, with our ports, inside of the least that nginx needs around it."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{port};")
    text = hasten(text, "client_header_timeout 10s")
    for example, server in zip(("8001", "8002"), servers, strict=True):
        assert f"127.0.0.1:{example}" in text
        text = text.replace(f"127.0.0.1:{example}", f"127.0.0.1:{server.port}")
    paths = "".join(
        f"{name}_temp_path {folder / name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder / 'pid'};\nerror_log {folder / 'log'};\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy_command(folder: Path, port: int, servers: list[Server]) -> list[str]:
    """The example, with our ports in its lines for servers with fixed addresses."""
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    text = text.replace("{$VEILLEE_SITE:localhost}", f"http://127.0.0.1:{port}")
    text = hasten(text, "read_header 10s")
    text, count = re.subn(r"dynamic a server 8000 \{[^}]*\}", "", text)
    assert count == 1
    text = re.sub(r"# (to|health_)", r"\1", text)  # the lines for servers with fixed addresses
    for example, server in zip(("10.0.0.1:8000", "10.0.0.2:8000"), servers, strict=True):
        assert example in text
        text = text.replace(example, f"127.0.0.1:{server.port}")
    assert text.startswith("{\n")
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n" + text[2:])
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def hasten(text: str, setting: str) -> str:
    """The configuration with one second in place of ten, so that a test need not wait as long."""
    assert setting in text
    return text.replace(setting, setting.replace("10s", "1s"))


PROGRAMS = "/usr/sbin:/usr/bin:/sbin:/bin"
PROXIES = {"nginx": nginx_command, "caddy": caddy_command}


@pytest.fixture
def servers(postgres_database: str) -> Iterator[list[Server]]:
    options = (postgres_database, "--log-requests")
    with Server(*options) as one, Server(*options) as other:
        yield [one, other]


@contextmanager
def running(name: str, servers: list[Server], folder: Path) -> Iterator[str]:
    """Yield the address of a proxy in front of both servers."""
    if shutil.which(name, path=PROGRAMS) is None:
        pytest.skip(f"{name} is not installed (Debian has a package of that name)")
    port = free_port()
    command = PROXIES[name](folder, port, servers)
    environment = {"HOME": str(folder), "PATH": PROGRAMS}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            if httpx.get(f"{address}/health/live").status_code == 200:
                break
        except httpx.HTTPError:
            time.sleep(0.05)
    else:
        raise AssertionError(f"{name} does not answer")
    yield address
    process.terminate()
    process.wait()


@pytest.fixture(params=list(PROXIES))
def proxy(request: pytest.FixtureRequest, servers: list[Server], tmp_path: Path) -> Iterator[str]:
    """The address of a proxy in front of both servers."""
    with running(request.param, servers, tmp_path) as address:
        yield address


def test_requests_for_one_table_reach_one_server(proxy: str, servers: list[Server]) -> None:
    paths: list[str] = []

    async def story() -> None:
        for _ in range(4):
            person = Player([proxy])
            person.path = await person.open_table("me", "screen")
            person.most = 5
            await person.play()
            assert len(person.acknowledged) == 5
            paths.append(person.path)
        async with httpx.AsyncClient(base_url=proxy) as http:
            for _ in range(8):
                paths.append(await person.open_table("me", "screen"))
                for _ in range(6):
                    assert (await http.get(paths[-1])).status_code == 200

    run(story())
    answered = [[server.log.count(path) for server in servers] for path in paths]
    assert all(min(counts) == 0 and max(counts) >= 5 for counts in answered), answered
    assert all(map(sum, zip(*answered, strict=True))), "each server has some of the tables"


def test_nginx_limits_the_connections_of_an_address(servers: list[Server], tmp_path: Path) -> None:
    """uvicorn does not, and idle connections keep others out."""
    with running("nginx", servers, tmp_path) as proxy:
        path = run(Player([proxy]).open_table("me", "screen"))
        with ExitStack() as stack:
            statuses = [open_stream(stack, f"{proxy}{path}/live") for _ in range(110)]
            assert statuses.count(200) == 100
            assert set(statuses) == {200, 503}
            address = "127.0.0.2"  # another client
            transport = httpx.HTTPTransport(local_address=address)
            assert httpx.Client(transport=transport).get(f"{proxy}{path}").status_code == 200


def open_stream(stack: ExitStack, url: str) -> int:
    """Open a stream that stays open, on a connection of its own; return its status."""
    http = stack.enter_context(httpx.Client(verify=TLS))
    return stack.enter_context(http.stream("GET", url)).status_code


def test_large_and_slow_heads_end_at_the_proxy(proxy: str, servers: list[Server]) -> None:
    """uvicorn would read both for ever."""
    port = int(proxy.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=30) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        for field in ({"x-large": "a" * 100_000}, {f"x-{n}": "a" * 1000 for n in range(100)}):
            assert httpx.get(proxy, headers=field).status_code in (400, 431)
        assert httpx.get(f"{proxy}/{'a' * 60_000}").status_code in (414, 431)
        while slow.recv(4096):
            pass  # a refusal at most; then the connection is closed, or recv times out
    assert httpx.get(proxy).status_code == 200


def test_a_server_is_killed_in_the_middle_of_games(proxy: str, servers: list[Server]) -> None:
    """Browsers come back on the other one, bots go on, nothing acknowledged is lost."""

    async def story() -> None:
        players = [Player([proxy], n) for n in range(6)]
        watchers = []
        for player in players:
            player.path = await player.open_table("me", "bot:random")
            watchers.append(Watcher([proxy], 0, player.path))
        tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
        playing = [asyncio.create_task(player.play()) for player in players]
        await asyncio.sleep(1)
        servers[0].kill()
        async with asyncio.timeout(180):
            await asyncio.gather(*playing)
            while not all(watcher.screen.state == "over" for watcher in watchers):
                await asyncio.sleep(0.05)
        await end(tasks)
        for player in players:
            stored = await decisions(servers[0].database, player.path)
            assert all(stored[moment] == action for moment, action in player.acknowledged)

    run(story())
