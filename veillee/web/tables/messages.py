"""Messages about tables, published here and subscribed to by delivery."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from veillee.web.bus import ListsChanged, TokensRevoked
from veillee.web.tables.table import Table


class Changed(NamedTuple):
    """Entries were applied to a table."""

    table: Table


class Renamed(NamedTuple):
    """A name at a table changed."""

    table: Table


class PresenceChanged(NamedTuple):
    """Somebody at a table went away or came back."""

    table: Table


class ReviewChanged(NamedTuple):
    """A review of a game shows another moment, or has another leader."""

    review: str


Message = Changed | Renamed | PresenceChanged | ReviewChanged | ListsChanged | TokensRevoked


class Messages:
    """`messages.subscribe(receive)`, `messages.publish(Changed(table))`."""

    def __init__(self) -> None:
        self._subscribers: list[Callable[[Message], None]] = []

    def subscribe(self, receive: Callable[[Message], None]) -> None:
        self._subscribers.append(receive)

    def publish(self, message: Message) -> None:
        for receive in self._subscribers:
            receive(message)
