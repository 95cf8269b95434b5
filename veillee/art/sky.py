"""Stars of a night sky, scattered in the same way each time."""

from __future__ import annotations

from functools import cache

from veillee.engine.drawing.svg import num


@cache
def stars(width: int, height: int, n: int, seed: int = 7) -> str:
    """Return `n` stars of three sizes, placed by a linear congruential generator."""
    x = seed
    paths = ["", "", ""]
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2**31
        across = x / 2**31 * width
        x = (x * 1103515245 + 12345) % 2**31
        down = x / 2**31 * height
        paths[i % 3] += f"M{num(across)} {num(down)}h.01"
    return "".join(
        f'<path class="l-sky" d="{path}" stroke-width="{size}" stroke-linecap="round" '
        f'opacity="{opacity}"/>'
        for path, size, opacity in zip(paths, (1.2, 1.8, 2.8), (0.6, 0.75, 0.9), strict=True)
    )
