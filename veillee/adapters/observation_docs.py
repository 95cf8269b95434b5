"""`python -m veillee.adapters.observation_docs`: the planes of every observation, as Markdown."""

from __future__ import annotations

from veillee.adapters.build import planes, row_length
from veillee.engine.game_spec import GameSpec
from veillee.engine.registry import games


def described(spec: GameSpec) -> str:
    """A table of the planes of one game."""
    lines = [
        f"### {spec.name}: {row_length(spec)} numbers",
        "",
        "| from | plane | shape | what it tells |",
        "| ---: | --- | --- | --- |",
    ]
    at = 0
    for plane in planes(spec):
        shape = " x ".join(map(str, plane.shape))
        codes = f" ({'; '.join(f'{n} {code}' for n, code in enumerate(plane.codes))})"
        told = plane.meaning + (codes if plane.codes else "")
        lines.append(f"| {at} | `{plane.name}` | {shape} | {told} |")
        at += plane.size
    return "\n".join(lines)


def all_described() -> str:
    return "\n\n".join(described(game) for game in games().values() if game.observation)


if __name__ == "__main__":
    print(all_described())
