"""Nomads: how the printed game is scored."""

from __future__ import annotations

from veillee.engine.scoring import Award, Count, Scoring, Tie
from veillee.games.nomads.core.names import TILES
from veillee.games.nomads.core.state import LEGENDS, State


def scoring(s: State) -> Scoring:
    """nomads.end.score, nomads.end.tie, nomads.moons.award, nomads.moons.tie"""
    legends = [
        Count(
            TILES[legend],
            f"nomads.tile.{TILES[legend]}",
            "nomads.write.legend",
            worth=1,
            choices=sorted({int(value) for value in s.value.tolist()[legend] if value}),
        )
        for legend in range(LEGENDS)
    ]
    songs = sorted({int(points) for points in s.song_points.tolist() if points})
    return Scoring(
        counts=[
            *legends,
            Count("song", "nomads.tally.song", "nomads.write.song", worth=1, choices=songs),
            Count("moons", "nomads.tally.moons", "nomads.moons.award", worth=1),
            Count("left", "nomads.tally.left", "nomads.end.score", worth=-1),
        ],
        ties=[Tie(kinds=[legend.key for legend in legends])],
        tie_clause="nomads.end.tie",
        award=Award(
            "nomads.scoring.award",
            "nomads.moons.award",
            without=["moons"],
            total=int(s.moons_to_score),
            shares=[int(s.moons_for_first), int(s.moons_to_score - s.moons_for_first)],
        ),
    )
