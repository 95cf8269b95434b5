"""`python -m benchmarks.web`: the web table under load, and boardgame.io under the same.

Starts everything itself: our server (SQLite, every action on the disk before it is answered), then,
where npm is there, boardgame.io 0.50.2 (in memory, toy rules) installed by name into a folder that
is deleted afterwards. Both serve tables of four; each of the four looks at every move. Measured are
decisions with two seconds of thinking at 250 tables, and then without any thinking.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PEER = {
    "dependencies": {"boardgame.io": "0.50.2", "socket.io-client": "4.8.1"},
    "overrides": {"koa-compose": "4.1.0"},
}
SEATS = 4


@dataclass
class Tally:
    """What was measured: when a decision was answered, and when all four had seen it."""

    answered: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def figures(self) -> dict[str, float]:
        return {
            "moves/s": round(len(self.answered) / self.seconds, 1),
            "answered p50 ms": _at(self.answered, 50),
            "answered p99 ms": _at(self.answered, 99),
            "seen by all p50 ms": _at(self.seen, 50),
            "seen by all p99 ms": _at(self.seen, 99),
        }


def _at(values: list[float], percent: int) -> float:
    return round(statistics.quantiles(values, n=100)[percent - 1] * 1000, 2) if values else 0.0


class Wire:
    """HTTP as little as it takes, so that the measuring costs little."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""
        self.csrf = ""

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = ""
    ) -> tuple[int, str, bytes]:
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n"
        if self.cookie:
            head += f"cookie: {self.cookie}\r\n"
        if kind:
            head += f"content-type: {kind}\r\nx-veillee: 1\r\nx-csrf: {self.csrf}\r\n"
        head += f"content-length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", answer, re.IGNORECASE)
        content = await self.reader.readexactly(int(length[1])) if length else b""
        return int(answer.split(" ", 2)[1]), answer, content

    async def arrive(self) -> None:
        await self.open()
        _, head, page = await self.ask("GET", "/")
        found = re.search(r"set-cookie: (veillee=[^;]+)", head)
        assert found
        self.cookie = found[1]
        self.csrf = page.split(b'name="csrf" value="', 1)[1].split(b'"', 1)[0].decode()

    async def form(self, path: str, text: str = "") -> str:
        body = f"csrf={self.csrf}&{text}".encode()
        status, head, _ = await self.ask("POST", path, body, "application/x-www-form-urlencoded")
        assert status in (200, 303), (path, status)
        found = re.search(r"location: (\S+)", head)
        return found[1] if found else ""


class Party:
    """Four people at one table."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.people = [Wire(port) for _ in range(SEATS)]
        self.port, self.tally = port, tally
        self.thinking = 0.0
        self.measuring = False
        self.sent = 0.0
        self.awaited = 0
        self.left: set[int] = set()
        self.over = False

    async def sit_down(self) -> None:
        await asyncio.gather(*(person.arrive() for person in self.people))
        seats = "&".join(f"seat{i}={'me' if i == 0 else 'friend'}" for i in range(SEATS))
        self.path = await self.people[0].form("/new", f"game=nomads&watching=1&{seats}")
        for person in self.people[1:]:
            await person.form(f"{self.path}/sit")
        await self.people[0].form(f"{self.path}/start")

    async def play(self) -> None:
        await asyncio.gather(*(self._look(i) for i in range(SEATS)))

    async def _look(self, i: int) -> None:
        person = self.people[i]
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        writer.write(
            f"GET {self.path}/live?tall=0 HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n"
            f"cookie: {person.cookie}\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        try:
            while not self.over:
                line = await reader.readline()
                if not line:
                    return
                if not line.startswith(b"data: "):
                    continue
                own = await reader.readline()
                self._saw(i, line)
                if b'"yours":true' in own[:200]:
                    asyncio.get_running_loop().create_task(self._decide(person, line, own))
        finally:
            writer.close()

    def _saw(self, i: int, line: bytes) -> None:
        moment = int(line.split(b'"moment":', 1)[1].split(b",", 1)[0])
        if b'"state":"over"' in line[:200]:
            self.over = True
        if moment >= self.awaited and i in self.left:
            self.left.discard(i)
            if not self.left and self.measuring and self.sent:
                self.tally.seen.append(time.perf_counter() - self.sent)

    async def _decide(self, person: Wire, line: bytes, own: bytes) -> None:
        if self.thinking:
            await asyncio.sleep(random.uniform(0.5, 1.5) * self.thinking)
        moment = int(line.split(b'"moment":', 1)[1].split(b",", 1)[0])
        actions = re.findall(rb'"action":"([^"]+)"', own)
        action = random.choice(actions).decode()
        body = json.dumps({"action": action, "moment": str(moment), "token": str(moment)}).encode()
        self.awaited, self.left, self.sent = moment + 1, set(range(SEATS)), time.perf_counter()
        measuring = self.measuring
        status, _, _ = await person.ask("POST", f"{self.path}/play", body, "application/json")
        if status == 200 and measuring:
            self.tally.answered.append(time.perf_counter() - self.sent)


async def load(port: int, tables: int, thinking: float, seconds: float) -> dict[str, float]:
    tally = Tally()
    parties = [Party(port, tally) for _ in range(tables)]
    for first in range(0, tables, 10):
        await asyncio.gather(*(party.sit_down() for party in parties[first : first + 10]))
    for party in parties:
        party.thinking = thinking
    playing = [asyncio.create_task(party.play()) for party in parties]
    await asyncio.sleep(thinking + 2)
    for party in parties:
        party.measuring = True
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    tally.seconds = time.perf_counter() - began
    for party in parties:
        party.over = True
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return tally.figures()


def memory(pid: int) -> float:
    """A process's own memory, in MB."""
    text = Path(f"/proc/{pid}/status").read_text("ascii")
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return int(found[1]) / 1024 if found else 0.0


def ours(tables: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "veillee", "serve", "--port", "0", "--no-limits"),
                *("--level", "random", "--database", f"{folder}/tables.sqlite"),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)", server.stdout.readline().split("127.0.0.1")[1])
            assert found
            port = int(found[1])
            _wait_for(port)
            before = memory(server.pid)
            thinking = asyncio.run(load(port, tables, 2.0, seconds))
            each = (memory(server.pid) - before) / tables
            saturated = asyncio.run(load(port, tables // 2, 0.0, seconds))
        finally:
            server.terminate()
            server.wait()
    return {
        "with 2 s thinking": thinking,
        "saturated": saturated,
        "MB per table with 4 who look": round(each, 3),
    }


def _wait_for(port: int) -> None:
    import socket

    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server did not start")


def boardgame_io(tables: int, seconds: float) -> dict[str, Any] | None:
    if shutil.which("npm") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "package.json").write_text(json.dumps(PEER), "utf-8")
        subprocess.run(["npm", "install", "--silent"], cwd=folder, check=True)
        for name in ("server.cjs", "load.cjs"):
            shutil.copy(HERE / "boardgame_io" / name, folder)
        server = subprocess.Popen(
            ["node", "server.cjs", "0"], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            port = ""
            for line in server.stdout:
                if line.startswith("port "):
                    port = line.split()[1]
                    break
            found = {}
            for name, n, pause in (("with 2 s thinking", tables, 2), ("saturated", tables // 2, 0)):
                done = subprocess.run(
                    ["node", "load.cjs", port, str(n), str(pause), str(seconds)],
                    cwd=folder,
                    check=True,
                    capture_output=True,
                    text=True,
                )
                measured = json.loads(done.stdout)
                found[name] = Tally(measured["seen"], measured["seen"], seconds).figures()
        finally:
            server.terminate()
            server.wait()
    return found


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    ask.add_argument("--tables", type=int, default=250)
    ask.add_argument("--seconds", type=float, default=20)
    ask.add_argument("--alone", action="store_true", help="without boardgame.io")
    chosen = ask.parse_args()
    print(json.dumps({"load average before": os.getloadavg()[0], "cores": os.cpu_count()}))
    print(json.dumps({"veillee": ours(chosen.tables, chosen.seconds)}, indent=1), flush=True)
    if not chosen.alone:
        peer = boardgame_io(chosen.tables, chosen.seconds)
        print(json.dumps({"boardgame.io": peer or "npm is not here"}, indent=1))


if __name__ == "__main__":
    main()
