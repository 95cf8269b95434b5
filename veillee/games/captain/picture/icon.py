"""Oh Captain!: its emblem."""

from __future__ import annotations

from functools import cache

from veillee.art.icons import emblem


@cache
def icon() -> str:
    """Return the emblem: a bottle washed ashore before a cave, and a coin."""
    return emblem(
        "captain",
        ("#0c1838", "#1d4a6e"),
        '<path fill="#fff3cf" d="M36 16a17 17 0 1 0 17 24 14 14 0 0 1-17-24z"/>'
        '<path fill="#2c2840" d="M0 120C4 78 26 44 60 46c34 2 44 40 58 60l42 12v8c0 19-15 34-34 '
        "34H34C15 160 0 "
        '145 0 126z"/><path fill="#090a18" d="M22 132c0-34 12-58 34-58s34 26 34 58z"/>'
        '<circle cx="56" cy="118" r="34" fill="url(#icon-captain-glow)"/>'
        '<path fill="#1b5b86" d="M0 126c20-6 30 6 50 0s30 6 50 0 40 4 60-2c0 21-15 36-34 '
        "36H34C15 160 0 145 0 "
        '126z"/><g transform="rotate(24 104 104)"><path fill="#3aa57a" stroke="#c9ffe4" '
        'stroke-width="2.5" '
        'd="M97 62h14v18c10 6 13 12 13 22v28c0 6-3 9-9 9H93c-6 0-9-3-9-9v-28c0-10 3-16 13-22z"/>'
        '<path fill="#a8703a" d="M98 50h12v14H98z"/><path fill="#fdf4e0" d="M89 106h30v20H89z"/>'
        '<path stroke="#8a3d00" stroke-width="2.5" d="M94 112h20M94 119h13"/></g>'
        '<circle cx="44" cy="132" r="15" fill="#f2c14e" stroke="#8a5a00" stroke-width="3"/>'
        '<path fill="#8a5a00" d="m44 122 2.8 6.8 7.2.4-5.6 4.6 2 7-6.4-4-6.4 4 2-7-5.6-4.6 '
        '7.2-.4z"/>',
    )
