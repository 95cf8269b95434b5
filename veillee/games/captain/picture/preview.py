"""Oh Captain!: the preview of an action, with what each seat can win or lose."""

from __future__ import annotations

from typing import Any

from veillee.engine.drawing.picture import Shape
from veillee.engine.drawing.svg import num, overlay, text, use
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import TOOLS
from veillee.games.captain.core.rules import attacker, can_hit
from veillee.games.captain.core.state import State, Tool
from veillee.games.captain.notation import parts
from veillee.games.captain.outcomes import stakes
from veillee.games.captain.picture.layout import CARD_SHAPE, LAYOUTS, Layout, heap_place, seat_box
from veillee.games.captain.picture.symbols import INKS

TRUE, LIE, PERHAPS = "✓", "✗", "?"
"""Signs for: if it was true, if it was a lie, unknown."""


Line = tuple[str, str]
"""A condition, and the effect under it."""


def ghost(words: Words, s: State, action: int, shape: Shape = "wide", first: int = 0) -> str:
    """Draw what each seat can win or lose by an action, as far as the deciding seat can tell."""
    lay = LAYOUTS[shape]
    data = parts(action)
    told: dict[int, list[Line]] = {}

    def tell(seat: int, when: str, what: str) -> None:
        told.setdefault(seat, []).append((when, what))

    match data["do"]:
        case "announce":
            tool = TOOLS.index(data["tool"])
            if 0 < s.price <= s.coins[s.captain]:
                tell(s.captain, PERHAPS, f"coin -{s.price}")
                tell(s.turn, PERHAPS, f"coin +{s.price}")
            for seat in range(s.players):
                if can_hit(s, s.turn, tool, seat):
                    tell(seat, PERHAPS, data["tool"])
        case "buy":
            tell(s.captain, "", "card +1")
            _tell_coins(s.captain, s.turn, s.price, tell)
            tool = s.told[s.row] - 1
            for seat in range(s.players):
                # The seller has been paid by then.
                sold = tool == Tool.LIZARD and seat == s.turn and s.price > 0
                if can_hit(s, s.captain, tool, seat) or sold:
                    tell(seat, TRUE, TOOLS[tool])
        case "leave":
            tell(s.turn, "", "card +1")
            for seat in range(s.players):
                if _can_hit_after_leaving(s, seat):
                    tell(seat, PERHAPS, TOOLS[s.told[s.row] - 1])
        case "target":
            _tell_effect(s, attacker(s), data["seat"], "", tell)
        case "accept":
            _tell_effect(s, s.turn, s.seat, "", tell)
        case "accuse":
            lost, won = stakes(s)
            if lost:
                tell(s.seat, LIE, f"coin +{lost}")
                tell(s.turn, LIE, f"coin -{lost}")
            _tell_effect(s, s.turn, s.seat, TRUE, tell)
            if won > 0:
                tell(s.seat, TRUE, f"coin -{won}")
                tell(s.turn, TRUE, f"coin +{won}")
        case "mutiny":
            tell(s.seat, "", "bottle")
            if s.reserve:
                tell(s.seat, "", "coin +1")
        case "allegiance":
            _tell_coins(s.seat, s.captain, min(s.tribute, s.coins[s.seat]), tell)
        case "rob":
            victim = data["seat"]
            _tell_coins(victim, s.seat, min(s.red_coins, s.coins[victim]), tell)
        case "fish":
            tell(s.seat, "", "card +1")
        case "take" | "give":
            _tell_effect(s, attacker(s), s.target[s.row] - 1, "", tell)
        case "turn":
            tell(s.seat, "", "down")
        case _:
            pass
    drawn = "".join(_tag(s, lay, (seat - first) % s.players, lines) for seat, lines in told.items())
    return overlay("captain", "ghost", lay.width, lay.height, drawn)


def _can_hit_after_leaving(s: State, seat: int) -> bool:
    return bool(seat != s.turn and can_hit(s, s.turn, s.told[s.row] - 1, seat))


def _tell_coins(payer: int, paid: int, coins: int, tell: Any) -> None:
    if coins:
        tell(payer, "", f"coin -{coins}")
        tell(paid, "", f"coin +{coins}")


def _tell_effect(s: State, by: int, target: int, when: str, tell: Any) -> None:
    match s.told[s.row] - 1:
        case Tool.LIZARD:
            tell(target, when, "coin -1")
            tell(by, when, "coin +1")
        case Tool.PISTOL:
            tell(target, when, "card -1")
        case Tool.HOOK:
            tell(target, when, "card -1")
            tell(by, when, "card +1")
        case _:
            tell(target, when, "lantern")


def _tag(s: State, lay: Layout, place: int, lines: list[Line]) -> str:
    """Draw what the seat at a place can win or lose, beside its face-down cards."""
    x, _, w, _ = seat_box(lay.shape, s.players, place)
    size = 15 if lay.tall else 24
    each = size * (3.1 if lay.tall else 2.9)
    high = size + 8
    total = each * len(lines) + 4
    right, top = heap_place(lay.shape, s.players, place, 7)
    if total > w - 12:
        each = (w - 16) / len(lines)
        total = w - 12
    left = max(right - 4 - total, x + 6)
    top += lay.heaps(s.players)[0] * CARD_SHAPE - high
    drawn = (
        f'<rect class="g-tag" x="{num(left)}" y="{num(top)}" width="{num(total)}" '
        f'height="{num(high)}" rx="8"/>'
    )
    for i, (when, what) in enumerate(lines):
        cx = left + 4 + each * i
        mid = top + high / 2
        down = mid + size * 0.32
        if when:
            drawn += text(cx + size * 0.3, down, when, "t-fire", max(size * 0.8, 13.5), "m")
        gx = cx + size * 0.66
        kind, _, number = what.partition(" ")
        if kind in INKS:
            drawn += (
                f'<rect x="{num(gx)}" y="{num(mid - size / 2)}" width="{num(size)}" '
                f'height="{num(size)}" rx="4" fill="{INKS[kind][0]}"/>'
                + use(f"captain-g-{kind}", gx + 1, mid - size / 2 + 1, size - 2)
            )
        elif kind == "coin":
            drawn += use("captain-coin", gx, mid - size / 2, size)
        elif kind == "bottle":
            drawn += use("captain-bottle", gx, mid - size / 2, size, size)
        else:
            drawn += use("captain-back", gx, mid - size / 2, size * 0.8, size)
        if number:
            shown = number.replace("-", "−")
            drawn += text(gx + size * 1.05, down, shown, "t-b", max(size * 0.72, 13.5))
    return drawn
