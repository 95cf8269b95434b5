"""People at tables of several servers: they play and watch, and come back when a server is gone."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any

import httpx

from tests.web.guest import TLS

RETRY = 0.05
"""Seconds before a request is made again, at another server if there is one."""
GONE = (httpx.HTTPError, RuntimeError)
"""What happens to a request whose server is gone, or closes."""
SCRIPT = {"x-veillee": "1"}


class Person:
    """One browser, which goes to the next server when one does not answer."""

    def __init__(self, addresses: Sequence[str], first: int = 0) -> None:
        self.addresses = list(addresses)
        self._at = first % len(self.addresses)
        self.http = httpx.AsyncClient(
            headers={"accept-language": "en"}, timeout=httpx.Timeout(10, read=60), verify=TLS
        )

    @property
    def address(self) -> str:
        return self.addresses[self._at]

    async def go_elsewhere(self) -> None:
        self._at = (self._at + 1) % len(self.addresses)
        await asyncio.sleep(RETRY)

    async def open_table(self, *seats: str, game: str = "nomads", **fields: str) -> str:
        """Open a table and return its path."""
        rows = {f"seat{i}": seat for i, seat in enumerate(seats)}
        form = {"game": game, "watching": "1", "pace": "none"} | rows | fields
        while True:
            try:
                await self.http.get(f"{self.address}/")  # for a cookie
                answer = await self.http.post(f"{self.address}/new", data=form)
                if answer.status_code == 303:
                    return str(answer.headers["location"])
            except GONE:
                pass
            await self.go_elsewhere()

    async def act(self, path: str, command: str, **fields: object) -> httpx.Response:
        """Send a command until it is answered; its token makes it happen once."""
        form = {key: str(value) for key, value in fields.items()}
        while True:
            try:
                url = f"{self.address}{path}/{command}"
                answer = await self.http.post(url, json=form, headers=SCRIPT)
                if answer.status_code < 500 and answer.status_code != 408:
                    return answer
            except GONE:
                pass
            await self.go_elsewhere()

    async def messages(self, path: str) -> AsyncIterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Yield what the server tells, as long as anybody asks; come back if a stream ends."""
        while True:
            try:
                async with self.http.stream("GET", f"{self.address}{path}/live") as answer:
                    if answer.status_code == 200:
                        async for told in _messages(answer):
                            yield told
            except GONE:
                pass
            await self.go_elsewhere()


async def _messages(
    answer: httpx.Response,
) -> AsyncIterator[tuple[dict[str, Any], dict[str, Any]]]:
    data: list[str] = []
    async for line in answer.aiter_lines():
        if line.startswith("data: "):
            data.append(line[6:])
        elif not line and data:
            yield json.loads(data[0]), json.loads(data[1])
            data = []


class Screen:
    """What a page shows, put together from what the server tells."""

    def __init__(self) -> None:
        self.number = -1
        self.moment = -1
        self.state = ""
        self.picture: list[str] = []
        self.lines: list[dict[str, Any]] = []
        self.disorder = 0
        """How often a message was not newer than what was shown before."""

    def take(self, shared: dict[str, Any]) -> None:
        if shared.get("whole"):
            self.lines = list(shared.get("log", ()))
        else:
            self.disorder += shared["number"] < self.number
            self.lines += shared.get("lines", ())
        self.picture = shared.get("picture", self.picture)
        for place, part in shared.get("changes", ()):
            self.picture[place] = part
        self.number, self.moment = shared["number"], shared["moment"]
        self.state = shared["state"]


class Watcher(Person):
    """Somebody who only watches."""

    def __init__(self, addresses: Sequence[str], first: int, path: str) -> None:
        super().__init__(addresses, first)
        self.path = path
        self.screen = Screen()

    async def watch(self) -> None:
        async for shared, _ in self.messages(self.path):
            self.screen.take(shared)


class Player(Person):
    """Plays one seat, or all seats on one screen, and remembers what was acknowledged."""

    def __init__(self, addresses: Sequence[str], first: int = 0) -> None:
        super().__init__(addresses, first)
        self.path = ""
        self.screen = Screen()
        self.acknowledged: list[tuple[int, str]] = []
        """The moment and the action of each answered decision."""
        self._chance = Random(first)
        self._tokens = itertools.count()
        self.most = 10_000
        self.pause = 0.0

    async def play(self) -> None:
        """Take decisions until the game is over."""
        async for shared, own in self.messages(self.path):
            self.screen.take(shared)
            if self.screen.state == "over" or len(self.acknowledged) >= self.most:
                return
            if own.get("yours"):
                await self._decide(shared["moment"], own)

    async def _decide(self, moment: int, own: dict[str, Any]) -> None:
        action = self._chance.choice(own["choices"]["all"])["action"]
        token = f"{moment}-{next(self._tokens)}"
        answer = await self.act(self.path, "play", action=action, moment=moment, token=token)
        if answer.status_code == 200:
            self.acknowledged.append((moment, action))
        else:
            assert answer.status_code in (409, 422), answer.text  # the table has moved on
        await asyncio.sleep(self.pause)


async def end(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Stop tasks that go on for ever; an error of any fails the test."""
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
