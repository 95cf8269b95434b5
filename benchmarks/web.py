"""`python -m benchmarks.web`: the web table under load, and boardgame.io under the same.

Starts everything itself: our server (SQLite, every action on the disk before it is answered), then,
where npm is there, boardgame.io 0.50.2 (in memory) installed by name into a folder that is deleted
afterwards, round after round. Both serve tables of four; each of the four looks at every move.
Measured are decisions with two seconds of thinking at 250 tables, and then without any thinking:
how many a second, when the one who moved had the answer, when all four had seen it, and how much of
a processor the server took for each.

boardgame.io keeps a table of Nomads too, with toy rules: what it keeps, copies and sends is of the
same size, and it pays nothing for rules, words or pictures. Without thinking it is measured once
more, with a row of numbers for a table, the least that there could be.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import veillee
from benchmarks.__main__ import as_markdown
from benchmarks.measure import keep
from veillee import ahead

HERE = Path(__file__).parent
PEER = {
    "dependencies": {"boardgame.io": "0.50.2", "socket.io-client": "4.8.1"},
    "overrides": {"koa-compose": "4.1.0"},
}
SEATS = 4
PROCESSES = 2
"""That share the work of our server: boardgame.io has no way to use a second core without Redis."""
SETTLING = 8
"""Seconds that our server has to load its machine code, as it does once when it starts."""
Figures = dict[str, float]
ACTION = b'"action":"'
HEAD = 200
"""How far we look into a part of a message for what stands at its beginning."""
TITLES = {"thinking": "with 2 s of thinking", "saturated": "without thinking"}
SMALLEST = "boardgame.io, a row of numbers"


@dataclass
class Tally:
    """What was measured: when a decision was answered, and when all four had seen it."""

    answered: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    seconds: float = 0.0
    work: float = 0.0
    """Seconds of processor that the server took."""
    refused: int = 0
    measuring: bool = False

    def add(self, to: list[float], began: float) -> None:
        if self.measuring:
            to.append(time.perf_counter() - began)

    def figures(self) -> Figures:
        moves = len(self.answered)
        return {
            "moves/s": round(moves / self.seconds, 1),
            "answered p50 ms": _at(self.answered, 50),
            "answered p99 ms": _at(self.answered, 99),
            "seen by all p50 ms": _at(self.seen, 50),
            "seen by all p99 ms": _at(self.seen, 99),
            "processor ms per move": round(self.work / moves * 1000, 3) if moves else 0.0,
        }


def _at(values: list[float], percent: int) -> float:
    return round(statistics.quantiles(values, n=100)[percent - 1] * 1000, 2) if values else 0.0


def family(pid: int) -> list[int]:
    """A process and those that it has started."""
    started = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [pid, *(each for child in started for each in family(int(child)))]


def work(pid: int) -> float:
    """Seconds of processor that a server took until now."""
    ticks = 0
    for each in family(pid):
        fields = Path(f"/proc/{each}/stat").read_text("ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """A server's memory, in MB."""
    texts = [Path(f"/proc/{each}/status").read_text("ascii") for each in family(pid)]
    return sum(int(size) for text in texts for size in re.findall(r"VmRSS:\s+(\d+)", text)) / 1024


# ---------------------------------------------------------------- four people at a table of ours


class Wire(asyncio.Protocol):
    """HTTP, as little of it as it takes, so that the measuring costs little."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.port, self.tally = port, tally
        self.cookie = ""
        self.csrf = ""
        self.heard = b""
        self.posted: list[float] = []
        """When each move was sent that is not yet answered."""

    async def open(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self.port)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self.posted:
            self.heard += data
            if not self.heard.endswith(b"}"):
                return
            data, self.heard = self.heard, b""
            self.tally.refused += data.count(b"HTTP/1.1 ") - data.count(b"HTTP/1.1 200 ")
            for _ in range(data.count(b"HTTP/1.1 200 ")):
                self.tally.add(self.tally.answered, self.posted.pop(0))
            return
        self.heard += data
        head, end, body = self.heard.partition(b"\r\n\r\n")
        if end:
            length = re.search(rb"content-length: (\d+)", head)
            if len(body) >= (int(length[1]) if length else 0):
                self.heard = b""
                self.answer.set_result((int(head[9:12]), head.decode("latin-1"), body))

    def head(self, method: str, path: str, kind: str = "") -> str:
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n"
        if self.cookie:
            head += f"cookie: {self.cookie}\r\n"
        if kind:
            head += f"content-type: {kind}\r\nx-veillee: 1\r\nx-csrf: {self.csrf}\r\n"
        return head

    async def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = ""
    ) -> tuple[int, str, bytes]:
        head = self.head(method, path, kind) + f"content-length: {len(body)}\r\n\r\n"
        self.answer: asyncio.Future[tuple[int, str, bytes]] = (
            asyncio.get_running_loop().create_future()
        )
        self.transport.write(head.encode() + body)
        return await self.answer

    def at(self, path: str) -> None:
        """Get ready to move at a table."""
        head = self.head("POST", f"{path}/play", "application/json")
        self.moving = f"{head}content-length: ".encode()

    def move(self, action: bytes, moment: int) -> float:
        """Send a move; when that was."""
        body = b'{"action":"%b","moment":"%d","token":"%d"}' % (action, moment, moment)
        began = time.perf_counter()
        self.posted.append(began)
        self.transport.write(b"%b%d\r\n\r\n%b" % (self.moving, len(body), body))
        return began

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


class Watch(asyncio.Protocol):
    """A stream of what happens at a table, for one of the four. Its messages are read where they
    lie: `id: 7`, a line of data for all and one for this person, and an empty line."""

    def __init__(self, party: Party, seat: int) -> None:
        self.party, self.seat = party, seat
        self.heard = b""
        self.saw = 0
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        head = self.party.people[self.seat].head("GET", f"{self.party.path}/live?tall=0")
        transport.write(f"{head}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        heard = self.heard + data if self.heard else data
        begin = 0
        while (end := heard.find(b"\n\n", begin)) >= 0:
            own = heard.rfind(b"\ndata: ", begin, end)
            if own >= 0:
                self._read(heard, begin, own, end)
            begin = end + 2
        self.heard = heard[begin:]

    def _read(self, heard: bytes, begin: int, own: int, end: int) -> None:
        at = heard.index(b'"moment":', begin, own) + 9
        moment = int(heard[at : heard.index(b",", at)])
        new = moment > self.saw or not moment
        self.party.seen(range(self.saw + 1, moment + 1))
        self.saw = moment
        if new and heard.find(b'"yours":true', own, min(end, own + HEAD)) >= 0:
            self.party.decide(self.seat, moment, heard[own:end])
        elif heard.find(b'"state":"over"', begin, min(own, begin + HEAD)) >= 0:
            self.party.over()


class Party:
    """Four people at one table, and after a game at the next one."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.people = [Wire(port, tally) for _ in range(SEATS)]
        self.watches: list[Watch] = []
        self.port, self.tally = port, tally
        self.thinking = 0.0
        self.sent: dict[int, tuple[float, int]] = {}
        """For each move on its way: when it was sent, and how many have yet to see it."""
        self.leaving = 0
        """How many have seen the end of the game."""
        self.left = False

    async def sit_down(self) -> None:
        await asyncio.gather(*(person.arrive() for person in self.people))
        seats = "&".join(f"seat{i}={'me' if i == 0 else 'friend'}" for i in range(SEATS))
        self.path = await self.people[0].form("/new", f"game=nomads&watching=1&{seats}")
        for person in self.people[1:]:
            await person.form(f"{self.path}/sit")
        await self.people[0].form(f"{self.path}/start")

    async def play(self) -> None:
        self.sent, self.leaving = {}, 0
        self.watches = [Watch(self, seat) for seat in range(SEATS)]
        for person in self.people:
            person.at(self.path)
        for watch in self.watches:
            loop = asyncio.get_running_loop()
            await loop.create_connection(partial(_same, watch), "127.0.0.1", self.port)

    def over(self) -> None:
        """One of the four has seen the end: when all have, they play again."""
        self.leaving += 1
        if self.leaving == SEATS and not self.left:
            self.again = asyncio.get_running_loop().create_task(self._again())

    async def _again(self) -> None:
        while any(person.posted for person in self.people):
            await asyncio.sleep(0)
        self.path = await self.people[0].form(f"{self.path}/next", "what=rematch")
        self.rise()
        await self.play()

    def rise(self) -> None:
        for watch in self.watches:
            if watch.transport is not None:
                watch.transport.close()

    def leave(self) -> None:
        self.left = True
        for line in self.people:
            line.transport.close()
        self.rise()

    def seen(self, moments: range) -> None:
        """One of the four has seen some moves."""
        for moment in moments:
            if moment in self.sent:
                began, left = self.sent.pop(moment)
                if left > 1:
                    self.sent[moment] = began, left - 1
                else:
                    self.tally.add(self.tally.seen, began)

    def decide(self, seat: int, moment: int, own: bytes) -> None:
        if self.thinking:
            pause = random.uniform(0.5, 1.5) * self.thinking
            asyncio.get_running_loop().call_later(pause, self._decide, seat, moment, own)
        else:
            self._decide(seat, moment, own)

    def _decide(self, seat: int, moment: int, own: bytes) -> None:
        if self.left:
            return
        at = -1
        for _ in range(int(random.random() * own.count(ACTION)) + 1):
            at = own.index(ACTION, at + 1)
        at += len(ACTION)
        action = own[at : own.index(b'"', at)]
        self.sent[moment + 1] = self.people[seat].move(action, moment), SEATS


def _same(watch: Watch) -> Watch:
    return watch


def give_way(and_more: int = 0) -> None:
    """People have machines of their own: here they may not push the server off its processor each
    time that they are told something."""
    os.sched_setscheduler(0, os.SCHED_BATCH | and_more, os.sched_param(0))


async def load(port: int, tables: int, thinking: float, seconds: float, server: int = 0) -> Tally:
    """Play at so many tables, and measure for so long; `server` is the process to be watched."""
    tally = Tally()
    parties = [Party(port, tally) for _ in range(tables)]
    for first in range(0, tables, 10):
        await asyncio.gather(*(party.sit_down() for party in parties[first : first + 10]))
    for party in parties:
        party.thinking = thinking
        await party.play()
    await asyncio.sleep(thinking + 2)
    tally.measuring = True
    began = time.perf_counter()
    before = work(server) if server else 0.0
    await asyncio.sleep(seconds)
    tally.seconds = time.perf_counter() - began
    tally.work = work(server) - before if server else 0.0
    tally.measuring = False
    for party in parties:
        party.leave()
    assert not tally.refused
    return tally


@contextmanager
def served(*options: str) -> Iterator[tuple[int, int]]:
    """Our server: its port and its process."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "veillee", "serve", "--port", "0", "--no-limits"),
                *("--database", f"{folder}/tables.sqlite", *options),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)", server.stdout.readline().split("127.0.0.1")[1])
            assert found
            _wait_for(int(found[1]))
            time.sleep(SETTLING)
            yield int(found[1]), server.pid
        finally:
            server.terminate()
            server.wait()


def _wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server did not start")


def run(story: Any) -> Any:
    import uvloop

    give_way(os.SCHED_RESET_ON_FORK)  # servers that we start after this do not
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(story)


def ours(tables: int, seconds: float) -> dict[str, Figures]:
    with served("--processes", str(PROCESSES)) as (port, pid):
        before = memory(pid)
        thinking = run(load(port, tables, 2.0, seconds, pid)).figures()
        thinking["MB per table"] = round((memory(pid) - before) / tables, 3)
        return {
            "thinking": thinking,
            "saturated": run(load(port, tables // 2, 0.0, seconds, pid)).figures(),
        }


# ---------------------------------------------------------------- boardgame.io


def a_table() -> dict[str, Any]:
    """A table of Nomads, when all is placed and the first turn begins."""
    game, chance = veillee.nomads.Game(players=SEATS, seed=1), random.Random(1)
    while game.phase != "turn":
        game.play(chance.choice(game.legal))
    return dict(game.position)


@contextmanager
def installed() -> Iterator[Path | None]:
    """A folder with boardgame.io in it; None without npm."""
    if shutil.which("npm") is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "package.json").write_text(json.dumps(PEER), "utf-8")
        Path(folder, "games.json").write_text(json.dumps({"nomads": a_table()}), "utf-8")
        subprocess.run(["npm", "install", "--silent"], cwd=folder, check=True)
        for name in ("server.cjs", "load.cjs"):
            shutil.copy(HERE / "boardgame_io" / name, folder)
        yield Path(folder)


@contextmanager
def their_server(folder: Path) -> Iterator[tuple[str, int]]:
    """Its port and its process."""
    server = subprocess.Popen(
        ["node", "server.cjs", "0"], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        port = next(line.split()[1] for line in server.stdout if line.startswith("port "))
        yield port, server.pid
    finally:
        server.terminate()
        server.wait()


def theirs(folder: Path, tables: int, seconds: float) -> dict[str, Figures]:
    with their_server(folder) as (port, pid):
        before = memory(pid)
        thinking = their_load(folder, "nomads", port, tables, 2, seconds, pid).figures()
        thinking["MB per table"] = round((memory(pid) - before) / tables, 3)
        saturated = their_load(folder, "nomads", port, tables // 2, 0, seconds, pid).figures()
        return {"thinking": thinking, "saturated": saturated}


def their_least(folder: Path, tables: int, seconds: float) -> dict[str, Figures]:
    with their_server(folder) as (port, pid):
        load = their_load(folder, "numbers", port, tables // 2, 0, seconds, pid)
        return {"saturated": load.figures()}


def their_load(
    folder: Path, game: str, port: str, tables: int, thinking: int, seconds: float, server: int
) -> Tally:
    with subprocess.Popen(
        ["node", "load.cjs", game, port, str(tables), str(thinking), str(seconds)],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=give_way,  # noqa: PLW1509 - there is one thread
    ) as people:
        assert people.stdout is not None
        people.stdout.readline()  # it begins to measure
        before = work(server)
        measured = json.loads(people.stdout.readline())
        done = work(server) - before
    return Tally(measured["answered"], measured["seen"], seconds, done)


# ---------------------------------------------------------------- side by side


def medians(rounds: list[dict[str, Figures]]) -> dict[str, Figures]:
    return {
        name: {key: statistics.median(r[name][key] for r in rounds) for key in rounds[0][name]}
        for name in rounds[0]
    }


def measured(tables: int, seconds: float, rounds: int, alone: bool) -> dict[str, Any]:
    """Both, in turn, so often; the medians."""
    found: dict[str, list[dict[str, Figures]]] = {}
    with installed() as folder:
        measuring = {"veillee": ours}
        if folder is not None and not alone:
            measuring["boardgame.io"] = partial(theirs, folder)
            measuring[SMALLEST] = partial(their_least, folder)
        for number in range(rounds):
            for name, measure in measuring.items():
                found.setdefault(name, []).append(measure(tables, seconds))
                print(number + 1, name, json.dumps(found[name][-1]), flush=True)
    return {name: medians(each) for name, each in found.items()}


def tables_of(found: dict[str, dict[str, Figures]], shown: Figures | None) -> str:
    """What was measured, for the README."""
    parts = []
    for what, title in TITLES.items():
        measured = {name: each[what] for name, each in found.items() if what in each}
        rows = [
            [key, *(_short(each[key]) for each in measured.values())]
            for key in found["veillee"][what]
        ]
        parts.append(as_markdown([title, *measured], rows))
    if shown:
        rows = [[key, _short(value)] for key, value in shown.items()]
        parts.append(as_markdown(["in Chromium", "veillee"], rows))
    return "\n\n".join(parts)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main() -> None:
    from benchmarks import browser

    ask = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    ask.add_argument("--tables", type=int, default=250)
    ask.add_argument("--seconds", type=float, default=15)
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--alone", action="store_true", help="without boardgame.io")
    ask.add_argument("--keep", action="store_true", help="write README.md")
    chosen = ask.parse_args()
    ahead.show()
    load_before = os.getloadavg()[0]
    shown = browser.measured()
    print(json.dumps(shown, indent=1), flush=True)
    found = measured(chosen.tables, chosen.seconds, chosen.rounds, chosen.alone)
    conditions = (
        f"{chosen.tables} tables of {SEATS} with 2 s of thinking, then {chosen.tables // 2} "
        f"without; {PROCESSES} processes of ours; medians of {chosen.rounds} rounds of "
        f"{chosen.seconds:g} s; {os.cpu_count()} cores for server and load together; load average "
        f"{load_before:.1f} before and {os.getloadavg()[0]:.1f} after; "
        f"Python {platform.python_version()}."
    )
    text = f"{tables_of(found, shown)}\n\n{conditions}"
    print(text)
    if chosen.keep:
        keep("web", text)


if __name__ == "__main__":
    main()
