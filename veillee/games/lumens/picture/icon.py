"""Lumens: its emblem."""

from __future__ import annotations

from functools import cache

from veillee.art.icons import emblem


@cache
def icon() -> str:
    """Return the emblem: four lights of four shapes in dark rooms."""
    return emblem(
        "lumens",
        ("#0b0d26", "#20204e"),
        '<g fill="#2f3270" stroke="#5a5fb0" stroke-width="2"><path d="M22 92h44v44H22zM94 '
        "92h44v44H94zM58 44h44"
        'v44H58z"/></g><g opacity=".9"><circle cx="80" cy="66" r="40" '
        'fill="url(#icon-lumens-glow)"/>'
        '<circle cx="44" cy="114" r="32" fill="url(#icon-lumens-glow)"/>'
        '<circle cx="116" cy="114" r="32" fill="url(#icon-lumens-glow)"/></g>'
        '<circle cx="80" cy="66" r="17" fill="#ffd84d" stroke="#fff6d0" stroke-width="3"/>'
        '<rect x="29" y="99" width="30" height="30" rx="4" fill="#2fbf6f" stroke="#d8ffe6" '
        'stroke-width="3"/>'
        '<path fill="#ff5a4d" stroke="#ffe1dc" stroke-width="3" stroke-linejoin="round" '
        'd="m116 95 19 33H97z"/><g fill="#20140a"><circle cx="75" cy="61" r="3"/><circle cx="85" '
        'cy="71" r="3"/>'
        '<circle cx="44" cy="114" r="3.5"/><circle cx="111" cy="120" r="3"/><circle cx="121" '
        'cy="120" r="3"/>'
        '<circle cx="116" cy="110" r="3"/></g>',
    )
