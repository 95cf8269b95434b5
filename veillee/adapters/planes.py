"""`python -m veillee.adapters.planes`: every plane of every game's observation, as Markdown."""

from __future__ import annotations

from veillee.adapters.compiled import planes, row_length
from veillee.engine.contract import Contract
from veillee.engine.library import games


def described(contract: Contract) -> str:
    """A table of the planes of one game."""
    lines = [
        f"### {contract.name}: {row_length(contract)} numbers",
        "",
        "| from | plane | shape | what it tells |",
        "| ---: | --- | --- | --- |",
    ]
    at = 0
    for plane in planes(contract):
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
