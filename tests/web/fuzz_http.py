"""`python -m tests.web.fuzz_http --requests 500000`: mutated HTTP over raw sockets.

Requests as browsers and programs send them are mutated in their bytes, their headers and their
framing, pipelined, split and cut off. The server must go on answering: no status of 5xx, no
traceback, nothing that takes long, and nothing carried out that only stood in the body of another
request. A run is reproducible by its seed as far as the network allows.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import httpx

from tests.web.cluster.people import Person
from tests.web.cluster.servers import NOTED, Server

CONNECTIONS = 32
QUIET = 0.15
"""Seconds without an answer after which none is expected: many requests are incomplete."""
SLOWEST = 10.0
"""Seconds in which a healthy server has answered."""
CHECKED = 500
"""Requests between two looks at the server's health."""
SMUGGLED = b"smuggled-request"
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
ODD = (
    *(b"\0", b"\r", b"\n", b"\r\n", b"\r\n\r\n", b" ", b"\t", b":", b"\x80", b"\xff\xfe", b"%00"),
    *(
        b"%2f",
        b"..",
        b"//",
        b"%",
        b"\xc3\x28",
        b"A" * 5000,
        b"0x10",
        b"-1",
        b"99999999999999999999",
    ),
)
HEADERS = (
    *(b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity, chunked", b"Content-Length: 0"),
    *(b"Transfer-Encoding : chunked", b"Transfer-Encoding: xchunked", b"Content-Length: +5"),
    *(b"Content-Length: 5, 6", b"Content-Length: 18446744073709551616", b"Expect: 100-continue"),
    *(b"Connection: upgrade\r\nUpgrade: h2c", b"Connection: upgrade\r\nUpgrade: websocket"),
    *(b"Connection: close", b"Connection: keep-alive", b"Host: other", b"Host: a:b", b"Host:"),
    *(b"Cookie: veillee=x", b"X-Request-Id: " + b"x" * 100, b" folded: yes", b"Accept: \xff"),
    *(b"Accept-Language: fr;q=x,es;q=9e99", b"Origin: null", b"Sec-Fetch-Site: cross-site"),
    *(b"X-Forwarded-For: 1.2.3.4, ::1, x", b"X-Forwarded-Proto: javascript", b"Range: bytes=9-1"),
    b"Content-Type: multipart/form-data; boundary=\xff",
    b"Content-Type: application/x-www-form-urlencoded; charset=utf-7",
    b"Content-Encoding: gzip",
)


class Fuzz:
    """Mutated requests for one server, and what came of them."""

    def __init__(self, server: Server, table: str, cookie: str, seed: int) -> None:
        self.server, self.seed = server, seed
        self.valid = requests_to(server.port, table, cookie)
        self.sent = 0
        self.statuses: Counter[int] = Counter()
        self.problems: list[str] = []

    async def run(self, requests: int) -> None:
        """Send at least so many requests, over several connections at once."""
        each = -(-requests // CONNECTIONS)
        await asyncio.gather(*(self._connect(each, Random(f"{self.seed}/{n}"))
                               for n in range(CONNECTIONS)))  # fmt: skip
        await self._check()

    async def _connect(self, requests: int, chance: Random) -> None:
        sent = 0
        while sent < requests and len(self.problems) < 20:
            batch = [self._mutated(chance) for _ in range(chance.choice((1, 1, 1, 2, 4)))]
            sent += len(batch)
            before = self.sent // CHECKED
            self.sent += len(batch)
            if self.sent // CHECKED != before:
                await self._check()
            try:
                async with asyncio.timeout(SLOWEST):
                    await self._exchange(b"".join(batch), chance)
            except TimeoutError:
                self.problems.append(f"no end after {SLOWEST} s: {batch!r:.600}")
            except OSError:  # closed by the server in the middle of what is wrong
                pass

    async def _exchange(self, data: bytes, chance: Random) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        try:
            for part in _split(data, chance):
                writer.write(part)
                await writer.drain()
            heard = await _read(reader)
        finally:
            writer.close()
        for status in map(int, STATUS.findall(heard)):
            self.statuses[status] += 1
            if status >= 500:
                self.problems.append(f"{status} for {data!r:.600}")
        if b"x-request-id: " + SMUGGLED in heard.lower():
            self.problems.append(f"smuggled: {data!r:.600}")

    def _mutated(self, chance: Random) -> bytes:
        request = chance.choice(self.valid)
        kind = chance.random()
        if kind < 0.1:
            return request
        if kind < 0.2:
            return _with_request_in_body(request, chance)
        for _ in range(chance.choice((1, 1, 2, 5))):
            request = chance.choice((_bytes, _bytes, _header, _header, _line, _framing))(
                request, chance
            )
        return request

    async def _check(self) -> None:
        """Ask for the server's health as anybody would."""
        began = time.monotonic()
        try:
            async with httpx.AsyncClient(timeout=SLOWEST) as http:
                answer = await http.get(f"{self.server.address}/health/live")
            if answer.status_code != 200:
                self.problems.append(f"health: {answer.status_code}")
        except httpx.HTTPError as error:
            took = time.monotonic() - began
            self.problems.append(f"health: {error!r} after {took:.1f} s")


def requests_to(port: int, table: str, cookie: str) -> list[bytes]:
    """Requests that are right: pages, forms, posts of the script, a stream, programs."""
    common = f"Host: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nAccept-Language: en\r\n"
    paths = ("/", "/new?game=nomads", table, f"{table}/live?look=0", f"{table}/since", "/me",
             "/rules/nomads", "/static/table.js", "/health", "/api/v1/games", f"{table}/record",
             f"{table}/verify", "/nowhere")  # fmt: skip
    found = [f"GET {path} HTTP/1.1\r\n{common}\r\n" for path in paths]
    found += [f"HEAD / HTTP/1.1\r\n{common}\r\n", f"GET / HTTP/1.0\r\n{common}\r\n"]
    forms = (
        ("/new", "game=nomads&seat0=me&seat1=bot:random&pace=none"),
        (f"{table}/talk", "phrase=hello"),
        ("/me", "name=Ida&language=fr"),
    )
    for path, body in forms:
        found.append(_post(path, common, "application/x-www-form-urlencoded", body))
    for path, body in (
        (f"{table}/play", '{"action":"pass","moment":"0","token":"a"}'),
        (f"{table}/undo", "{}"),
        (f"{table}/talk", '{"phrase":"hello","seat":"0"}'),
    ):
        found.append(_post(path, f"{common}x-veillee: 1\r\n", "application/json", body))
    return [request.encode() for request in found]


def _post(path: str, common: str, kind: str, body: str) -> str:
    return (
        f"POST {path} HTTP/1.1\r\n{common}Content-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )


def _with_request_in_body(request: bytes, chance: Random) -> bytes:
    """A request whose body looks like another one: it must be read as a body, or not at all."""
    head = request.partition(b"\r\n\r\n")[0]
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"Content-Length")]
    inner = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Request-Id: " + SMUGGLED + b"\r\n\r\n"
    if chance.random() < 0.5:
        lines.append(b"Content-Length: %d" % len(inner))
        body = inner
    else:
        lines.append(b"Transfer-Encoding: chunked")
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(inner), inner)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _bytes(request: bytes, chance: Random) -> bytes:
    """Change, delete, double or insert some bytes."""
    at = chance.randrange(len(request) + 1)
    length = chance.choice((1, 1, 2, 8, 64))
    match chance.randrange(4):
        case 0:
            return request[:at] + chance.randbytes(length) + request[at + length :]
        case 1:
            return request[:at] + request[at + length :] or b"G"
        case 2:
            return request[: at + length] + request[at:]
        case _:
            return request[:at] + chance.choice(ODD) + request[at:]


def _header(request: bytes, chance: Random) -> bytes:
    """Add a header, double one, or leave one out."""
    head, end, body = request.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    at = chance.randrange(1, len(lines) + 1)
    match chance.randrange(4):
        case 0 if len(lines) > 1:
            del lines[min(at, len(lines) - 1)]
        case 1 if len(lines) > 1:
            lines.insert(at, lines[chance.randrange(1, len(lines))])
        case _:
            lines.insert(at, chance.choice(HEADERS))
    return b"\r\n".join(lines) + end + body


def _line(request: bytes, chance: Random) -> bytes:
    """Change the method, the target or the version."""
    line, end, rest = request.partition(b"\r\n")
    parts = [*line.split(b" "), b"", b""][:3]
    at = chance.randrange(3)
    odd = (
        (b"get", b"PUT", b"OPTIONS", b"CONNECT", b"PRI", b"X" * 300, b"", b"\0GET"),
        (b"*", b"http://other/", b"//t/x/live", b"/t%2f" + parts[1], b"/" + b"a/" * 2000, b"/?" +
         b"x=" * 500, parts[1] + b"?look=\xc2\xb2", parts[1] + b"#x", b"/t/" + b"\xff" * 20, b""),
        (b"HTTP/2.0", b"HTTP/1.2", b"HTTP/0.9", b"HTTP/1.1 ", b"HTTP/11", b"http/1.1", b""),
    )  # fmt: skip
    parts[at] = chance.choice(odd[at])
    return b" ".join(parts) + end + rest


def _framing(request: bytes, chance: Random) -> bytes:
    """Let the declared length differ from the body's, or declare two."""
    head, _, body = request.partition(b"\r\n\r\n")
    more = chance.choice(
        (
            b"Content-Length: %d" % max(0, len(body) + chance.choice((-3, -1, 1, 5, 4096))),
            b"Transfer-Encoding: chunked",
            b"Content-Length: %d\r\nTransfer-Encoding: chunked" % len(body),
        )
    )
    chunk = chance.choice((body, b"5\r\nhello\r\n0\r\n\r\n", b"zz\r\n", b"0\r\n\r\nGET / HTTP/1.1"))
    return head + b"\r\n" + more + b"\r\n\r\n" + chunk


def _split(data: bytes, chance: Random) -> list[bytes]:
    """The packets in which bytes are sent; sometimes not all of them."""
    if chance.random() < 0.05:
        data = data[: chance.randrange(len(data) + 1)]
    if chance.random() < 0.8:
        return [data]
    at = chance.randrange(len(data) + 1)
    return [data[:at], data[at:]]


async def _read(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the server closes or nothing comes any more."""
    heard = b""
    while len(heard) < 1_000_000:
        try:
            async with asyncio.timeout(QUIET):
                part = await reader.read(65536)
        except TimeoutError:
            break
        if not part:
            break
        heard += part
    return heard


async def fuzz(server: Server, requests: int, seed: int = 1) -> Fuzz:
    """Send mutated requests to a server at which somebody sits at a table."""
    host = Person([server.address])
    table = await host.open_table("me", "bot:random")
    cookie = "; ".join(f"{name}={value}" for name, value in host.http.cookies.items())
    await host.http.aclose()
    fuzzing = Fuzz(server, table, cookie, seed)
    await fuzzing.run(requests)
    lines = [line for line in server.log.splitlines() if any(word in line for word in NOTED)]
    fuzzing.problems += lines[:20]
    return fuzzing


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m tests.web.fuzz_http", description=__doc__)
    ask.add_argument("--requests", type=int, default=500_000)
    ask.add_argument("--seed", type=int, default=1)
    chosen = ask.parse_args()
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(str(Path(folder) / "fuzz.sqlite")) as server,
    ):
        found = asyncio.run(fuzz(server, chosen.requests, chosen.seed))
    print(f"{found.sent} requests in {time.monotonic() - began:.0f} s")
    print(", ".join(f"{status}: {n}" for status, n in sorted(found.statuses.items())))
    for problem in found.problems:
        print(problem)
    print(f"{len(found.problems)} problems")
    sys.exit(bool(found.problems))


if __name__ == "__main__":
    main()
