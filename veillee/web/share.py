"""Several processes at one address, none of them special: each keeps the tables that fall to it.

Whoever accepts a connection on which a table of another's is asked for hands it over, with what was
read of it. So all that happens at a table happens in one process, as if there were no other. They
share the store, and tell each other what only memory knows: that a person has a new name, that a
table has begun.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable
from zlib import crc32

LARGEST_NOTE = 1 << 17
"""Far more than a request that is not refused for its size."""
AT_A_TABLE = b" /t/"
ENDS_AN_ID = b" /?"


class Share:
    """One process's part, and its way to the others."""

    def __init__(self, number: int, others: dict[int, socket.socket]) -> None:
        self.number = number
        self.stopping = False
        self.lost = False
        """Whether another one ended before we were told to."""
        self._others = others
        self._waiting: dict[int, list[tuple[bytes, int]]] = {other: [] for other in others}
        self.adopt: Callable[[socket.socket, bytes], None] = lambda *_: None
        """Called with a connection that is handed to us, and what was read of it."""
        self.person_changed: Callable[[str], None] = lambda _: None
        self.table_begun: Callable[[str], None] = lambda _: None

    def owner(self, table_id: str | bytes) -> int:
        """The process whose table it is."""
        name = table_id.encode() if isinstance(table_id, str) else table_id
        return crc32(name) % (len(self._others) + 1)

    def owns(self, table_id: str) -> bool:
        return self.owner(table_id) == self.number

    def asked(self, request: bytes) -> int:
        """The process that should answer a request, of which at least the first line is there."""
        at = request.find(AT_A_TABLE, 0, 8)
        if at < 0:
            return self.number
        begin = at + len(AT_A_TABLE)
        end = begin
        while end < len(request) and request[end] not in ENDS_AN_ID:
            end += 1
        return self.owner(request[begin:end])

    # ------------------------------------------------------------ telling the others

    def hand_over(self, to: int, connection: int, read: bytes) -> None:
        """Give a connection (its file descriptor) to another process."""
        self._send(to, b"C" + read, os.dup(connection))

    def tell_of_person(self, person: str) -> None:
        for other in self._others:
            self._send(other, b"P" + person.encode())

    def tell_of_table(self, table_id: str) -> None:
        self._send(self.owner(table_id), b"T" + table_id.encode())

    def _send(self, to: int, note: bytes, connection: int = -1) -> None:
        waiting = self._waiting[to]
        waiting.append((note, connection))
        if len(waiting) == 1:
            self._send_on(to)

    def _send_on(self, to: int) -> None:
        """Send what waits, as far as it can be taken in."""
        line, waiting = self._others[to], self._waiting[to]
        loop = asyncio.get_running_loop()
        loop.remove_writer(line)
        while waiting:
            note, connection = waiting[0]
            try:
                socket.send_fds(line, [note], [connection] if connection >= 0 else [])
            except BlockingIOError:
                loop.add_writer(line, self._send_on, to)
                return
            except OSError:  # the other one is gone, and we shall be told to stop
                pass
            del waiting[0]
            if connection >= 0:
                os.close(connection)

    # ------------------------------------------------------------ being told

    def listen(self) -> None:
        loop = asyncio.get_running_loop()
        for line in self._others.values():
            line.setblocking(False)
            loop.add_reader(line, self._hear, line)

    def _hear(self, line: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            while True:
                note, connections, _, _ = socket.recv_fds(line, LARGEST_NOTE, 1)
                if not note:
                    self._end(line)
                    return
                self._take(note[:1], note[1:], connections)

    def _end(self, line: socket.socket) -> None:
        """Another process ended. One for all: whoever started us starts us again."""
        asyncio.get_running_loop().remove_reader(line)
        if not self.stopping:
            self.lost = True
            signal.raise_signal(signal.SIGTERM)

    def _take(self, kind: bytes, rest: bytes, connections: list[int]) -> None:
        if kind == b"C":
            for connection in connections:
                self.adopt(socket.socket(fileno=connection), rest)
        elif kind == b"P":
            self.person_changed(rest.decode())
        else:
            self.table_begun(rest.decode())


def split(processes: int) -> tuple[Share | None, list[int]]:
    """Become so many processes: this one's share, and, in the first, who the others are."""
    if processes == 1:
        return None, []
    lines = {
        (one, other): socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for one in range(processes)
        for other in range(one)
    }
    children: list[int] = []
    number = 0
    for each in range(1, processes):
        child = os.fork()
        if not child:
            number, children = each, []
            break
        children.append(child)
    others: dict[int, socket.socket] = {}
    for (one, other), (ones, others_) in lines.items():
        if one == number:
            others[other] = ones
            others_.close()
        elif other == number:
            others[one] = others_
            ones.close()
        else:
            ones.close()
            others_.close()
    return Share(number, others), children
