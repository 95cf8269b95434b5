"""Games as files: a page that replays without a server, pictures of a moment, an animation."""

from __future__ import annotations

import base64
import gzip
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from veillee.engine.drawing.picture import Shape, Theme, overlaid, standalone, stylesheet
from veillee.engine.drawing.svg import num
from veillee.engine.extras import require
from veillee.engine.game import Game
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web.delivery.rendering import Layout, PieceTracker
from veillee.web.delivery.replay import OPEN, WATCHING, Mark, Perspective, Replay, all_perspectives
from veillee.web.templating import STATIC, environment

SHAPES: tuple[Shape, ...] = ("wide", "tall")
"""The layouts that a file contains."""
SCRIPTS = ("layout.js", "morph.js", "motion.js", "replay.js")
STYLES = ("veillee.css", "replay.css")
PAPER: dict[Theme, str] = {"light": "#f4ecdc", "dark": "#12152e"}
FRAME = 900
"""Milliseconds for which an animation shows each moment; the last for longer."""
LAST_FRAME = 3000
WIDTH = 640
"""Pixels of an animation."""
MOST_FRAMES = 150
_json = msgspec.json.Encoder()


def svg(replay: Replay, moment: int, theme: Theme = "light") -> str:
    """A moment as an SVG document.

    Raises:
        LookupError: If the game has no picture.
    """
    if replay.game.spec.picture is None:
        raise LookupError(f"{replay.game.spec.name} has no picture")
    [drawn] = replay.moments(moment, moment)
    overlays = [drawn.overlay] if drawn.overlay else []
    return standalone(overlaid(drawn.picture or [], *overlays), theme)


def png(document: str, theme: Theme = "light", width: int | None = None) -> bytes:
    """An SVG document as PNG."""
    resvg = require("resvg_py", "pictures")
    return bytes(resvg.svg_to_bytes(svg_string=document, background=PAPER[theme], width=width))


def animation(replay: Replay, theme: Theme = "light", kind: str = "apng") -> bytes:
    """The whole game as an animated PNG, or as a GIF. A long game is shown in fewer frames."""
    require("PIL", "pictures")
    from PIL import Image

    every = -(-(replay.last + 1) // MOST_FRAMES)
    shown = sorted({*range(0, replay.last + 1, every), replay.last})
    frames = [
        Image.open(io.BytesIO(png(svg(replay, n, theme), theme, WIDTH))).convert("RGB")
        for n in shown
    ]
    if kind == "gif":
        frames = [frame.quantize(256, dither=Image.Dither.NONE) for frame in frames]
    made = io.BytesIO()
    frames[0].save(
        made,
        "GIF" if kind == "gif" else "PNG",
        save_all=True,
        append_images=frames[1:],
        duration=[FRAME] * (len(frames) - 1) + [LAST_FRAME],
        loop=0,
        optimize=False,
    )
    return made.getvalue()


def write(game: Game, file: Path, language: str, at: int | None, seen: str, theme: Theme) -> None:
    """Write a game, or a moment of it, in the format that the file's suffix names.

    Raises:
        Refusal: If there is no such format or perspective.
    """
    allowed = {each.name: each for each in all_perspectives(game)}
    if seen and seen not in allowed:
        raise Refusal("unknown", "web.replay.perspective", seen=seen, known=", ".join(allowed))
    perspective = allowed[seen] if seen else next(iter(allowed.values()))
    replay = Replay(game, game.names, Layout(language, "wide"), perspective)
    moment = replay.last if at is None else max(0, min(at, replay.last))
    drawn = game.spec.picture is not None
    match file.suffix:
        case ".html":
            made = page(game, game.names, language).encode()
        case ".svg" if drawn:
            made = svg(replay, moment, theme).encode()
        case ".png" if drawn:
            made = png(svg(replay, moment, theme), theme)
        case ".apng" | ".gif" if drawn:
            made = animation(replay, theme, file.suffix[1:])
        case _:
            raise Refusal("unknown", "web.replay.format", format=file.suffix or file.name)
    file.write_bytes(made)


def page(game: Game, names: Sequence[str], language: str) -> str:
    """A finished game as one HTML file that needs neither server nor network."""
    words = Words(language)
    seen_as = all_perspectives(game)
    replays = {
        each.name: {
            shape: Replay(game, names, Layout(language, shape), each, pieces)
            for shape, pieces in zip(SHAPES, (PieceTracker(), PieceTracker()), strict=True)
        }
        for each in seen_as
    }
    first = replays[seen_as[0].name]["wide"]
    title = words("web.replay.title", game=words(f"{game.spec.name}.title"))
    return (
        environment()
        .get_template("replay_file.html")
        .render(
            t=words,
            language=language,
            title=title,
            styles=Markup("\n".join([stylesheet(), *map(_static, STYLES)])),  # noqa: S704 - ours
            script=Markup(_script()),  # noqa: S704 - ours
            packed=[
                (f"{name}-{shape}", _packed(replay))
                for name, shapes in replays.items()
                for shape, replay in shapes.items()
            ],
            replay=first,
            moment=first.moments(0, 0)[0],
            lines=first.lines(),
            names=names,
            turns=[n for n, mark in enumerate(first.marks()) if mark.turn],
            strip=strip(first.marks()),
            seen=seen_as[0].name,
            perspectives=[(each.name, called(each, words, names)) for each in seen_as],
            at=lambda n: f"#{n}",
            source="",
        )
    )


def _packed(replay: Replay) -> str:
    """All moments and log lines, compressed; the script unpacks them."""
    body: dict[str, Any] = {
        "moments": replay.moments(0, replay.last),
        "lines": replay.lines() if replay.layout.shape == "wide" else [],
    }
    return base64.b64encode(gzip.compress(_json.encode(body), 9, mtime=0)).decode()


def _static(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def _script() -> str:
    """The modules of the replay as one, without imports and exports."""
    text = "\n".join(map(_static, SCRIPTS))
    text = re.sub(r"^import .*;$", "", text, flags=re.MULTILINE)
    return re.sub(r"^export ", "", text, flags=re.MULTILINE).replace("</", "<\\/")


def called(perspective: Perspective, words: Words, names: Sequence[str]) -> str:
    """A perspective in words."""
    if perspective.name in (OPEN, WATCHING):
        return words(f"web.replay.seen.{perspective.name}")
    return words("web.replay.seen.seat", name=names[perspective.seat])


def strip(marks: Sequence[Mark]) -> Markup:
    """The slider's marks: whose turns, and above them where points were won."""
    starts = [n for n, mark in enumerate(marks) if mark.turn]
    ends = [*starts, len(marks)][1:]
    turns = "".join(
        f'<rect class="by-{marks[start].seat}" x="{num(start + 0.1)}" y="6" '
        f'width="{num(max(end - start - 0.2, 0.4))}" height="5"/>'
        for start, end in zip(starts, ends, strict=True)
    )
    scorings = "".join(
        f'<rect class="scoring" x="{n}" y="0" width="1" height="4.5"/>'
        for n, mark in enumerate(marks)
        if mark.scoring
    )
    return Markup(  # noqa: S704 - made of numbers
        f'<svg class="strip" viewBox="0 0 {max(1, len(marks))} 11" preserveAspectRatio="none" '
        f'aria-hidden="true">{turns}{scorings}</svg>'
    )
