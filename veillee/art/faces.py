"""Faces of the bots' characters, 48 x 48: one head, drawn with other brows, mouths and hats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Face:
    """What tells one face from another: colours, and the paths of brows, mouth and headwear."""

    night: str
    """The colour behind it."""
    skin: str
    hair: str
    """The colour of hair and headwear."""
    brows: str
    mouth: str
    above: str
    """What is worn, in the colour of the hair and in light."""


FLAT = "M16 20h6M26 20h6"
STERN = "M15.5 18.5 22 21M32.5 18.5 26 21"
RAISED = "M15.5 19.5q3.3-3 6.5-.8M26 18.7q3.2-2.2 6.5.8"
SLY = "M15.5 21l6.5-.6M26 18.5q3.4-2 6.5.5"
SMILE = "M18.5 32q5.5 5 11 0"
GRIN = "M17.5 31q7 7.5 13-1.5"
TIGHT = "M19.5 33h9"
DOUBT = "M19.5 34q4.5-3 9-1"
OPEN = "M21 31.5a3 3.6 0 1 0 6 0 3 2.6 0 1 0-6 0z"

FACES = {
    # A hood.
    "cautious": Face(
        "#2d4a6b",
        "#f0c9a4",
        "#7fb2c9",
        FLAT,
        TIGHT,
        "M9 26C7 10 17 4 24 4s17 6 15 22c-3-8-8-11-15-11S12 18 9 26z",
    ),
    # A plume.
    "bold": Face(
        "#7a2c2a",
        "#e0a97c",
        "#ffb13b",
        RAISED,
        GRIN,
        "M10 19c1-8 7-11 14-11s13 3 14 11c-9-3-19-3-28 0zM32 9c1-5 5-8 11-7-1 5-5 8-11 7z",
    ),
    # A halo of curls.
    "honest": Face(
        "#3d6b4f",
        "#f6d7b5",
        "#e8c56a",
        RAISED,
        SMILE,
        "M9 21a6 6 0 0 1 4-9 6 6 0 0 1 7-5 6 6 0 0 1 8 0 6 6 0 0 1 7 5 6 6 0 0 1 4 "
        "9c-4-5-9-6-15-6s-11 1-15 6z",
    ),
    # The ears of a fox.
    "bluffer": Face(
        "#5a3a22",
        "#f2b27a",
        "#d8642f",
        SLY,
        GRIN,
        "M9 22 8 3l10 8c4-1.3 8-1.3 12 0l10-8-1 19c-4-6-9-8-15-8s-11 2-15 8z",
    ),
    # A hat pulled down.
    "suspicious": Face(
        "#33333f",
        "#d9b48f",
        "#8a8fa8",
        STERN,
        DOUBT,
        "M4 18c6-1 9-2 10-6l1-5c5-3 13-3 18 0l1 5c1 4 4 5 10 6-9 3-31 3-40 0z",
    ),
    # A note on a band.
    "singer": Face(
        "#5b2d63",
        "#c98f68",
        "#f2a6c8",
        RAISED,
        OPEN,
        "M9 22C8 11 15 6 24 6s16 5 15 16c-3-5-8-7-15-7S12 17 9 22zM39 2v9a2.6 2.6 0 1 1-1.6-2.4V2z",
    ),
    # A moon.
    "stargazer": Face(
        "#1c2350",
        "#e9cdb4",
        "#cfd3f5",
        FLAT,
        SMILE,
        "M9 23C8 12 15 8 24 8s16 4 15 15c-4-5-9-7-15-7S13 18 9 23zM24 1a5 5 0 1 0 4.5 7A4.5 "
        "4.5 0 0 1 24 1z",
    ),
    # A mason's cap.
    "builder": Face(
        "#6b5a2d",
        "#e7bd92",
        "#d9d2c0",
        FLAT,
        SMILE,
        "M10 17c0-7 6-11 14-11s14 4 14 11zM8 17h32v3H8z",
    ),
    # A helmet with horns.
    "raider": Face(
        "#4a1f33",
        "#d7a47a",
        "#b9c0c9",
        STERN,
        GRIN,
        "M10 20C10 11 16 7 24 7s14 4 14 13c-9-3-19-3-28 0zM11 14C5 13 3 8 4 2c4 3 8 5 10 "
        "7zM37 14c6-1 8-6 7-12-4 3-8 5-10 7z",
    ),
}
"""A face for each character, by id."""


@cache
def face(character: str) -> str:
    """Return the face of a character as SVG; empty if it has none."""
    look = FACES.get(character)
    if look is None:
        return ""
    return (
        '<svg class="face" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">'
        f'<circle cx="24" cy="24" r="24" fill="{look.night}"/>'
        f'<ellipse cx="24" cy="26" rx="13.5" ry="15.5" fill="{look.skin}"/>'
        f'<path fill="{look.hair}" d="{look.above}"/>'
        '<circle cx="19" cy="25" r="1.9" fill="#20140a"/>'
        '<circle cx="29" cy="25" r="1.9" fill="#20140a"/>'
        f'<path fill="none" stroke="#20140a" stroke-width="1.8" stroke-linecap="round" '
        f'stroke-linejoin="round" d="{look.brows}{look.mouth}"/></svg>'
    )
