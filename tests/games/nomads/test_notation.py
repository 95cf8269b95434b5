"""Nomads: actions in notation, there and back."""

from __future__ import annotations

import pytest

from tests.games.nomads.scene import refused, scene
from veillee.games.nomads import SPEC


def test_every_action_can_be_written_and_read() -> None:
    texts = [SPEC.notation.text(action) for action in range(SPEC.actions)]
    assert len(set(texts)) == SPEC.actions
    assert [SPEC.notation.parse(text) for text in texts] == list(range(SPEC.actions))


@pytest.mark.parametrize(
    "text",
    [
        "pass",
        "keep",
        "adventurer nostromo",
        "place frog 8",
        "place ulrich 1",
        "lys 5",
        "lift 3 2",
        "lift 8 19",
        "sow 3 left",
        "sow 8 right double 19",
        "sow 1 left skip 1",
        "write whale I",
        "write shell IV wilds 3",
        "sing II whale stag cedar comet storm",
        "sing I",
    ],
)
def test_what_it_looks_like(text: str) -> None:
    assert SPEC.notation.text(SPEC.notation.parse(text)) == text


def test_tiles_of_a_song_may_come_in_any_order_and_words_with_any_space() -> None:
    assert SPEC.notation.parse("sing I stag whale") == SPEC.notation.parse("  sing I  whale stag ")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dance",
        "pass on",
        "keep it",
        "adventurer",
        "adventurer frog",
        "adventurer nomad",
        "adventurer lys",
        "place nomad 1",
        "place red 0",
        "place red 9",
        "place red",
        "lys",
        "lys 9",
        "lys -1",
        "lys 1.0",
        "lys one",
        "lys ²",
        "lys ٣",
        "lift 1",
        "lift 1 0",
        "lift 1 20",
        "sow",
        "sow 3",
        "sow 3 up",
        "sow 0 left",
        "sow 9 left",
        "sow 3 left double",
        "sow 3 left double 0",
        "sow 3 left double 20",
        "sow 3 left skip 20",
        "sow 3 left hop 1",
        "sow 3 left double 1 skip 2",
        "Sow 3 left",
        "write",
        "write whale",
        "write whale V",
        "write whale 2",
        "write wild I",
        "write moon I",
        "write whale I wilds",
        "write whale I wilds 0",
        "write whale I wilds 4",
        "write whale I with 1",
        "sing",
        "sing V whale",
        "sing I wild",
        "sing I moon",
        "sing I whale whale",
        "lys " + "9" * 5000,
        "\x00",
        "sow 3 left" * 100,
    ],
)
def test_garbage_is_refused(text: str) -> None:
    game = scene()
    before = game.states.tobytes()
    with refused("nomads.notation", "unreadable"):
        game.play(text)
    assert game.states.tobytes() == before


@pytest.mark.parametrize("number", [-1, SPEC.actions, 10**9])
def test_a_number_that_is_no_action_is_refused(number: int) -> None:
    with refused("veillee.action", "unknown"):
        scene().play(number)


def test_an_action_as_data() -> None:
    def data(text: str) -> dict[str, object]:
        game = scene(holds={"ulrich": "whale whale wild stag cedar comet"})
        return SPEC.notation.describe(game.state, SPEC.notation.parse(text))

    assert data("pass") == {"do": "pass"}
    assert data("keep") == {"do": "keep"}
    assert data("adventurer siana") == {"do": "adventurer", "adventurer": "siana"}
    assert data("place frog 3") == {"do": "place", "disc": "frog", "space": 3}
    assert data("lys 8") == {"do": "lys", "space": 8}
    assert data("lift 2 3") == {"do": "lift", "space": 2, "height": 3}
    assert data("sow 3 left") == {"do": "sow", "space": 3, "direction": "left"}
    assert data("sow 3 right double 2") == {
        "do": "sow", "space": 3, "direction": "right", "double": 2,
    }  # fmt: skip
    assert data("sow 3 right skip 2") == {"do": "sow", "space": 3, "direction": "right", "skip": 2}
    assert data("write whale II wilds 1") == {
        "do": "write", "legend": "whale", "card": 2, "wilds": 1, "value": 3,
    }  # fmt: skip
    assert data("sing I whale stag cedar") == {
        "do": "sing", "song": 1, "tiles": ["whale", "stag", "cedar"], "wilds": 1, "value": 4,
    }  # fmt: skip
