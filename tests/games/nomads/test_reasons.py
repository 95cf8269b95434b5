"""What speaks for an action: who would take what, and what a card is worth."""

from __future__ import annotations

import pytest

from tests.games.nomads.scene import scene
from veillee.engine.game import Game
from veillee.engine.i18n import Words
from veillee.games.nomads.reasons import reason

NAMES = ["Ada", "Bo"]


def why(game: Game, action: str, language: str = "en") -> str | None:
    seen = game.spec.twin(game.seen_by(game.seat))
    return reason(Words(language), seen, game.number(action), NAMES, None)


def test_sowing_tells_who_takes_what() -> None:
    game = scene(
        "ulrich siana",
        piles={1: "nomad ulrich", 4: "siana"},
        stacks={3: "whale", 4: "storm"},
        lys=6,
    )
    told = why(game, "sow 1 left")
    assert told == "You would take a Whale. Bo would take a Storm."
    assert why(game, "sow 1 left", "fr") == "Vous prendriez une Baleine. Bo prendrait un Orage."
    game.play("sow 1 left")
    assert game.scores == [-1, -1]  # a tile each


def test_tiles_of_a_kind_are_told_together() -> None:
    piles, stacks = {1: "ulrich ulrich"}, {2: "storm", 3: "storm"}
    game = scene("ulrich siana", piles=piles, stacks=stacks, lys=6)
    assert why(game, "sow 1 left") == "You would take 2 Storms."
    assert why(game, "sow 1 left", "es") == "Tomarías 2 Tormentas."


def test_tiles_of_a_kind_are_counted() -> None:
    game = scene(
        "ulrich siana",
        piles={1: "nomad nomad ulrich", 2: "nomad", 3: "nomad", 4: "siana", 7: "ulrich"},
        stacks={4: "comet", 7: "comet"},
        lys=6,
    )
    assert why(game, "sow 1 left") == "You would take 2 Comets."
    assert why(game, "sow 1 left", "fr") == "Vous prendriez 2 Comètes."
    assert why(game, "sow 1 left", "es") == "Tomarías 2 Cometas."


def test_a_song_is_paid_with_tiles_in_a_sentence() -> None:
    game = scene("ulrich siana", holds={"ulrich": "whale stag cedar wild"}, piles={1: "ulrich"})
    sing = game.number("sing I whale stag cedar")
    said = game.spec.text.say(Words("fr"), game.state, sing, NAMES)
    assert said == "Écrire la Chanson de valeur 4 avec une Baleine, un Cerf, un Cèdre et un Joker"


def test_a_disc_next_to_lys_promises_another_tile() -> None:
    game = scene("ulrich siana", piles={1: "nomad ulrich"}, stacks={3: "moon whale"}, lys=3)
    told = why(game, "sow 1 left")
    assert told
    assert "where Lys points" in told


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_a_card_is_worth_its_points_and_the_tiles_that_no_longer_count(language: str) -> None:
    game = scene("ulrich siana", holds={"ulrich": "storm storm"}, piles={1: "ulrich"})
    scores = game.scores[0]
    told = why(game, "write storm I", language)
    game.play("write storm I")
    assert told
    assert str(game.scores[0] - scores) in told
