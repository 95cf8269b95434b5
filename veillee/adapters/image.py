"""The real picture of a game as an array of pixels; its text, drawn, for a game without one."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from veillee.adapters.compiled import copied
from veillee.engine.contract import Contract
from veillee.engine.picture import Picture, overlaid, standalone
from veillee.engine.record import States
from veillee.engine.words import Words

Pixels = npt.NDArray[np.uint8]
LINE = 14
LETTER = 8
PAPER = "#f4ecdc"
INK = "#2b2118"


def picture(contract: Contract, seen: States, names: Sequence[str], seat: int | None) -> Pixels:
    """What a seat (None: a watcher) sees of a game, from its view."""
    draw = contract.picture
    s = contract.twin(seen)
    if draw is None:
        from rich.text import Text

        return lettering(Text.from_markup(contract.board(Words("en"), s, names)).plain)
    return rasterised(whole_picture(contract, draw, seen, names, seat))


def whole_picture(
    contract: Contract, draw: Picture, seen: States, names: Sequence[str], seat: int | None
) -> str:
    """The public layer, and on it what the seat knows besides."""
    words = Words("en")
    watched = copied(seen)
    contract.compiled.view_at(watched, 0, 0)
    board = draw.board(words, contract.twin(watched), names, seat=seat)
    own = [] if seat is None else [draw.private(words, contract.twin(seen), seat)]
    return standalone(overlaid(board, *own))


def rasterised(svg: str) -> Pixels:
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=with_colours(svg), background=PAPER)
    return np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGB"))


def with_colours(svg: str) -> str:
    """With the stylesheet's named colours, of the light theme, written out: the rasteriser knows
    no custom properties and no themes."""
    colours: dict[str, str] = {}
    for name, colour in re.findall(r"(--[\w-]+):\s*([^;]+);", svg):
        colours.setdefault(name, colour)
    themed = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", svg)
    return re.sub(r"var\((--[\w-]+)\)", lambda used: colours.get(used[1], INK), themed)


def lettering(text: str) -> Pixels:
    from PIL import Image, ImageDraw

    lines = text.split("\n")
    size = (LETTER * (max(map(len, lines)) + 4), LINE * (len(lines) + 2))
    image = Image.new("RGB", size, PAPER)
    ImageDraw.Draw(image).multiline_text((LETTER, LINE), text, fill=INK, spacing=2)
    return np.asarray(image)
