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
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import veillee
from benchmarks.__main__ import as_markdown
from benchmarks.measure import keep
from tests.web.parts import Postgres
from veillee.bots.bot import WARM_UPS
from veillee.engine.precompile import compile_with_bars

HERE = Path(__file__).parent
PEER = {
    "dependencies": {"boardgame.io": "0.50.2", "socket.io-client": "4.8.1"},
    "overrides": {"koa-compose": "4.1.0"},
}
SEATS = 4
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
    load: float = 0.0
    """Seconds of processor that those who play took."""
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
            "the load's ms per move": round(self.load / moves * 1000, 3) if moves else 0.0,
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
            head += f"content-type: {kind}\r\nx-veillee: 1\r\n"
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
        _, head, _ = await self.ask("GET", "/")
        found = re.search(r"set-cookie: (veillee=[^;]+)", head)
        assert found
        self.cookie = found[1]

    async def form(self, path: str, text: str = "") -> str:
        kind = "application/x-www-form-urlencoded"
        status, head, _ = await self.ask("POST", path, text.encode(), kind)
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
        head = self.party.people[self.seat].head("GET", f"{self.party.path}/live?shape=wide")
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

    def __init__(self, ports: Sequence[int], tally: Tally) -> None:
        self.people = [Wire(ports[seat % len(ports)], tally) for seat in range(SEATS)]
        self.watches: list[Watch] = []
        self.tally = tally
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
            port = self.people[watch.seat].port
            await loop.create_connection(partial(_same, watch), "127.0.0.1", port)

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


async def load(
    ports: Sequence[int],
    tables: int,
    thinking: float,
    seconds: float,
    servers: Sequence[int],
    spread: bool = False,
) -> Tally:
    """Play at so many tables, and measure for so long.

    `servers` are the processes to be watched. The people of a table are at one server, or spread
    over all.
    """
    tally = Tally()
    places = [ports if spread else [port] for port in ports]
    parties = [Party(places[number % len(places)], tally) for number in range(tables)]
    for first in range(0, tables, 10):
        await asyncio.gather(*(party.sit_down() for party in parties[first : first + 10]))
    for party in parties:
        party.thinking = thinking
        await party.play()
    await asyncio.sleep(thinking + 2)
    tally.measuring = True
    began = time.perf_counter()
    before, load_before = sum(map(work, servers)), time.process_time()
    await asyncio.sleep(seconds)
    tally.seconds = time.perf_counter() - began
    tally.work = sum(map(work, servers)) - before
    tally.load = time.process_time() - load_before
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


class Setup(NamedTuple):
    """Servers of ours, each with workers, on SQLite or PostgreSQL."""

    workers: int = 1
    servers: int = 1
    postgresql: bool = False
    spread: bool = False


SETUPS = {
    "veillee": Setup(),
    "veillee, two workers": Setup(workers=2),
    "veillee, PostgreSQL": Setup(postgresql=True),
    "veillee, PostgreSQL, two servers, sticky": Setup(servers=2, postgresql=True),
    "veillee, PostgreSQL, two servers, spread": Setup(servers=2, postgresql=True, spread=True),
}


def ours(setup: Setup, tables: int, seconds: float) -> dict[str, Figures]:
    with ExitStack() as stack:
        options = ["--workers", str(setup.workers)]
        if setup.postgresql:
            postgres = Postgres()
            stack.callback(postgres.close)
            options += ["--database", stack.enter_context(postgres.new_database())]
        started = [stack.enter_context(served(*options)) for _ in range(setup.servers)]
        ports, pids = [port for port, _ in started], [pid for _, pid in started]
        before = sum(map(memory, pids))
        thinking = run(load(ports, tables, 2.0, seconds, pids, setup.spread)).figures()
        thinking["MB per table"] = round((sum(map(memory, pids)) - before) / tables, 3)
        full = run(load(ports, tables // 2, 0.0, seconds, pids, setup.spread)).figures()
        return {"thinking": thinking, "saturated": full}


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
        before, load_before = work(server), work(people.pid)
        measured = json.loads(people.stdout.readline())
        done, load_done = work(server) - before, work(people.pid) - load_before
    return Tally(measured["answered"], measured["seen"], seconds, done, load_done)


# ---------------------------------------------------------------- side by side


def medians(rounds: list[dict[str, Figures]]) -> dict[str, Figures]:
    return {
        name: {key: statistics.median(r[name][key] for r in rounds) for key in rounds[0][name]}
        for name in rounds[0]
    }


def measured(
    tables: int, seconds: float, rounds: int, alone: bool, setups: Sequence[str]
) -> dict[str, Any]:
    """Both, in turn, so often; the medians."""
    found: dict[str, list[dict[str, Figures]]] = {}
    with installed() as folder:
        measuring = {name: partial(ours, SETUPS[name]) for name in setups}
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
            for key in next(iter(found.values()))[what]
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
    ask.add_argument("--all", action="store_true", help="all set-ups of ours, not only one worker")
    ask.add_argument("--alone", action="store_true", help="without boardgame.io")
    ask.add_argument("--keep", action="store_true", help="write README.md")
    chosen = ask.parse_args()
    compile_with_bars(None, WARM_UPS)
    load_before = os.getloadavg()[0]
    setups = list(SETUPS) if chosen.all else list(SETUPS)[:1]
    shown = browser.measured()
    print(json.dumps(shown, indent=1), flush=True)
    found = measured(chosen.tables, chosen.seconds, chosen.rounds, chosen.alone, setups)
    rounds = "one round" if chosen.rounds == 1 else f"medians of {chosen.rounds} rounds"
    conditions = (
        f"{chosen.tables} tables of {SEATS} with 2 s of thinking, then {chosen.tables // 2} "
        f"without; one process of theirs; {rounds} of "
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
