"""Variants: read from files with exact messages, played everywhere, named in records."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import veillee
from veillee.adapters.pettingzoo import nomads_v1
from veillee.cli.main import app
from veillee.engine.referee import Referee
from veillee.engine.refusal import Refusal
from veillee.engine.variant import Variant, read_variant, variant_in, variant_of, variant_text

TOML = """\
game = "nomads"
name = "Short songs"

[values]
wilds = 1
quick = true

[values.songs]
points = [9, 9, 9, 9]
"""


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def played(game: Any) -> Any:
    while not game.over:
        game.play(game.legal[0])
    return game


def test_a_table_given_in_part_keeps_the_printed_rest(tmp_path: Path) -> None:
    variant = read_variant(written(tmp_path, TOML))
    assert variant.values["songs"] == {"cost": [4, 5, 6, 7], "points": [9, 9, 9, 9]}
    assert variant.values["wilds"] == 1


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    variant = read_variant(written(tmp_path, TOML))
    data = {"game": variant.game, "name": "Another name", "values": dict(variant.values)}
    other = read_variant(written(tmp_path, json.dumps(data), "mine.json"))
    assert other.hash == variant.hash
    assert variant_of(data | {"values": {"wilds": 1}}).hash != variant.hash


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (("wilds = 1", "wilds = 7"), "line 5: wilds: 7"),
        (("wilds = 1", "wilds = "), "line 5: A variant is written in TOML"),
        (("wilds = 1", "wings = 1"), "line 5: "),
        (("[9, 9, 9, 9]", "[9, 9]"), "line 9: songs: "),
        (('name = "Short songs"', 'name = ""'), "line 2: Give the variant a name"),
        (('name = "Short songs"', 'name = "a\\nb"'), "line 2: Give the variant a name"),
        (
            ('name = "Short songs"', 'nome = "x"'),
            "line 2: A variant has no “nome”. It may have: game",
        ),
        (('"nomads"', '"chess"'), "line 1: "),
        (('game = "nomads"', '# Mine\n\ngame = "chess"'), "line 3: "),
        (("points = [9, 9, 9, 9]", "points = [9,"), "line 9: A variant is written in TOML"),
        (("wilds = 1", "wilds = 1\nmoons = 0\nstory = [0,0,0,0,0,0,0]"), "line 4: "),
    ],
)
def test_errors_name_the_line_and_what_is_possible(
    tmp_path: Path, change: tuple[str, str], answer: str
) -> None:
    path = written(tmp_path, TOML.replace(*change))
    with pytest.raises(Refusal, match=re.escape(answer)) as refused:
        read_variant(path)
    assert str(path) in str(refused.value)


EXAMPLES = {
    "an option called as the table around it": (
        'game = "captain"\nname = "x"\n[values]\ncoins = 30\n\n[values.values]\negg = 99\n',
        7,
    ),
    "an entry after others": (
        'game = "captain"\nname = "x"\n[values.values]\negg = 3\npurse = 2\nhook = 99\n',
        6,
    ),
    "a dotted key": (
        (
            'game = "nomads"\nname = "x"\n[values]\nwilds = 1\nsongs.cost = [4, 5, 6, 7]\n'
            "songs.points = [9]\n"
        ),
        6,
    ),
    "a dotted key at the top": ('game = "nomads"\nname = "x"\nvalues.wilds = 7\n', 3),
    "quoted keys": ('game = "nomads"\nname = "x"\n["values"]\n"wilds" = 7\n', 4),
    "an inline table": (
        'game = "nomads"\nname = "x"\n[values]\nmoons = 9\nsongs = { points = [9] }\n',
        5,
    ),
    "inline tables only": ('game = "nomads"\nname = "x"\nvalues = { wilds = 7 }\n', 3),
    "values that look like keys": (
        (
            '# [values.songs]\ngame = "nomads"\nname = "wilds = [{#"\n[values]\n'
            "story = [\n 6, 6, 6, # ]\n 6, 6, 6,\n 6\n]\nwilds = 7\n"
        ),
        10,
    ),
    "strings over several lines": (
        'game = "lumens"\nname = "x"\n[values]\nboard = """\n[x]\n"quoted""""\nper_square = 9\n',
        7,
    ),
    "a board": (
        'game = "lumens"\nname = "x"\n[values]\nper_square = 2\nboard = """\n.a.\n"""\n',
        5,
    ),
    "JSON on several lines": (
        (
            '{\n "game": "nomads",\n "name": "game: [",\n "values": {\n  "wilds": 1,\n'
            '  "songs": {\n   "cost":\n    [4, 5, 6, 7],\n   "points": [9]\n  }\n }\n}\n'
        ),
        9,
    ),
    "JSON with an unknown game": ('{\n "name": "x",\n "game": "chess"\n}\n', 3),
    "JSON with an unknown option": (
        '{"game": "nomads", "name": "x",\n "values": {"wilds": 1,\n "wings": [{}]}}',
        3,
    ),
}


@pytest.mark.parametrize(("text", "line"), EXAMPLES.values(), ids=EXAMPLES)
def test_the_line_of_an_error_in_every_form(tmp_path: Path, text: str, line: int) -> None:
    path = written(tmp_path, text, "mine.json" if text.startswith("{") else "mine.toml")
    with pytest.raises(Refusal, match=f"line {line}: "):
        read_variant(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="Check its name"):
        read_variant(tmp_path / "nothing.toml")


def test_a_record_names_its_variant_and_replays(tmp_path: Path) -> None:
    variant = read_variant(written(tmp_path, TOML))
    game = played(veillee.nomads.Game(3, 7, variant=variant))
    record = json.loads(json.dumps(game.record()))
    assert record["variant"] == {
        "name": "Short songs",
        "hash": variant.hash,
        "sets": ["quick", "songs", "wilds"],
    }
    again = veillee.nomads.Game.replay(record)
    assert again.states.tobytes() == game.states.tobytes()
    assert again.variant == variant
    assert again.record() == record


def test_a_record_of_the_printed_game_says_nothing_of_variants() -> None:
    assert "variant" not in veillee.nomads.Game(3, 7).record()


@pytest.mark.parametrize(
    "change",
    [
        {"variant": None},
        {"variant": {"name": "x", "hash": "0" * 16, "sets": ["wilds"]}},
        {"options": {"wilds": 0}},
    ],
)
def test_a_label_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    variant = Variant("nomads", "One wild", {"wilds": 1})
    record = veillee.nomads.Game(3, 7, variant=variant).record(reveal=True)
    with pytest.raises(Refusal, match="doesn’t match its options"):
        veillee.nomads.Game.replay(record | change)


def test_what_the_variant_sets_can_not_be_set_twice() -> None:
    variant = Variant("nomads", "One wild", {"wilds": 1})
    with pytest.raises(Refusal, match="already sets wilds"):
        veillee.nomads.Game(3, 7, variant=variant, wilds=0)
    with pytest.raises(Refusal, match="a variant of nomads, not of lumens"):
        veillee.lumens.Game(3, 7, variant=variant)


def test_a_link_carries_a_variant(tmp_path: Path) -> None:
    variant = read_variant(written(tmp_path, TOML))
    text = variant_text(variant)
    assert re.fullmatch(r"[\w-]{1,400}", text, re.ASCII)
    assert variant_in(text) == variant


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "!",
        "abc",
        "A" * 5000,
        packed(b"null"),
        packed(b'["nomads", "x"]'),
        packed(b'["nomads", "x", {"wilds": 9}]'),
        packed(b'["chess", "x", {}]'),
        packed(b"[" * 15_000),
        packed(b'["nomads", "x", {}' + b" " * 1_000_000 + b"]"),
        variant_text(Variant("nomads", "x", {"wilds": 1}))[:-4],
    ],
)
def test_a_link_that_is_wrong_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        variant_in(text)


def test_it_plays_at_the_terminal_with_the_referee_and_in_environments(tmp_path: Path) -> None:
    path = written(tmp_path, TOML)
    variant = read_variant(path)
    shown = CliRunner().invoke(
        app, ["play", "nomads", "--variant", str(path), "--people", "0", "--against", "random"]
    )
    assert shown.exit_code == 0, shown.output
    referee = Referee()
    new = {"do": "new", "game": "nomads", "variant": {"game": "nomads", "name": "x", "values": {}}}
    new["variant"]["values"] = dict(variant.values)  # type: ignore[index]
    assert json.loads(referee.answer(json.dumps(new)))["ok"]
    record = json.loads(referee.answer('{"do": "record"}'))["record"]
    assert record["variant"]["hash"] == variant.hash
    env = nomads_v1.env(players=3, variant=path)
    env.reset(seed=1)
    with pytest.raises(Refusal, match="already sets wilds"):
        nomads_v1.env(players=3, variant=path, wilds=0)
