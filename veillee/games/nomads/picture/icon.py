"""Nomads: its emblem."""

from __future__ import annotations

from functools import cache

from veillee.art.icons import FLAME, LOGS, emblem


@cache
def icon() -> str:
    """Return the emblem: a fire and the tents around it, and a disc pile."""
    return emblem(
        "nomads",
        ("#10163a", "#5a3340"),
        '<circle cx="80" cy="104" r="62" fill="url(#icon-nomads-glow)"/>'
        '<path fill="#2f6fc4" d="M8 124 40 66l32 58z"/><path fill="#17386b" d="M40 84 56 124H26z"/>'
        '<path fill="#3f7fd6" d="M92 124l30-52 30 52z"/><path fill="#1f4c96" d="m122 88 14 '
        '36h-26z"/>'
        '<path stroke="#9fc2f5" stroke-width="3" stroke-linecap="round" d="M40 66l-4-7M40 '
        "66l4-7M122 72l-4-7"
        'M122 72l4-7"/><path fill="#33202c" d="M0 122c40-8 120-8 160 0v4c0 19-15 34-34 34H34C15 '
        "160 0 145 0 "
        f'126z"/><g transform="translate(80 112)">{LOGS}{FLAME}</g>',
    )
