"""Positions, notation, words."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from rich.text import Text

from tests.games.lumens.scene import SMALL_BOARD, scene
from veillee.engine.i18n import LANGUAGES, Words, catalogue
from veillee.engine.refusal import Refusal
from veillee.games.lumens import SPEC, Game


def written() -> dict[str, Any]:
    """A good position to spoil."""
    return scene({"b1": ["yellow 2", "green 5"], "c7": ["yellow 6"]}, hands=["1/6", "3/4"]).position


def test_a_position_names_the_things_of_the_game() -> None:
    position = written()
    assert position["squares"] == {
        "a1": ["yellow 1"],
        "b1": ["yellow 2", "green 5"],
        "c7": ["yellow 6"],
        "k11": ["green 1"],
    }
    assert position["seats"][0] == {
        "colour": "yellow",
        "hand": "1/6",
        "left": {"1/6": 6, "2/5": 7, "3/4": 8},
        "out": False,
    }
    assert (position["seat"], position["phase"], position["first"]) == (0, "turn", 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_positions_and_views_go_there_and_back(players: int) -> None:
    game = Game(players, seed=players, board=None, tokens=[2, 3, 2])
    chance = Random(players)
    while True:
        assert Game.from_position(game.position).states.tobytes() == game.states.tobytes()
        for seat in (None, *range(players)):
            assert Game.from_position(game.view(seat)).view(seat) == game.view(seat)
        if game.over:
            break
        game.play(chance.choice(game.legal))


def spoil(path: str, value: Any) -> dict[str, Any]:
    """The good position with one thing changed: "seats.0.hand"."""
    position = written()
    if "left" not in path:
        for seat in position["seats"]:
            del seat["left"]
    *way, last = path.split(".")
    at: Any = position
    for key in way:
        at = at[int(key)] if key.isdigit() else at[key]
    at[int(last) if last.isdigit() else last] = value
    return position


@pytest.mark.parametrize(
    ("path", "value", "clause"),
    [
        ("squares.a1", ["green 1"], "lumens.place.marker"),
        ("squares.k11", ["yellow 3"], "lumens.place.marker"),
        ("squares.a1", ["yellow 1", "green 1"], "lumens.place.marker"),
        ("squares.a1", [], "lumens.setup.token"),
        ("squares.d4", ["yellow 1"] * 3, "lumens.place.two"),
        ("squares.d4", ["red 1"], "lumens.place.two"),
        ("squares.d4", ["yellow 7"], "lumens.place.two"),
        ("squares.l1", ["yellow 1"], "lumens.material.board"),
        ("squares.z99", ["yellow 1"], "lumens.material.board"),
        ("seats.0.colour", "green", "lumens.material.tokens"),
        ("seats.0.hand", "1/7", "lumens.turn.draw"),
        ("seats.0.left", {"1/6": 7, "2/5": 7, "3/4": 8}, "lumens.know"),
        ("seats.0.out", 1, "lumens.turn.draw"),
        ("seats.1.out", True, "lumens.place.out"),
        ("seats.0.out", True, "lumens.place.out"),
        ("phase", "start", "lumens.setup.token"),
        ("phase", "night", "lumens.position"),
        ("phase", "over", "lumens.turn.order"),
        ("seat", 2, "lumens.turn.order"),
        ("seat", None, "lumens.turn.order"),
        ("first", 2, "lumens.position"),
        ("colour", "red", "lumens.turn.order"),
        ("options", {"tokens": [1, 1, 1]}, "lumens.material.tokens"),
    ],
)
def test_an_impossible_position_is_refused(path: str, value: Any, clause: str) -> None:
    position = spoil(path, value)
    with pytest.raises(Refusal) as refused:
        Game.from_position(position)
    assert (refused.value.code, refused.value.clause) == ("impossible", clause)
    for language in LANGUAGES:
        assert refused.value.message(Words(language)).startswith(clause)


def test_nine_tokens_of_a_kind_are_refused() -> None:
    squares = {f"{column}5": ["yellow 6"] for column in "abcdefgh"}
    with pytest.raises(Refusal, match=r"more than 8 yellow 1/6 tokens"):
        scene(squares)


def test_a_hand_that_is_not_left_is_refused() -> None:
    with pytest.raises(Refusal, match=r"lumens\.turn\.draw"):
        scene({}, hands=["1/6", "3/4"], options={"tokens": [1, 1, 1]})


def test_who_cannot_place_is_not_asked() -> None:
    with pytest.raises(Refusal, match=r"lumens\.place\.out"):
        scene({"a1": ["yellow 6", "yellow 5"]}, options={"board": SMALL_BOARD})


def test_the_end_is_when_nobody_can_place() -> None:
    with pytest.raises(Refusal) as refused:
        scene({}, seat=None, phase="over")
    assert refused.value.clause == "lumens.place.out"


def test_a_start_out_of_turn_order_is_refused() -> None:
    seats = [{"hand": "1/6"}, {}]
    good = {"squares": {"k11": ["green 1"]}, "seats": seats, "phase": "start", "first": 1}
    assert Game.from_position(good | {"seat": 0}).seat == 0
    for wrong in (good | {"seat": 0, "first": 0}, good | {"seat": 1}):
        with pytest.raises(Refusal):
            Game.from_position(wrong)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("own", 1),
        ("taken", 1),
        ("closed", 1),
        ("reach", 1),
        ("pips", 1),
        ("left", 1),
        ("left", -20),
        ("hand", 2),
        ("out", 4),
        ("first", 3),
        ("seat", 1),
        ("covered", 1),
        ("top", 1),
        ("top", -1),
        ("top", 30),
        ("phase", 2),
        ("room", 1),
    ],
)
def test_a_state_with_one_thing_changed_is_refused(field: str, change: int) -> None:
    """Every field is held by an invariant, in the middle of a game and past the board's edge."""
    game = Game(2, seed=3)
    for _ in range(12):
        game.play(game.legal[-1])
    SPEC.position.check(game.state)
    states = game.states.copy()
    flat = states[field].reshape(-1)
    if field == "room":
        states[field][0, 14] = change
    elif flat.size == 1:
        flat += change
    elif field == "hand":
        flat[0] += change if flat[0] + change <= 3 else change + 3
    else:
        states[field].reshape(-1)[20 if field in ("covered", "top") else 1] += change
    with pytest.raises(Refusal) as refused:
        SPEC.position.check(SPEC.twin(states))
    assert refused.value.code == "impossible"


def test_notation_goes_there_and_back() -> None:
    for action in range(SPEC.actions):
        assert SPEC.notation.parse(SPEC.notation.text(action)) == action
    assert SPEC.notation.text(6 * 15 * 6 + 6 + 5) == "b7 6"
    assert SPEC.notation.parse("  B7   6 ") == SPEC.notation.parse("b7 6")
    state = Game(2, 1).state
    assert SPEC.notation.describe(state, SPEC.notation.parse("b7 6")) == {
        "do": "place",
        "square": "b7",
        "face": 6,
    }


@pytest.mark.parametrize(
    "text", ["", "b7", "b7 0", "b7 7", "p1 1", "a16 1", "b7 6 6", "7b 6", "b7 ²"]
)
def test_what_is_no_notation_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        SPEC.notation.parse(text)
    assert refused.value.code == "unreadable"
    assert "b7 6" in refused.value.message(Words("es"))


def test_events_as_data_name_things() -> None:
    game = scene({"b1": ["green 5"]}, hands=["1/6", "3/4"])
    place, draw = game.play("b1 6")
    assert SPEC.relate(place) == {
        "event": "place",
        "seat": 0,
        "square": "b1",
        "face": 6,
        "covered": "green 5",
    }
    assert SPEC.relate(draw)["token"] in ("1/6", "2/5", "3/4")
    assert SPEC.relate(draw.seen_by(0b10))["token"] is None


# ---------------------------------------------------------------- words


def test_every_clause_has_words_in_three_languages() -> None:
    for language in LANGUAGES:
        for clause in SPEC.clauses:
            assert Words(language)(clause)


def test_the_catalogues_have_the_same_keys_and_the_same_facts() -> None:
    english, *others = (catalogue("lumens", language) for language in LANGUAGES)

    def facts(words: str | tuple[str, ...]) -> set[str]:
        return set(re.findall(r"{(\w+)}", "".join(words)))

    for other in others:
        assert set(other) == set(english)
        for key, words in english.items():
            assert facts(other[key]) == facts(words)


def test_a_game_in_words() -> None:
    game = scene(
        {"e5": ["yellow 1"], "f5": ["green 5"], "a1": ["yellow 1", "yellow 2"]},
        hands=["1/6", "3/4"],
        seed=4,
    )
    game.names = ["Timo", "Max"]

    def say(language: str, action: str) -> str:
        number = SPEC.notation.parse(action)
        return SPEC.text.say(Words(language), game.state, number, game.names)

    assert {language: say(language, "f5 6") for language in LANGUAGES} == {
        "en": "Place a 6 on f5 (room K), covering green 5",
        "fr": "Placer un 6 sur f5 (salle K), en recouvrant le 5 vert",
        "es": "Colocar un 6 en f5 (sala K), cubriendo el 5 verde",
    }
    assert say("en", "d5 6") == "Place a 6 on d5"
    game.play("f5 6")
    held = SPEC.notation.text(game.state.hand[0] - 1)[-1]
    mine = game.log("en", 0)
    assert mine[0] == "Timo places a 6 on f5, covering green 5."
    assert mine[1].startswith(f"Timo draws a {held}/")
    assert game.log("en", 1) == mine[:1], "what others draw is not told"


def test_the_end_in_words() -> None:
    game = scene(
        {"a1": ["yellow 6"], "b2": ["yellow 3"], "c3": ["green 5", "green 4"]},
        options={"board": SMALL_BOARD},
        out=[1],
    )
    game.names = ["Timo", "Max"]
    game.play("a1 4")
    assert game.log("en")[-2:] == [
        "Timo can’t place any more tokens and waits for the scoring.",
        "Room A: Timo has 3, 4 points.",
    ]
    assert "salle" in game.log("fr")[-1].lower()
    begun = Game(2, seed=1, first=1, names=["Timo", "Max"])
    assert begun.log("es")[0] == "Empieza Max."


def test_the_board_is_drawn() -> None:
    game = scene({"f5": ["green 5", "yellow 6"], "c3": ["green 2"]}, hands=["1/6", "3/4"], seat=1)
    game.names = ["Timo [x]", "Max"]
    lines = Text.from_markup(game.board("en", 1)).plain.splitlines()
    assert lines[0].split() == list("abcdefghijk")
    assert lines[1].startswith(" 1 Y1⌂ ·  A  A  A")
    assert lines[3].startswith(" 3  C  C  ·  · "[:6])
    assert "Y6²" in lines[5]
    assert "G2 " in lines[3]
    assert lines[12:14] == [" Rooms: totals (and points)", "   K Y6(+4)"]
    assert lines[14].startswith(" Y Timo [x]: hand ? │ 22 left (6×")
    assert lines[15].startswith("▶G Max: hand 3/4 │ ")
    assert lines[14].endswith("4 points")


def test_the_board_before_the_first_token_and_after_the_last() -> None:
    game = Game(2, seed=1, first=0, tokens=[1, 0, 0])
    assert "Y⌂" in str(game)
    assert "1/6" in game.board("en", 0)
    game.play(game.legal[0])
    game.play(game.legal[0])
    assert "hand –" in str(game)
    stuck = scene(
        {"a1": ["yellow 6", "yellow 5"], "c3": ["green 6"]},
        options={"board": SMALL_BOARD},
        out=[0],
        seat=1,
    )
    assert str(stuck).splitlines()[-2].endswith("│ out")
