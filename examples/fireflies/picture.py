"""Fireflies: the meadow as SVG."""

from collections.abc import Sequence
from typing import Any

from veillee.engine.drawing.picture import BoardPicture, Shape
from veillee.engine.drawing.svg import Canvas, fit, halo, panel, piece, spot, text
from veillee.engine.i18n import Words

from .rules import FIREFLIES, State
from .text import catches

GLOW = '<circle r="16" fill="#ffd54a" opacity=".3"/><circle r="7" fill="#ffd54a"/>'


class Meadow(BoardPicture):
    """The fireflies, three fields to catch them, and a panel for each player."""

    def draw(
        self, words: Words, s: State, names: Sequence[str], shape: Shape, canvas: Canvas
    ) -> None:
        width, height = self.size(shape)
        for i in range(FIREFLIES):
            x, y = width * (i % 7 + 0.5) / 7, height * (i // 7 + 1) / 8
            canvas.add(piece, f"firefly-{i}", x, y, GLOW if i < s.left else "")
        for n in (1, 2, 3):
            x, y = width * (2 * n - 1) / 6, height * 0.55
            inner = halo(x - 50, y - 35, 100, 70) + text(x, y + 12, n, "t-b", 36, "m")
            canvas.add(spot, "do", f"catch {n}", words("fireflies.say", n=n), inner)
        for seat, name in enumerate(names):
            x, room, size = width * seat / len(names), width / len(names) - 16, height / 32
            shown = fit(name, room - 16, size), catches(s, seat)
            canvas.add(_seat, x + 8, height * 0.68, room, size, *shown, seat == s.seat)

    def private(self, words: Words, s: Any, seat: int, shape: Shape = "wide") -> str:
        width, height = self.size(shape)
        shown = f"{words('fireflies.wish')}: {s.wish[seat]}"
        return self.overlay("private", shape, text(width / 2, height * 0.94, shown, "t-b", 30, "m"))


def _seat(x: float, y: float, width: float, size: float, name: str, caught: str, on: bool) -> str:
    lines = text(x + 8, y + 40, name, "t-b", size) + text(x + 8, y + 84, caught, "t-soft", size)
    return f"<g>{panel(x, y, width, 104, on)}{lines}</g>"
