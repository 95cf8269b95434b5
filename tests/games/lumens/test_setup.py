"""Material and set-up."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.games.lumens.scene import scene, square_number, squares
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.games.lumens import SPEC, Game
from veillee.games.lumens.board import Grid, printed
from veillee.games.lumens.core.names import COLOURS

TWO, FOUR = printed(2), printed(4)


@pytest.mark.parametrize(("grid", "side", "rooms"), [(FOUR, 15, 11), (TWO, 11, 9)])
def test_lumens_material_board(grid: Grid, side: int, rooms: int) -> None:
    letters = [grid[square] for square in grid.squares() if grid[square] != "."]
    assert grid.side == side
    assert len(set(letters)) == rooms
    assert letters.count(grid.central) == 9
    assert len(letters) < side * side / 2, "most squares are passages"


def test_lumens_material_board_depends_on_the_number_of_players() -> None:
    assert [Game(players, 1).state.side for players in (2, 3, 4)] == [11, 15, 15]


def test_lumens_material_tokens() -> None:
    game = Game(4, seed=1)
    for seat in game.position["seats"]:
        assert seat["left"] == {"1/6": 8, "2/5": 8, "3/4": 8}


def test_lumens_material_tokens_can_be_fewer() -> None:
    game = Game(2, seed=1, tokens=[1, 2, 0])
    assert game.position["seats"][1]["left"] == {"1/6": 1, "2/5": 2, "3/4": 0}


@pytest.mark.parametrize("tokens", [[0, 0, 0], [9, 8, 8], [8, 8], [-1, 8, 8], 24, [8, 8, True]])
def test_lumens_material_tokens_refuses_what_cannot_be_filled_in_a_bag(tokens: object) -> None:
    with pytest.raises(Refusal):
        Game(2, seed=1, tokens=tokens)


@pytest.mark.parametrize(
    ("players", "starts"),
    [
        (2, ["a1", "k11"]),
        (3, ["a1", "o1", "h15"]),
        (4, ["a1", "o1", "o15", "a15"]),
    ],
)
def test_lumens_setup_start(players: int, starts: list[str]) -> None:
    state = Game(players, seed=1).state
    assert [state.start[seat] for seat in range(players)] == [square_number(s) for s in starts]


def test_lumens_setup_start_leaves_unused_corners_plain_passages() -> None:
    game = scene({"j11": ["yellow 1"]}, hands=["3/4", "3/4"], seat=0)
    assert "a11" not in squares(game)
    game = scene({"b11": ["yellow 1"]}, hands=["3/4", "3/4"], seat=0)
    assert "a11" in squares(game)


def test_lumens_setup_first() -> None:
    firsts = {Game(4, seed=seed).position["first"] for seed in range(40)}
    assert firsts == {0, 1, 2, 3}
    game = Game(4, seed=5)
    assert game.opening[0].name == "first", "drawn before the start tokens"
    assert game.opening[0].values["seat"] == game.seat == game.position["first"]


def test_lumens_setup_first_may_be_agreed() -> None:
    assert {Game(3, seed=seed, first=2).seat for seed in range(8)} == {2}
    for wrong in (3, -1, True, "2"):
        with pytest.raises(Refusal):
            Game(3, seed=1, first=wrong)


def test_lumens_setup_token() -> None:
    game = Game(3, seed=4, first=1)
    assert [event.values["seat"] for event in game.opening] == [1, 1, 2, 0]
    assert [event.audience for event in game.opening[1:]] == [1 << 1, 1 << 2, 1 << 0]
    for seat, start in ((1, "o1"), (2, "h15"), (0, "a1")):
        assert (game.seat, game.phase) == (seat, "start")
        low = game.state.hand[seat]
        assert [action.text for action in game.legal] == [f"{start} {low}", f"{start} {7 - low}"]
        assert game.view((seat + 1) % 3)["seats"][seat]["hand"] is None, "hidden until placed"
        game.play(f"{start} {7 - low}")
        assert game.position["seats"][seat]["left"][f"{low}/{7 - low}"] == 7
    assert game.phase == "turn"
    assert game.seat == 1


def test_lumens_setup_token_is_placed_on_the_start_marker_only() -> None:
    game = Game(2, seed=1, first=0)
    for square in ("a2", "k11", "o15"):
        with pytest.raises(Refusal, match=r"lumens\.setup\.token"):
            game.play(f"{square} {game.state.hand[0]}")


def test_lumens_setup_hand() -> None:
    game = Game(2, seed=3, first=1)
    game.play(game.legal[0])
    assert game.state.hand[1] == 0, "not before all have placed"
    told = game.play(game.legal[0])
    assert [(event.name, event.values["seat"]) for event in told[1:]] == [("draw", 1), ("draw", 0)]
    assert [sum(seat["left"].values()) for seat in game.position["seats"]] == [23, 23]
    assert all(seat["hand"] for seat in game.position["seats"])


def test_a_bag_of_one_token_is_played_at_the_start() -> None:
    game = Game(2, seed=3, tokens=[1, 0, 0])
    game.play(game.legal[0])
    told = game.play(game.legal[0])
    assert game.over
    assert [event.name for event in told] == ["place"]
    SPEC.position.check(game.state)


def colours(game: Game) -> list[str]:
    return [seat["colour"] for seat in game.position["seats"]]


def starting_squares(game: Game) -> list[int]:
    return [game.state.start[seat] for seat in range(game.players)]


def test_lumens_material_tokens_colours_may_be_chosen() -> None:
    game = Game(2, seed=1, colours=["purple", "red"], first=0)
    assert colours(game) == ["purple", "red"]
    game.play(game.legal[0])
    assert [laid[0].split()[0] for laid in game.position["squares"].values()] == ["purple"]
    assert Game.from_position(game.position).states.tobytes() == game.states.tobytes()
    assert Game.from_position(game.view(1)).view(1) == game.view(1)


def test_lumens_material_tokens_colours_may_be_drawn() -> None:
    found = {tuple(colours(Game(2, seed, colours="draw"))) for seed in range(200)}
    assert len(found) == 12, "any two of four, in any order"
    assert colours(Game(4, 1)) == ["yellow", "green", "red", "purple"]


def test_lumens_material_tokens_what_is_covered_is_told_in_its_colour() -> None:
    game = scene(
        {"b2": ["red 1"], "b1": ["purple 1"]},
        hands=["3/4", "3/4"],
        colours=["purple", "red"],
    )
    (event,) = [event for event in game.play("b2 3") if event.name == "place"]
    assert SPEC.relate(event)["covered"] == "red 1"
    assert game.log()[-1].count("red") == 1
    assert game.position["squares"]["b2"] == ["red 1", "purple 3"]


def test_lumens_setup_start_places_may_be_chosen() -> None:
    game = Game(3, seed=1, starts=[3, 1, 2])
    assert starting_squares(game) == [square_number(name) for name in ("h15", "a1", "o1")]
    for seat in (None, 2):
        assert Game.from_position(game.view(seat)).view(seat) == game.view(seat)
    assert Game.from_position(game.position).states.tobytes() == game.states.tobytes()


def test_lumens_setup_start_places_may_be_drawn() -> None:
    found = {tuple(starting_squares(Game(3, seed, starts="draw"))) for seed in range(100)}
    assert len(found) == 6
    assert all(set(squares) == set(starting_squares(Game(3, 1))) for squares in found)


@pytest.mark.parametrize(
    "options",
    [
        {"colours": ["red"]},
        {"colours": ["red", "red"]},
        {"colours": ["red", "blue"]},
        {"colours": ["red", "green", "yellow"]},
        {"colours": [["red"], "green"]},
        {"colours": "random"},
        {"starts": [1]},
        {"starts": [1, 1]},
        {"starts": [0, 1]},
        {"starts": [True, 2]},
        {"starts": [1.0, 2]},
        {"starts": None},
    ],
)
def test_lumens_setup_start_and_colours_are_different_for_each(options: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        Game(2, seed=1, **options)
    assert refused.value.code == "option"


def test_lumens_setup_start_two_markers_on_one_square_are_refused() -> None:
    position = Game(2, seed=1).position
    position["seats"][0]["start"] = "k11"
    with pytest.raises(Refusal) as refused:
        Game.from_position(position)
    assert refused.value.clause == "lumens.setup.start"


def test_words_that_are_cached_by_their_key_name_the_right_colour() -> None:
    words = Words("en")
    said: dict[Any, str] = {}
    for colours in (list(COLOURS), list(reversed(COLOURS))):
        game = Game(4, seed=1, colours=colours)
        chance = Random(1)
        while not game.over:
            s = SPEC.twin(game.seen_by(game.seat))
            numbers = game.legal_numbers()
            for key in zip(numbers, SPEC.notation.wording_keys(s, numbers), strict=True):
                told = SPEC.text.say(words, s, key[0], game.names)
                assert said.setdefault(key, told) == told
            game.play(chance.choice(game.legal))
