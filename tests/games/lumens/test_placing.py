"""A turn: where a token may be placed, and drawing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.lumens.scene import SMALL_BOARD, lies, pips, scene, squares
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed
from veillee.games.lumens import Game

SMALL = {"board": SMALL_BOARD}


def refused(game: Game, action: str) -> str:
    """The clause that forbids an action; nothing changes."""
    before = game.states.tobytes()
    with pytest.raises(Refusal) as refusal:
        game.play(action)
    assert game.states.tobytes() == before
    assert refusal.value.code == "illegal"
    return refusal.value.clause


def test_lumens_turn_order() -> None:
    game = Game(4, seed=2, first=2)
    for _ in range(4):
        game.play(game.legal[0])
    seats = []
    for _ in range(8):
        seats.append(game.seat)
        game.play(game.legal[0])
    assert seats == [2, 3, 0, 1, 2, 3, 0, 1]
    assert all(action.text != "pass" for action in game.legal)


def test_lumens_place_origin() -> None:
    game = scene({"f6": ["yellow 2"], "f9": ["green 1"]})
    assert squares(game) == {"a1", "b1", "a2", "f4", "f8", "d6", "h6"}


def test_lumens_place_origin_is_on_top() -> None:
    game = scene({"f6": ["yellow 2", "green 1"]})
    assert squares(game) == {"a1", "b1", "a2"}
    assert refused(game, "f8 3") == "lumens.place.origin"
    own = scene({"f6": ["yellow 2", "yellow 3"]})
    assert squares(own) == {"a1", "b1", "a2", "f3", "f9", "c6", "i6"}


@pytest.mark.parametrize("face", range(1, 7))
def test_lumens_place_line(face: int) -> None:
    """Exactly so many squares, up, down, left and right, never off the board."""
    column, row = "abcdefghijk", range(1, 12)
    for x, y in ((5, 5), (1, 1), (9, 2), (2, 9), (10, 3), (3, 10)):
        game = scene({"a1": ["yellow 6"], f"{column[x]}{row[y]}": [f"yellow {face}"]})
        reached = {
            f"{column[x + right]}{row[y + down]}"
            for right, down in ((face, 0), (-face, 0), (0, face), (0, -face))
            if 0 <= x + right < 11 and 0 <= y + down < 11
        }
        assert squares(game) == reached | {"a1", "g1", "a7"}


def test_lumens_place_line_ends_at_the_edge() -> None:
    """A row does not go on in the next one, nor at the other end."""
    game = scene({"k3": ["yellow 2"], "a1": ["yellow 6"]})
    assert squares(game) == {"a1", "g1", "a7", "i3", "k1", "k5"}
    assert refused(game, "b4 3") == "lumens.place.line"
    assert refused(game, "m3 3") == "lumens.place.line"
    assert refused(game, "c12 3") == "lumens.place.line"


def test_lumens_place_line_lists_a_square_once() -> None:
    game = scene({"f6": ["yellow 2"], "j6": ["yellow 2"], "h3": ["yellow 3"]})
    texts = [action.text for action in game.legal]
    assert texts.count("h6 3") == texts.count("h6 4") == 1
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("way", ["h6", "d6", "f8", "f4"])
@pytest.mark.parametrize("whose", ["yellow 6", "green 2"])
def test_lumens_place_blocked(way: str, whose: str) -> None:
    free = {"j6": "g6 h6 i6", "b6": "e6 d6 c6", "f10": "f7 f8 f9", "f2": "f5 f4 f3"}
    game = scene({"f6": ["yellow 4"], way: [whose], "a1": ["yellow 6"]})
    for target, between in free.items():
        assert (target in squares(game)) == (way not in between)
        if way in between:
            assert refused(game, f"{target} 3") == "lumens.place.blocked"


def test_lumens_place_blocked_is_strictly_between() -> None:
    game = scene({"f6": ["yellow 3"], "i6": ["green 1"], "j6": ["green 1"], "e6": ["green 1"]})
    assert "i6" in squares(game), "a token on the square reached does not block"
    assert "c6" not in squares(game), "the neighbouring square is already between"


def test_lumens_place_cover() -> None:
    game = scene({"e5": ["yellow 1"], "f5": ["green 5"]}, hands=["1/6", "3/4"])
    assert pips(game, "k", 1) == 5
    event = game.play("f5 6")[0]
    assert event.values["covered"] == 6 + 5
    assert lies(game, "f5") == ["green 5", "yellow 6"]
    assert (pips(game, "k", 0), pips(game, "k", 1)) == (7, 0)
    assert squares(game) == {"k11", "j11", "k10"}, "green counts from f5 no more"


def test_lumens_place_cover_own() -> None:
    game = scene({"e5": ["yellow 1"], "f5": ["yellow 5"]}, hands=["1/6", "3/4"])
    game.play("f5 1")
    assert lies(game, "f5") == ["yellow 5", "yellow 1"]
    assert pips(game, "k", 0) == 2
    game.play(game.legal[0])
    assert {"f4", "f6", "g5", "e5"} <= squares(game)
    assert "f10" not in squares(game)


def test_lumens_place_two() -> None:
    game = scene(
        {"e5": ["yellow 1"], "f5": ["green 5", "green 1"], "e4": ["yellow 3", "red 1"]}
        | {"o1": ["green 1"], "h15": ["red 1"]},
        hands=["3/4"] * 3,
    )
    assert squares(game) & {"f5", "e4", "d5", "e6"} == {"d5", "e6"}
    assert refused(game, "f5 3") == "lumens.place.two"
    assert refused(game, "e4 3") == "lumens.place.two"


def test_lumens_place_marker() -> None:
    game = scene({"k9": ["yellow 2"], "h11": ["yellow 3"]})
    assert "k11" not in squares(game)
    assert refused(game, "k11 3") == "lumens.place.marker"


def test_lumens_place_marker_of_one_who_is_out() -> None:
    options = {"board": SMALL_BOARD, "tokens": [8, 8, 8]}
    game = scene(
        {"a1": ["yellow 1"], "c3": ["green 6", "green 5"], "b3": ["yellow 1"]},
        out=[1],
        options=options,
    )
    assert "c3" not in squares(game)


def test_lumens_place_home() -> None:
    game = scene({"a1": ["yellow 6"]}, hands=["1/6", "3/4"])
    assert squares(game) == {"a1", "g1", "a7"}
    game.play("a1 1")
    assert lies(game, "a1") == ["yellow 6", "yellow 1"]
    game.play(game.legal[0])
    assert squares(game) == {"b1", "a2"}
    assert refused(game, f"a1 {game.state.hand[0]}") == "lumens.place.home"


def test_lumens_place_home_by_counting() -> None:
    """Counting onto it is the same action, listed once, and uses up the right."""
    game = scene({"a1": ["yellow 6"], "c1": ["yellow 2"]})
    assert [action.text for action in game.legal].count("a1 3") == 1
    game.play("a1 3")
    game.play(game.legal[0])
    assert "a1" not in squares(game)


def test_lumens_place_face() -> None:
    for hand, faces in (("1/6", {"1", "6"}), ("2/5", {"2", "5"}), ("3/4", {"3", "4"})):
        game = scene({}, hands=[hand, "3/4"])
        for square in ("a1", "b1", "a2"):
            found = {a.text.split()[1] for a in game.legal if a.text.split()[0] == square}
            assert found == faces
    assert refused(game, "b1 1") == "lumens.place.face"
    game.play("b1 4")
    assert lies(game, "b1") == ["yellow 4"]
    assert game.position["seats"][0]["left"]["3/4"] == 7


def test_lumens_place_forced() -> None:
    game = scene({"a1": ["yellow 6"]}, options=SMALL)
    assert {action.text for action in game.legal} == {"a1 3", "a1 4"}


def test_lumens_place_out() -> None:
    game = scene({"a1": ["yellow 6", "yellow 5"], "c3": ["green 6"]}, options=SMALL, seat=1)
    told = game.play("c3 3")
    assert [event.name for event in told] == ["place", "draw", "out", "out"]
    assert [event.values["seat"] for event in told[2:]] == [0, 1], "each on their own turn"
    assert game.over
    assert game.position["seats"][0]["hand"] == "3/4", "kept to the end"
    assert game.view(1)["seats"][0]["hand"] is None, "and hidden"
    assert game.state.out == 0b11


def test_lumens_place_out_the_others_go_on() -> None:
    game = scene(
        {"a1": ["yellow 5", "yellow 6"], "c1": ["green 1"], "b3": ["red 1"], "b2": ["yellow 6"]},
        hands=["3/4", "3/4", "3/4"],
        seat=2,
        options=SMALL,
    )
    told = game.play("b2 4")
    assert [e.values["seat"] for e in told if e.name == "out"] == [0]
    assert game.seat == 1, "yellow is passed over"
    assert lies(game, "b2") == ["yellow 6", "red 4"], "their tokens can be covered"
    game.play("c2 3")
    assert game.seat == 2
    assert not [e for e in game.play(game.legal[0]) if e.name == "out" and e.values["seat"] == 0]
    assert game.state.out & 1, "for good"


def test_lumens_place_out_still_scores_blocks_and_wins() -> None:
    game = scene(
        {"a1": ["yellow 6", "yellow 5"], "b2": ["yellow 6"], "c3": ["green 2"]},
        out=[0],
        seat=1,
        options=SMALL,
    )
    assert squares(game) == {"c3", "c1", "a3"}
    game.play("a3 3")
    assert game.seat == 1
    game.play(game.legal[0])
    assert game.scores == [4, 0]
    assert game.places[0] == 1


def test_lumens_turn_draw() -> None:
    game = scene({}, hands=["3/4", "3/4"])
    told = game.play("b1 3")
    assert [event.name for event in told] == ["place", "draw"]
    assert told[1].values == {"seat": 0, "token": game.state.hand[0]}
    assert told[1].audience == 0b01
    assert sum(game.position["seats"][0]["left"].values()) == 22


def test_lumens_turn_draw_from_an_empty_bag() -> None:
    """The last token is played; then there is nothing to draw."""
    options = {"board": SMALL_BOARD, "tokens": [1, 0, 1]}
    game = scene({}, hands=["3/4", "3/4"], options=options)
    told = game.play("b1 3")
    assert [event.name for event in told] == ["place"]
    assert game.position["seats"][0]["hand"] is None
    assert game.seat == 1
    game.play("b3 3")
    assert game.over


def test_lumens_turn_draw_takes_each_token_as_often_as_it_lies_in_the_bag() -> None:
    """Bag: five of 1/6, two of 2/5, seven of 3/4 (and one of these in hand)."""
    laid = {"a1": ["yellow 1"], "c3": ["yellow 6"], "c4": ["yellow 6"], "e5": ["yellow 1"]}
    laid |= {f"{c}9": ["yellow 2"] for c in "abcdef"}
    game = scene(laid, hands=["3/4", "3/4"])
    drawn = {1: 0, 2: 0, 3: 0}
    for seed in range(600):
        copy = game.copy()
        copy.seed = Seed.of(seed)
        copy.play("b1 3")
        drawn[copy.state.hand[0]] += 1
    left = [4, 2, 7]
    assert [game.state.left[0, kind] for kind in range(3)] == [4, 2, 8]
    expected = [600 * n / 13 for n in left]
    assert sum((drawn[k + 1] - e) ** 2 / e for k, e in enumerate(expected)) < 9.21


def test_a_hand_that_is_not_known_may_play_any_token_that_is_left() -> None:
    """So a spectator is shown all that may come."""
    options = {"tokens": [1, 2, 2]}
    game = scene({}, hands=[None, None], options=options)
    seen = game.spec.twin(game.seen_by())
    out: Any = [0] * game.spec.actions
    n = game.spec.plain.legal(seen, out)
    listed = [game.spec.notation.text(action) for action in out[:n]]
    assert {text for text in listed if text.startswith("b1")} == {
        "b1 2",
        "b1 5",
        "b1 3",
        "b1 4",
    }
