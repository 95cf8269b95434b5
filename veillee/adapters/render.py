"""The picture of a game as an array of pixels; its text for a game without a picture."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from veillee.adapters.build import copied
from veillee.engine.drawing.picture import Picture, overlaid, standalone
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import States

Pixels = npt.NDArray[np.uint8]
LINE = 14
LETTER = 8
PAPER = "#f4ecdc"
INK = "#2b2118"


def picture(spec: GameSpec, seen: States, names: Sequence[str], seat: int | None) -> Pixels:
    """Return what a seat, or a spectator (None), sees of a game, from its view."""
    draw = spec.picture
    s = spec.twin(seen)
    if draw is None:
        from rich.text import Text

        return lettering(Text.from_markup(spec.text.board(Words("en"), s, names)).plain)
    return rasterised(whole_picture(spec, draw, seen, names, seat))


def whole_picture(
    spec: GameSpec, draw: Picture, seen: States, names: Sequence[str], seat: int | None
) -> str:
    """Return the public layer with what only the seat knows on it."""
    words = Words("en")
    watched = copied(seen)
    spec.compiled.view_at(watched, 0, 0)
    board = draw.board(words, spec.twin(watched), names, seat=seat)
    own = [] if seat is None else [draw.private(words, spec.twin(seen), seat)]
    return standalone(overlaid(board.parts, *own))


def rasterised(svg: str) -> Pixels:
    """Return an SVG document as pixels."""
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=svg, background=PAPER)
    return np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGB"))


def lettering(text: str) -> Pixels:
    """Return a text as pixels."""
    from PIL import Image, ImageDraw

    lines = text.split("\n")
    size = (LETTER * (max(map(len, lines)) + 4), LINE * (len(lines) + 2))
    image = Image.new("RGB", size, PAPER)
    ImageDraw.Draw(image).multiline_text((LETTER, LINE), text, fill=INK, spacing=2)
    return np.asarray(image)
