"""Pictures in PNG, for what does not show SVG: previews of links, and the icons of the app."""

from __future__ import annotations

import re
from functools import cache

import resvg_py
from litestar import Response, get
from litestar.exceptions import HTTPException

from veillee.art import icons
from veillee.art.sky import stars
from veillee.engine.registry import games
from veillee.web.http.shelf import has_marathon
from veillee.web.http.site import CACHE_FOR_EVER
from veillee.web.templating import MARATHON, icon

HOME = "home"
PREVIEW = (1200, 630)
EMBLEM = 470
APPLE_SIZE = 180
ICON_SIZES = (APPLE_SIZE, 192, 512)
MASKABLE = "maskable"
"""The icon for systems that cut out a shape of their own."""
MASKABLE_SIZE = 512
CACHED = CACHE_FOR_EVER | {"cache-control": "public, max-age=86400"}


@get("/picture/{name:str}")
async def picture(name: str) -> Response[bytes]:
    """A game's picture for previews of links, as `nomads.png`; `home.png` for the site."""
    choice = name.removesuffix(".png")
    known = {HOME, *games(), *([MARATHON] if has_marathon() else [])}
    if choice not in known or choice == name:
        raise HTTPException(status_code=404)
    return _png(_preview(choice))


@get("/icon/{name:str}")
async def app_icon(name: str) -> Response[bytes]:
    """The app's icon: `192.png`, or `maskable.png`."""
    stem = name.removesuffix(".png")
    sizes = [str(size) for size in ICON_SIZES]
    if stem == name or stem not in [*sizes, MASKABLE]:
        raise HTTPException(status_code=404)
    return _png(_icon(stem))


def _png(data: bytes) -> Response[bytes]:
    return Response(data, media_type="image/png", headers=CACHED)


@cache
def _preview(choice: str) -> bytes:
    """An emblem in the night, in the shape that messengers show."""
    width, height = PREVIEW
    emblem = icons.logo() if choice == HOME else str(icon(choice))
    x, y = (width - EMBLEM) / 2, (height - EMBLEM) / 2
    placed = f'<svg x="{x}" y="{y}" width="{EMBLEM}" height="{EMBLEM}" '
    return _drawn(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        '<defs><radialGradient id="night" cy="1.1" r="1.1"><stop offset="0" stop-color="#4a2c3c"/>'
        '<stop offset=".5" stop-color="#1d1f45"/><stop offset="1" stop-color="#0b0e24"/>'
        '</radialGradient></defs><rect width="100%" height="100%" fill="url(#night)"/>'
        f'<g stroke="#ffe9b0">{stars(width, height, 90)}</g>'
        f"{emblem.replace('<svg ', placed, 1)}</svg>"
    )


@cache
def _icon(stem: str) -> bytes:
    """The logo; without rounded corners for systems that round them."""
    size = MASKABLE_SIZE if stem == MASKABLE else int(stem)
    drawn = icons.logo().replace("<svg ", f'<svg width="{size}" height="{size}" ', 1)
    if stem == MASKABLE or size == APPLE_SIZE:
        drawn = re.sub(r' rx="\d+"', "", drawn, count=1)
    return _drawn(drawn)


def _drawn(svg: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


HANDLERS = [picture, app_icon]
