"""The adventurers of Luma as emblems: one silhouette, one colour and one letter each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Emblem:
    """How an adventurer is drawn: `shape`, 24 x 24, with {ink} and {face} for its colours."""

    face: str
    rim: str
    ink: str
    shape: str

    def drawn(self) -> str:
        return self.shape.replace("{ink}", self.ink).replace("{face}", self.face)


EMBLEMS: dict[str, Emblem] = {
    # A tent, its flap open.
    "nomad": Emblem(
        "#3f7fd6",
        "#1f4c96",
        "#f3f7ff",
        '<path fill="{ink}" d="M12 3.2 21.8 20H2.2z"/><path fill="{face}" d="M12 9.5 15.8 '
        '20H8.2z"/>'
        '<path stroke="{ink}" stroke-width="1.7" stroke-linecap="round" fill="none" '
        'd="M12 4 10.4 1.6M12 4l1.6-2.4"/>',
    ),
    # A smith's face, all brows and beard.
    "ulrich": Emblem(
        "#41414d",
        "#17171d",
        "#f4ead8",
        '<path fill="{ink}" d="M4.8 9.8C4.8 5 8 1.6 12 1.6s7.2 3.4 7.2 8.2L16.4 9H13v3.2l-1 '
        '.8-1-.8V9H7.6z"/>'
        '<path fill="{ink}" d="M2.8 11c1.8.4 3 1.2 4.2 2.8 1.6-1.2 3.4-1 5 .4 1.6-1.4 3.4-1.6 '
        "5-.4 1.2-1.6 2.4"
        "-2.4 4.2-2.8.2 4.6-1.2 8.2-3.4 10.2l-1.4-1.6-1.6 2.8L12 20.8l-2.8 1.6-1.6-2.8-1.4 "
        "1.6c-2.2-2-3.6"
        '-5.6-3.4-10.2z"/><path fill="{face}" d="M9.6 16.2c1.6-.6 3.2-.6 4.8 0-.8 1.4-4 1.4-4.8 '
        '0z"/>'
        '<circle cx="8.8" cy="11" r="1.1" fill="{ink}"/><circle cx="15.2" cy="11" r="1.1" '
        'fill="{ink}"/>',
    ),
    # A crescent and its star.
    "moon": Emblem(
        "#fbf7ea",
        "#c9c0a6",
        "#4a3f78",
        '<path fill="{ink}" d="M15.6 2.4A10 10 0 1 0 21.7 14 8.2 8.2 0 0 1 15.6 2.4z"/>'
        '<path fill="{ink}" d="M18.3 3.6l1 2.6 2.6 1-2.6 1-1 2.6-1-2.6-2.6-1 2.6-1z"/>',
    ),
    # A fox.
    "red": Emblem(
        "#d8402f",
        "#8f1d18",
        "#fff3e2",
        '<path fill="{ink}" d="M2.6 2.6 9 6.6h6l6.4-4-.6 9.6L12 22l-8.8-9.8z"/>'
        '<path fill="{face}" d="M6.3 11.2 10.4 13.4 8.3 14.4zM17.7 11.2 13.6 13.4 15.7 14.4z'
        'M10.4 18.2h3.2L12 20.4z"/><path fill="{face}" d="M4.4 5.2 7 7.2 4.8 9.4z'
        'M19.6 5.2 17 7.2l2.2 2.2z"/>',
    ),
    # A feather.
    "siana": Emblem(
        "#ffcf3f",
        "#c58a06",
        "#4d2f00",
        '<path fill="{ink}" d="M21.4 1.8C12.6 2 6 7.2 5.4 15.6l7.4-.2-5 2.6c7.4.6 13.4-6 '
        '13.6-16.2z"/>'
        '<path stroke="{face}" stroke-width="1.2" fill="none" d="M18.6 5 7 16.8"/>'
        '<path stroke="{ink}" stroke-width="2" stroke-linecap="round" fill="none" '
        'd="M7.4 16.4 3 22"/>',
    ),
    # A hat with a wide brim.
    "nostromo": Emblem(
        "#2fa463",
        "#13603a",
        "#f2fff2",
        '<path fill="{ink}" d="M1.2 15.6c2.7-1 4.6-1.6 5.2-4.4l1-5.4c2.6-1.9 6.6-1.9 9.2 0l1 '
        "5.4c.6 "
        '2.8 2.5 3.4 5.2 4.4-1.8 3.6-6.4 5-10.8 5s-9-1.4-10.8-5z"/>'
        '<path fill="{face}" d="M6.6 11.6c3.3 1.5 7.5 1.5 10.8 0l.5 2.4c-3.6 1.7-8.2 1.7-11.8 0z"/>'
        '<path stroke="{ink}" stroke-width="1.8" stroke-linecap="round" fill="none" '
        'd="M17 9.6c3-1 4.8-3.6 4.6-7.4"/>',
    ),
    # Two eyes and a wide mouth.
    "frog": Emblem(
        "#b6e04a",
        "#6d9a16",
        "#1f3a05",
        '<path fill="{ink}" d="M6.6 3.4a3.8 3.8 0 0 1 3.7 3h3.4a3.8 3.8 0 1 1 6.3 3.6c1.2 1.2 '
        "1.9 2.8 "
        "1.9 4.4 0 3.9-4.4 6.6-9.9 6.6s-9.9-2.7-9.9-6.6c0-1.6.7-3.2 1.9-4.4a3.8 3.8 0 0 1 "
        '2.6-6.6z"/>'
        '<circle cx="6.7" cy="7.2" r="1.7" fill="{face}"/>'
        '<circle cx="17.3" cy="7.2" r="1.7" fill="{face}"/>'
        '<path stroke="{face}" stroke-width="1.6" stroke-linecap="round" fill="none" '
        'd="M6 14.2c3.4 3.4 8.6 3.4 12 0"/>',
    ),
    # A lily.
    "lys": Emblem(
        "#c65bb4",
        "#7d2a6f",
        "#fff0fb",
        '<path fill="{ink}" d="M12 1.4c2.8 3 3.8 5.6 3.8 8.2 0 1.6-.5 3.2-1.3 4.6h-5C8.7 12.8 8.2 '
        '11.2 8.2 9.6 8.2 7 9.2 4.4 12 1.4z"/>'
        '<path fill="{ink}" d="M8.2 14.2C3.6 14.6 1.4 11 2.6 8c1.6-1.7 4.2-.9 4.3 1.2-1.2-.1'
        "-1.6.8-1.1 1.7.5.9 1.9 1.3 3.2 1.1zM15.8 14.2c4.6.4 6.8-3.2 5.6-6.2-1.6-1.7-4.2"
        '-.9-4.3 1.2 1.2-.1 1.6.8 1.1 1.7-.5.9-1.9 1.3-3.2 1.1z"/>'
        '<path fill="{ink}" d="M6.6 15h10.8v2.4H6.6z"/><path fill="{ink}" d="M9.6 18.2h4.8L12 22.8z'
        "M8.8 18.2c0 1.6-1.2 2.8-2.8 3 .1-1.3.5-2.3 1-3zM15.2 18.2c0 1.6 1.2 2.8 2.8 3-.1-1.3"
        '-.5-2.3-1-3z"/>',
    ),
}


@cache
def symbols(prefix: str, names: tuple[str, ...]) -> str:
    """Return symbols of adventurers: shapes `{prefix}-{name}` and medallions `…-{name}-face`."""
    drawn = []
    for name in names:
        emblem = EMBLEMS[name]
        shape = emblem.drawn()
        drawn.append(f'<symbol id="{prefix}-{name}" viewBox="0 0 24 24">{shape}</symbol>')
        drawn.append(
            f'<symbol id="{prefix}-{name}-face" viewBox="0 0 40 40">'
            f'<circle cx="20" cy="20" r="18.5" fill="{emblem.face}" stroke="{emblem.rim}" '
            f'stroke-width="2.5"/><circle cx="20" cy="20" r="16" fill="none" stroke="{emblem.ink}" '
            f'stroke-width=".8" opacity=".55"/>'
            f'<use href="#{prefix}-{name}" x="8" y="8" width="24" height="24"/></symbol>'
        )
    return "".join(drawn)
