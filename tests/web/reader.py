"""Somebody who looks at a table without a connection, and keeps what they are told."""

from __future__ import annotations

from dataclasses import dataclass, field

from veillee.web.looks import Viewer


@dataclass(eq=False)
class Reader(Viewer):
    waiting: list[bytes] = field(default_factory=list)

    def put(self, *message: bytes) -> None:
        self.waiting += message

    def end(self) -> None:
        pass
