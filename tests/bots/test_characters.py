"""Characters: the same search, other choices, and nothing that a seat may not know."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest

from veillee.art.faces import FACES, face
from veillee.bots.characters import (
    PLAIN,
    Character,
    character_named,
    characters,
    drawn,
    joined,
    proper_name,
    shared,
    split,
)
from veillee.bots.levels import BotName, bot, fitted
from veillee.bots.weights import weights_for, with_taste
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.lab.players import budget_without_clock, player

GAMES = pytest.mark.parametrize("spec", games().values(), ids=games())
LIMITS = ("iterations", "each", "seconds", "width", "deepest", "opens", "horizon", "instinct")


def moments(spec: GameSpec) -> list[Game]:
    """Return games in which different numbers of decisions were taken."""
    found = []
    for seed in range(6):
        game = game_class(spec)(3, seed, compiled=True)
        choose = player(spec, 3, "random", seed)
        for decision in range(40):
            if decision % 4 == 3 and len(game.legal) > 1:
                found.append(copy.deepcopy(game))
            game.play(choose(game.seen_by(game.seat)))
    return found


@GAMES
def test_every_game_has_characters_with_a_name_a_line_and_a_face(spec: GameSpec) -> None:
    cast = characters(spec)
    assert len(cast) >= 4
    assert {"cautious", "bold"} < set(cast)
    assert len({each.name for each in cast.values()}) == len(cast)
    for name in cast:
        assert face(name).startswith("<svg")
        assert (
            len({Words(language)(f"{spec.name}.character.{name}") for language in LANGUAGES}) == 3
        )
    assert len({face(name) for name in FACES}) == len(FACES)
    assert face("nobody") == ""


@GAMES
def test_a_character_thinks_no_more_and_no_less(spec: GameSpec) -> None:
    for level in ("spark", "1450", "sage"):
        plain = BotName.parse(level).budget_for(spec)
        for name in characters(spec):
            own = BotName.parse(joined(name, level)).budget_for(spec)
            assert own != plain
            assert all(getattr(own, limit) == getattr(plain, limit) for limit in LIMITS)


@GAMES
def test_characters_choose_differently_and_from_the_view_alone(spec: GameSpec) -> None:
    """Each differs from a bot without a character somewhere; none depends on hidden things."""
    games_so_far = moments(spec)
    views = [game.seen_by(game.seat) for game in games_so_far]

    def choices(name: str) -> list[int]:
        return [bot(spec, 3, name, seed).choose(view) for view in views for seed in range(4)]

    plain = choices("wanderer")
    for name in characters(spec):
        assert choices(joined(name, "wanderer")) != plain, name
    for game, view in list(zip(games_so_far, views, strict=True))[:3]:
        for name in characters(spec):
            own = joined(name, "elder")
            choice = bot(spec, 3, own, seed=1).choose(view)
            other = game.resample(game.seat, seed=5)
            assert bot(spec, 3, own, seed=1).choose(other.seen_by(game.seat)) == choice
            assert bot(spec, 3, own, seed=1).choose(other.states) == choice


def test_a_taste_is_added_to_weights_and_leaves_the_others_alone() -> None:
    lumens = games()["lumens"]
    weights = weights_for(lumens, 2)
    changed = with_taste(lumens, weights, {"prey": 0.5})
    assert (changed != weights).sum() == 1
    assert np.abs(changed - weights).sum() == pytest.approx(0.5)
    assert (with_taste(lumens, weights, {}) == weights).all()


def test_what_leans_to_a_policy_is_not_left_to_compiled_games() -> None:
    captain = games()["captain"]
    assert budget_without_clock(captain, "honest@elder") is None
    assert budget_without_clock(captain, "elder") is not None


def test_an_unknown_character_is_refused_with_those_there_are() -> None:
    nomads = games()["nomads"]
    with pytest.raises(Refusal, match=r"no character “raider”\. There are: singer"):
        BotName.parse("raider@teller").budget_for(nomads)
    assert character_named(nomads, "singer").name == "Calliope"


def test_a_name_is_a_character_and_a_level() -> None:
    lumens = games()["lumens"]
    assert split("raider@1450") == ("raider", "1450")
    assert split("teller") == ("", "teller")
    assert proper_name(lumens, "raider@teller") == "Attila"
    assert proper_name(lumens, "teller") == proper_name(lumens, "singer@teller") == ""
    assert fitted("raider@teller", games()["nomads"]) == "teller"
    assert fitted("bold@teller", games()["nomads"]) == "bold@teller"


# ------------------------------------------------------------ at a table


def test_surprises_are_drawn_once_each_and_only_among_equals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nomads = games()["nomads"]
    cast = {
        name: replace(each, share=(1.0, 0.8, 1.2) if name != "bold" else (0.5, 0.4, 0.6))
        for name, each in characters(nomads).items()
    }
    monkeypatch.setattr("veillee.bots.characters.characters", lambda _: cast)
    for _ in range(20):
        seats = drawn([nomads], ["", "teller", "teller", "teller", "teller"], {})
        given = [split(seat)[0] for seat in seats]
        assert sorted(filter(None, given)) == sorted(set(filter(None, given)))
        assert "bold" not in given
        assert [split(seat)[1] for seat in seats] == ["", *["teller"] * 4]


def test_a_seat_gets_the_character_that_was_chosen() -> None:
    nomads = games()["nomads"]
    chosen = {1: "singer", 2: PLAIN, 0: "bold"}
    assert drawn([nomads], ["", "teller", "sage"], chosen) == ["", "singer@teller", "sage"]
    assert drawn([nomads], ["random", "bold@1450"], {}) == ["random", "bold@1450"]


def test_for_two_games_only_what_both_have_is_offered() -> None:
    both = [games()["captain"], games()["nomads"]]
    assert {each.id for each in shared(both)} == {"cautious", "bold"}


def test_who_was_not_measured_is_not_drawn() -> None:
    assert not Character("x", "X").is_equal
    assert not Character("x", "X", share=(0.7, 0.5, 1.1)).is_equal
    assert not Character("x", "X", share=(1.1, 1.02, 1.2)).is_equal
    assert Character("x", "X", share=(0.9, 0.7, 1.1)).is_equal
