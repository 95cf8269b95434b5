"""The client for programs that do one thing after another."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Concatenate, ParamSpec, Self, TypeVar

import httpx
import msgspec

from veillee.client import calls, connection, types
from veillee.client.calls import Table
from veillee.client.connection import Call

T = TypeVar("T")
P = ParamSpec("P")


def _sends(call: Callable[P, Call[T]]) -> Callable[Concatenate[Client, P], T]:
    """Return the method that sends such a request and reads the answer."""

    @wraps(call)
    def method(self: Client, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._send(call(*args, **kwargs))

    return method


class Client:
    """`Client("https://games.example.org", token).games()`.

    Requests that are refused raise `ApiError`. Where the server is away or asks to wait, they are
    sent again, and carried out once.

    Args:
        address: Where the server is.
        token: A token of the page `/programs`.
        language: The language of messages: en, fr or es.
    """

    def __init__(self, address: str, token: str, language: str = "en") -> None:
        self._http = httpx.Client(
            base_url=address,
            headers=connection.headers(token, language),
            timeout=connection.TIMEOUT,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _send(self, call: Call[T]) -> T:
        pauses = connection.pauses()
        for attempt in range(1, connection.ATTEMPTS + 1):
            try:
                response = self._http.request(**call.arguments())
            except httpx.TransportError:
                if attempt == connection.ATTEMPTS:
                    raise
                time.sleep(next(pauses))
                continue
            pause = connection.pause_after(response, next(pauses))
            if pause is None or attempt == connection.ATTEMPTS:
                break
            time.sleep(pause)
        return call.read(response)

    def _stream(self, path: str, kind: type[T]) -> Iterator[T]:
        """Yield messages, and connect again when the connection is lost."""
        pauses = connection.pauses()
        decode = msgspec.json.Decoder(kind).decode
        while True:
            with (
                contextlib.suppress(httpx.TransportError),
                self._http.stream("GET", path, timeout=connection.STREAM_TIMEOUT) as response,
            ):
                if response.is_success:
                    for line in response.iter_lines():
                        if line:
                            pauses = connection.pauses()
                            yield decode(line)
                elif connection.pause_after(response, 0) is None:
                    response.read()
                    raise connection.error_of(response)
            time.sleep(next(pauses))

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

    def watch(self, table: Table) -> Iterator[types.TableMessage]:
        """Yield a table now and after everything that happens there, until the game is over."""
        path = calls.table_stream(table)
        for message in self._stream(path, types.TableMessage):
            yield message
            if message.table.state == "over":
                return

    def follow(self) -> Iterator[types.AccountMessage]:
        """Yield invitations, your turns and the ends of games at all your tables, for ever."""
        yield from self._stream(calls.ACCOUNT_STREAM, types.AccountMessage)

    def play_all(
        self,
        choose: Callable[[types.Table], types.Action | str],
        accepts: Callable[[types.Table], bool] = lambda _: True,
        games: int | None = None,
    ) -> None:
        """Play at all your tables, and accept invitations.

        Args:
            choose: Returns one of a table's actions.
            accepts: Tells whether to accept an invitation to a table.
            games: After how many finished games to return; None: never.
        """
        finished = 0
        for message in self.follow():
            with connection.logged_refusals(message.table):
                match message.event, message.table:
                    case "invited", types.Table() as table:
                        if accepts(table):
                            self.accept(table)
                        else:
                            self.refuse(table)
                    case "turn", types.Table() as table:
                        self.play(table, choose(table))
                    case "over", _:
                        finished += 1
                        if finished == games:
                            return
