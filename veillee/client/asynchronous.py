"""The client for programs that do many things at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx
import msgspec

from veillee.client import calls, connection, types
from veillee.client.calls import Table
from veillee.client.connection import Call

T = TypeVar("T")
P = ParamSpec("P")


def _sends(
    call: Callable[P, Call[T]],
) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """Return the method that sends such a request and reads the answer."""

    @wraps(call)
    async def method(self: AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._send(call(*args, **kwargs))

    return method


class AsyncClient:
    """`await AsyncClient("https://games.example.org", token).games()`.

    Requests that are refused raise `ApiError`. Where the server is away or asks to wait, they are
    sent again, and carried out once.

    Args:
        address: Where the server is.
        token: A token of the page `/programs`.
        language: The language of messages: en, fr or es.
    """

    def __init__(self, address: str, token: str, language: str = "en") -> None:
        self._http = httpx.AsyncClient(
            base_url=address,
            headers=connection.headers(token, language),
            timeout=connection.TIMEOUT,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _send(self, call: Call[T]) -> T:
        pauses = connection.pauses()
        for attempt in range(1, connection.ATTEMPTS + 1):
            try:
                response = await self._http.request(**call.arguments())
            except httpx.TransportError:
                if attempt == connection.ATTEMPTS:
                    raise
                await asyncio.sleep(next(pauses))
                continue
            pause = connection.pause_after(response, next(pauses))
            if pause is None or attempt == connection.ATTEMPTS:
                break
            await asyncio.sleep(pause)
        return call.read(response)

    async def _stream(self, path: str, kind: type[T]) -> AsyncIterator[T]:
        """Yield messages, and connect again when the connection is lost."""
        pauses = connection.pauses()
        decode = msgspec.json.Decoder(kind).decode
        while True:
            with contextlib.suppress(httpx.TransportError):
                async with self._http.stream(
                    "GET", path, timeout=connection.STREAM_TIMEOUT
                ) as response:
                    if response.is_success:
                        async for line in response.aiter_lines():
                            if line:
                                pauses = connection.pauses()
                                yield decode(line)
                    elif connection.pause_after(response, 0) is None:
                        await response.aread()
                        raise connection.error_of(response)
            await asyncio.sleep(next(pauses))

    games = _sends(calls.games)
    account = _sends(calls.account)
    tables = _sends(calls.tables)
    open_tables = _sends(calls.open_tables)
    table = _sends(calls.table)
    step = _sends(calls.step)
    record = _sends(calls.record)
    analyse = _sends(calls.analyse)
    analysis = _sends(calls.analysis)
    open = _sends(calls.open_table)
    command = _sends(calls.command)
    sit = _sends(calls.sit)
    start = _sends(calls.start)
    play = _sends(calls.play)
    undo = _sends(calls.undo)
    talk = _sends(calls.talk)
    leave = _sends(calls.leave)
    invite = _sends(calls.invite)
    invitations = _sends(calls.invitations)
    accept = _sends(calls.accept)
    refuse = _sends(calls.refuse)
    webhooks = _sends(calls.webhooks)
    add_webhook = _sends(calls.add_webhook)
    delete_webhook = _sends(calls.delete_webhook)

    async def watch(self, table: Table) -> AsyncIterator[types.TableMessage]:
        """Yield a table now and after everything that happens there, until the game is over."""
        path = calls.table_stream(table)
        async for message in self._stream(path, types.TableMessage):
            yield message
            if message.table.state == "over":
                return

    async def follow(self) -> AsyncIterator[types.AccountMessage]:
        """Yield invitations, your turns and the ends of games at all your tables, for ever."""
        async for message in self._stream(calls.ACCOUNT_STREAM, types.AccountMessage):
            yield message

    async def play_all(
        self,
        choose: Callable[[types.Table], Awaitable[types.Action | str]],
        accepts: Callable[[types.Table], bool] = lambda _: True,
        games: int | None = None,
    ) -> None:
        """Play at all your tables at once, and accept invitations.

        Args:
            choose: Returns one of a table's actions.
            accepts: Tells whether to accept an invitation to a table.
            games: After how many finished games to return; None: never.
        """
        finished = 0
        async with asyncio.TaskGroup() as thinking:
            async for message in self.follow():
                match message.event, message.table:
                    case "invited", types.Table() as table:
                        thinking.create_task(self._answer(table, accepts(table)))
                    case "turn", types.Table() as table:
                        thinking.create_task(self._decide(table, choose))
                    case "over", _:
                        finished += 1
                        if finished == games:
                            return

    async def _answer(self, table: types.Table, accepted: bool) -> None:
        with connection.logged_refusals(table):
            if accepted:
                await self.accept(table)
            else:
                await self.refuse(table)

    async def _decide(
        self,
        table: types.Table,
        choose: Callable[[types.Table], Awaitable[types.Action | str]],
    ) -> None:
        action = await choose(table)
        with connection.logged_refusals(table):
            await self.play(table, action)
