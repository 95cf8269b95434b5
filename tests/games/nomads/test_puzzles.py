"""What puzzles of Nomads ask."""

from __future__ import annotations

import pytest

from tests.games.nomads.scene import scene


@pytest.mark.parametrize(
    ("best", "asked"),
    [("sow 1 left", "write_or_sow"), ("write whale I", "write_or_sow"), ("lys 4", None)],
)
def test_nothing_is_asked_where_moon_does_best_to_move_lys(best: str, asked: str | None) -> None:
    game = scene("moon siana", piles={1: "nomad moon"}, lys=5)
    spec = game.spec
    choices = [spec.notation.parse(text) for text in ("lys 4", "sow 1 left", "write whale I")]
    s = spec.twin(game.seen_by(game.seat))
    assert spec.puzzles is not None
    assert spec.puzzles.kind(s, choices, spec.notation.parse(best)) == asked
