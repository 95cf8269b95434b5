"""Boards are text, checked when they are read."""

from __future__ import annotations

import pytest

from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.refusal import Refusal
from veillee.games.lumens import Game
from veillee.games.lumens.board import printed, read_grid

GOOD = """# mine
.....

.aab.
..kb.
..kk.
.....
"""


def test_lumens_material_board_can_be_drawn() -> None:
    grid = read_grid(GOOD, 4)
    assert (grid.side, grid.central) == (5, "k")
    game = Game(2, seed=1, board=GOOD)
    assert game.state.side == 5
    assert game.position["options"] == {"board": ".....\n.aab.\n..kb.\n..kk.\n.....\n"}
    again = Game.from_position(game.position)
    assert again.states.tobytes() == game.states.tobytes()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lumens_material_board_printed_ones_are_good(players: int) -> None:
    assert printed(players).central == "k"
    assert "board" not in Game(players, seed=1).position["options"]


@pytest.mark.parametrize(
    ("text", "what", "line", "column"),
    [
        ("...\n.A.\n...", "letter", 2, 2),
        ("# remark\n\n...\n.é.\n...", "letter", 4, 2),
        ("...\n. .\n...", "letter", 2, 2),
        ("", "small", 1, 1),
        ("# nothing", "small", 1, 1),
        (".", "small", 1, 1),
        ("....\n....\n....\n....", "even", 4, 1),
        ("\n".join(["." * 17] * 17), "large", 16, 1),
        (".....\n.....\n..a..\n......\n.....", "square", 4, 6),
        (".....\n.....\n..a..\n...\n.....", "square", 4, 4),
        ("a..\n.k.\n...", "start", 1, 1),
        ("...\n.k.\n..k", "start", 3, 3),
        ("...\n...\n...", "central", 2, 2),
        (".....\n.a...\n..k..\n.a...\n.....", "pieces", 4, 2),
        (".....\n.ab..\n.bk..\n.....\n.....", "pieces", 3, 2),
    ],
)
def test_lumens_material_board_refuses_with_line_and_column(
    text: str, what: str, line: int, column: int
) -> None:
    with pytest.raises(Refusal) as refused:
        Game(2, seed=1, board=text)
    refusal = refused.value
    assert (refusal.clause, refusal.text) == ("lumens.material.board", f"lumens.board.{what}")
    assert (refusal.facts["line"], refusal.facts["column"]) == (line, column)
    for language in LANGUAGES:
        said = refusal.message(Words(language))
        assert f" {line}, " in said
        assert f" {column}" in said


def test_lumens_setup_start_squares_must_be_passages_where_they_are_used() -> None:
    text = "..c\n.k.\na.."
    assert Game(2, seed=1, board=text)
    for players, at in ((3, (1, 3)), (4, (1, 3))):
        with pytest.raises(Refusal) as refused:
            Game(players, seed=1, board=text)
        assert (refused.value.facts["line"], refused.value.facts["column"]) == at
    with pytest.raises(Refusal) as refused:
        Game(3, seed=1, board="...\n.k.\n.k.")
    assert (refused.value.facts["line"], refused.value.facts["column"]) == (3, 2)


def test_a_board_is_text() -> None:
    with pytest.raises(Refusal):
        Game(2, seed=1, board=["...", ".k.", "..."])
    for side in (3, 5, 7, 9, 11, 13, 15):
        middle = side // 2
        rows = ["." * side for _ in range(side)]
        rows[middle] = "." * middle + "z" + "." * middle
        game = Game(4, seed=1, board="\r\n".join(rows), tokens=[2, 2, 2])
        while not game.over:
            game.play(game.legal[-1])
        game.spec.position.check(game.state)
