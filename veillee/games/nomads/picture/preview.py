"""Nomads: the preview of an action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import atan2, cos, degrees, sin
from typing import Any

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import at, halo, num, overlay, spot, text, use
from veillee.engine.i18n import Words
from veillee.games.nomads.core.names import DIRECTIONS, DISCS, TILES
from veillee.games.nomads.core.rules import next_space
from veillee.games.nomads.core.state import LEGENDS, NOBODY, Disc, Phase, State, Tile
from veillee.games.nomads.notation import describe
from veillee.games.nomads.picture.cards import card_place, draw_card, draw_song_card
from veillee.games.nomads.picture.layout import LAYOUTS, Layout, around
from veillee.games.nomads.picture.ring import draw_lys_token, lys_place, pile_step
from veillee.games.nomads.picture.seats import held_card_place, seat_top


def ghost(words: Words, s: State, action: int, shape: Shape = "wide", first: int = 0) -> str:
    """Draw where discs fall, who takes from which stack, and which card goes where."""
    lay = LAYOUTS[shape]
    place = (s.seat - first) % s.players
    data = describe(s, action)
    piles = [[s.pile[space, h] for h in range(s.discs[space])] for space in range(s.ring)]
    drawn: list[str] = []
    match data["do"]:
        case "sow":
            drawn.append(_ghost_sow(s, lay, shape, piles, data))
            drawn.append(_directions(words, s, lay, shape, data["space"] - 1))
            if s.adventurer[s.turn] != Disc.RED or not s.red_lifts or not _covered_red(piles):
                drawn.append(_ghost_takers(s, lay, shape, piles, first))
        case "lift":
            space, height = data["space"] - 1, data["height"] - 1
            piles[space].append(piles[space].pop(height))
            x, y = _disc_place(lay, shape, s, space, len(piles[space]) - 1)
            rx, ry, rim = lay.disc
            fx, fy = _disc_place(lay, shape, s, space, height)
            out = rx + 14
            drawn.append(
                f'<path class="g-line" d="M{num(fx + rx)} {num(fy + ry)}q{num(out * 0.5)} '
                f'{num((y - fy) / 2)} 0 {num(y - fy)}"/>'
            )
            drawn.append(_ghost_disc(lay, x, y - rim, Disc.RED))
            drawn.append(_ghost_takers(s, lay, shape, piles, first))
        case "keep":
            drawn.append(_ghost_takers(s, lay, shape, piles, first))
        case "lys":
            space = data["space"] - 1
            x, y, turn = lys_place(lay, shape, s.ring, space)
            drawn.append(f'<g {at(x, y)} opacity=".8">{draw_lys_token(lay, turn)}</g>')
            if s.phase == Phase.BONUS and s.tiles[space]:
                drawn.append(_taker(lay, shape, s, space, s.adventurer[s.turn], False))
        case "place":
            space = data["space"] - 1
            x, y = _disc_place(lay, shape, s, space, len(piles[space]))
            drawn.append(_ghost_disc(lay, x, y, DISCS.index(data["disc"])))
        case "write":
            legend = TILES.index(data["legend"])
            drawn.append(
                _ghost_card(
                    s, lay, place, legend, data["card"] - 1, draw_card(lay, legend, data["value"])
                )
            )
            paid = _price(s, legend, data["card"] - 1) - data["wilds"]
            drawn.append(_ghost_paid(s, lay, place, legend, paid))
            drawn.append(_ghost_paid(s, lay, place, Tile.WILD, data["wilds"]))
        case "sing":
            song = data["song"] - 1
            shown = draw_song_card(lay, s.song_cost[song], s.song_points[song])
            drawn.append(_ghost_card(s, lay, place, LEGENDS, song, shown))
            drawn.extend(_ghost_paid(s, lay, place, TILES.index(tile), 1) for tile in data["tiles"])
            drawn.append(_ghost_paid(s, lay, place, Tile.WILD, data["wilds"]))
        case _:
            pass
    return overlay("nomads", "ghost", lay.width, lay.height, "".join(drawn))


def _covered_red(piles: Sequence[Sequence[int]]) -> bool:
    return any(Disc.RED in pile[:-1] for pile in piles)


def _disc_place(
    lay: Layout, shape: Shape, s: State, space: int, height: int
) -> tuple[float, float]:
    px, py, _, _ = around(shape, s.ring)[space]
    return px, py - lay.disc[2] - pile_step(lay, s.discs[space], py) * height


def _ghost_disc(lay: Layout, x: float, y: float, disc: int) -> str:
    rx, ry, _ = lay.disc
    return (
        f'<g {at(x, y)}><use href="#nomads-d-{DISCS[disc]}" opacity=".86"/>'
        f'<ellipse class="g-line" rx="{num(rx + 3)}" ry="{num(ry + 3)}"/></g>'
    )


POWERS: dict[int, str] = {Disc.ULRICH: "double", Disc.SIANA: "skip"}
"""The field of an action that tells at which step a power is used."""


def _ghost_sow(
    s: State, lay: Layout, shape: Shape, piles: list[list[int]], data: dict[str, Any]
) -> str:
    """Drop the pile, changing `piles`; each step is a spot for Ulrich and Siana."""
    start = data["space"] - 1
    direction = DIRECTIONS.index(data["direction"])
    power = POWERS.get(s.adventurer[s.turn])
    in_hand = piles[start]
    piles[start] = []
    px, py, _, _ = around(shape, s.ring)[start]
    rx, ry, rim = lay.disc
    high = pile_step(lay, len(in_hand), py) * (len(in_hand) - 1)
    mark = (
        f'<rect class="g-mark" x="{num(px - rx - 5)}" y="{num(py - rim - high - ry - 5)}" '
        f'width="{num(rx * 2 + 10)}" height="{num(high + rim + ry * 2 + 10)}" '
        f'rx="{num(rx * 0.6)}"/>'
    )
    drawn = [mark]
    visit, dropped, space = 0, 0, start
    while dropped < len(in_hand):
        space = next_space(s, space, direction)
        visit += 1
        skip = data.get("skip", visit + 1)
        falls = s.ulrich_discs if data.get("double") == visit else 1
        if skip <= visit < skip + s.siana_skips:
            falls = 0
        base = len(piles[space])
        here = []
        for i in range(falls):
            x, y = _disc_place(lay, shape, s, space, base + i)
            here.append(_ghost_disc(lay, x, y, in_hand[dropped]))
            piles[space].append(in_hand[dropped])
            dropped += 1
        x, y = _disc_place(lay, shape, s, space, base + max(falls - 1, 0))
        tag_x, tag_y, r = x - rx - 1, y - ry * 0.6, lay.small * 0.85
        shown = str(visit) if falls else "–"
        here.append(
            f'<circle class="g-tag" cx="{num(tag_x)}" cy="{num(tag_y)}" r="{num(r)}"/>'
            + text(tag_x, tag_y + lay.small * 0.36, shown, "t-b", lay.small, "m")
        )
        if power and (power == "skip" or dropped < len(in_hand) or falls > 1):
            box = halo(x - 22, y - 22, 44, 44, 10)
            drawn.append(spot(power, visit, str(visit), box + "".join(here)))
        else:
            drawn.append("".join(here))
    if space == s.lys:
        x, y, _ = lys_place(lay, shape, s.ring, space)
        drawn.append(
            f'<circle class="g-mark pic-flicker" cx="{num(x)}" cy="{num(y)}" '
            f'r="{num(lay.tile * 0.46)}"/>'
        )
    return "".join(drawn)


def _ghost_takers(s: State, lay: Layout, shape: Shape, piles: list[list[int]], first: int) -> str:
    """Draw who takes the top tile of each stack, and what each player gets in their panel."""
    drawn = []
    won: Counter[tuple[int, int]] = Counter()
    for space in range(s.ring):
        if s.tiles[space] and piles[space]:
            disc = piles[space][-1]
            if disc != Disc.NOMAD:
                shown = Disc.NOSTROMO if disc == Disc.FROG else disc
                owner = s.owner[disc]
                drawn.append(_taker(lay, shape, s, space, shown, owner == NOBODY))
                if owner != NOBODY:
                    won[owner, s.stack[space, s.tiles[space] - 1]] += 1
    for (seat, kind), n in won.items():
        if kind < Tile.MOON:
            drawn.append(_ghost_won(s, lay, (seat - first) % s.players, kind, n))
    return "".join(drawn)


def _ghost_won(s: State, lay: Layout, place: int, kind: int, n: int) -> str:
    """Draw how many tiles of a kind a player would get: the tile, and +1."""
    top, height = seat_top(lay, s.players, place)
    size = lay.small_tile * (0.9 if lay.stacked else 1)
    icon = size if lay.column > 2.5 * size else 0  # on phones there is room for the number only
    wide = icon + lay.small * 1.5
    x = lay.column_left(kind) + lay.column - wide - 2
    if kind == Tile.WILD:
        x = lay.column_left(kind) + (lay.small_tile + 3 if lay.stacked else 2)
    y = top + (height - size) / 2 if lay.stacked else top + lay.small_tile + 14
    drawn = (
        f'<rect class="g-tag" x="{num(x)}" y="{num(y)}" width="{num(wide)}" '
        f'height="{num(size)}" rx="4"/>'
    )
    if icon:
        drawn += use(f"nomads-t-{TILES[kind]}", x, y, size)
    down = y + size / 2 + lay.small * 0.36
    return drawn + text(x + icon + 2, down, f"+{n}", "t-fire", lay.small)


def _taker(lay: Layout, shape: Shape, s: State, space: int, disc: int, lost: bool) -> str:
    """Draw who takes a tile, beside it; struck through if the tile leaves the game."""
    _, _, tx, ty = around(shape, s.ring)[space]
    size = lay.tile * 0.6
    y = ty - lay.edge * (s.tiles[space] - 7)
    r = lay.tile * 0.52
    cx = tx + lay.tile * (0.8 if tx < lay.fire[0] else -0.8)
    cy = y - lay.tile * 0.1
    drawn = (
        f'<rect class="g-line" x="{num(tx - r)}" y="{num(y - r)}" width="{num(2 * r)}" '
        f'height="{num(2 * r)}" rx="{num(r * 0.36)}"/>'
        + use(f"nomads-{DISCS[disc]}-face", cx - size / 2, cy - size / 2, size)
    )
    if lost:
        half = size * 0.5
        line = f"M{num(cx - half)} {num(cy + half)}L{num(cx + half)} {num(cy - half)}"
        drawn += (
            f'<path stroke="#111" stroke-width="{num(size * 0.2)}" stroke-linecap="round" '
            f'd="{line}"/><path stroke="#ffb0a0" stroke-width="{num(size * 0.1)}" '
            f'stroke-linecap="round" d="{line}"/>'
        )
    return drawn


def _directions(words: Words, s: State, lay: Layout, shape: Shape, start: int) -> str:
    """Draw the two directions as arrows at the pile, toward the spaces next to it."""
    px, py, _, _ = around(shape, s.ring)[start]
    py -= lay.disc[2]
    high = pile_step(lay, s.discs[start], py) * (s.discs[start] - 1)
    size = lay.arrow * 0.42
    drawn = []
    for number, direction in enumerate(DIRECTIONS):
        nx, ny, _, _ = around(shape, s.ring)[next_space(s, start, number)]
        turn = atan2(ny - lay.disc[2] - py, nx - px)
        out = lay.disc[0] + size * 1.15
        right = lay.width if lay.stacked else lay.left
        x = min(max(px + cos(turn) * out, size), right - size)
        y = py + sin(turn) * out + min(sin(turn), 0) * high
        inner = (
            f'<circle class="panel" cx="{num(x)}" cy="{num(y)}" r="{num(size)}"/>'
            f'<g transform="translate({num(x)} {num(y)}) rotate({num(degrees(turn))}) '
            f'scale({num(size / 20)})"><path class="l-ink" stroke-width="4" '
            'stroke-linecap="round" stroke-linejoin="round" d="M-10 0h19m-8-8 8 8-8 8"/></g>'
            + halo(x - size, y - size, size * 2, size * 2, size)
        )
        title = words(f"nomads.direction.{direction}")
        drawn.append(spot("direction", direction, title, inner))
    return "".join(drawn)


def _ghost_card(s: State, lay: Layout, place: int, legend: int, card: int, shown: str) -> str:
    fx, fy = card_place(lay, legend, card)
    x, y = held_card_place(lay, s.players, place, legend)
    width, height = (side + 6 for side in (lay.card if legend < LEGENDS else lay.song))
    return (
        f'<path class="g-line" d="M{num(fx)} {num(fy)}L{num(x)} {num(y)}"/>'
        f'<g {at(x, y)}><g opacity=".9">{shown}</g><rect class="g-line" x="{num(-width / 2)}" '
        f'y="{num(-height / 2)}" width="{num(width)}" height="{num(height)}" rx="6"/></g>'
    )


def _price(s: State, legend: int, card: int) -> int:
    held = s.legend[s.seat, legend]
    return int(s.value[legend, card] - (s.value[legend, held - 1] if held else 0))


def _ghost_paid(s: State, lay: Layout, place: int, kind: int, n: int) -> str:
    """Draw how many tiles of a kind would be paid."""
    if not n:
        return ""
    top, _ = seat_top(lay, s.players, place)
    size = lay.small_tile
    x = lay.column_left(kind) + (2 if lay.stacked else 5)
    y = top + (1.5 if lay.stacked else 8)
    return (
        f'<rect class="g-tag" x="{num(x - 1)}" y="{num(y)}" width="{num(size + 6)}" '
        f'height="{num(size)}" rx="4"/>'
        + text(x + size / 2 + 2, y + size / 2 + lay.small * 0.36, f"−{n}", "t-fire", lay.small, "m")
    )
