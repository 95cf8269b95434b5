"""The referee, spoken to as a program would."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from tests.engine.fuzz import run
from tests.engine.fuzz_positions import run_positions
from veillee import Marathon
from veillee.engine.referee import LONGEST_LINE, Referee, serve
from veillee.engine.registry import games


def ask(referee: Referee, **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(referee.answer(json.dumps(request)))
    return answer


@pytest.fixture
def referee() -> Referee:
    referee = Referee()
    ask(referee, do="new", game="nomads", players=3, seed="ab" * 32, options={"quick": True})
    return referee


def test_it_lists_the_games() -> None:
    games = ask(Referee(), do="games")["games"]
    assert {"nomads"} <= {game["game"] for game in games}
    assert next(game for game in games if game["game"] == "nomads")["players"] == [2, 3, 4, 5]


def test_a_whole_game(referee: Referee) -> None:
    answer = ask(referee, do="result")
    while not answer["over"]:
        actions = ask(referee, do="legal")["actions"]
        answer = ask(referee, do="act", text=actions[0]["text"])
        assert answer["ok"]
        assert answer["events"]
    result = ask(referee, do="result")
    assert result["winners"]
    assert [sum(row["points"] for row in sheet) for sheet in result["tally"]] == result["scores"]
    record = ask(referee, do="record")["record"]
    verified = ask(referee, do="verify", record=record)
    assert verified["verified"]
    assert verified["scores"] == result["scores"]
    assert ask(referee, do="act", n=0)["code"] == "over"


def test_an_action_goes_by_number_or_by_notation(referee: Referee) -> None:
    first = ask(referee, do="legal")["actions"][0]
    by_number = ask(referee, do="act", n=first["n"])
    ask(referee, do="undo")
    by_text = ask(referee, do="act", text=first["text"])
    assert by_number["ok"]
    assert by_number["events"] == by_text["events"]


def test_an_illegal_action_is_refused_with_its_clause(referee: Referee) -> None:
    before = ask(referee, do="position")
    refused = ask(referee, do="act", text="write whale IV")
    assert not refused["ok"]
    assert refused["code"] == "illegal"
    assert refused["clause"].startswith("nomads.")
    assert refused["message"].startswith(refused["clause"])
    assert ask(referee, do="position") == before


def test_a_position_goes_out_and_in(referee: Referee) -> None:
    position = ask(referee, do="position")["position"]
    assert ask(referee, do="load", position=position)["ok"]
    assert ask(referee, do="position")["position"] == position
    position["lys"] = [1, 2]
    refused = ask(referee, do="load", position=position)
    assert (refused["code"], refused["clause"]) == ("impossible", "nomads.material.lys")


def test_a_view_shows_no_buried_tile(referee: Referee) -> None:
    view = ask(referee, do="view", seat=1)["view"]
    assert all(tile is None for space in view["spaces"] for tile in space["tiles"][:-1])
    assert all(space["tiles"][-1] for space in view["spaces"])


def test_the_seed_is_told_only_after_the_end(referee: Referee) -> None:
    record = ask(referee, do="record")["record"]
    assert record["seed"] is None
    assert record["commitment"]


def test_what_can_be_done_is_said(referee: Referee) -> None:
    assert "legal" in ask(referee, do="fly")["message"]
    assert "nomads" in ask(referee, do="new", game="chess")["message"]
    assert ask(referee, do="new", game="nomads", players=9)["clause"] == "nomads.players"
    assert ask(Referee(), do="legal")["clause"] == "veillee.referee.none"


def test_it_speaks_three_languages(referee: Referee) -> None:
    said = set()
    for language in ("en", "fr", "es"):
        ask(referee, do="language", language=language)
        said.add(ask(referee, do="act", text="write whale IV")["message"])
    assert len(said) == 3


def test_the_id_of_a_request_comes_back(referee: Referee) -> None:
    assert ask(referee, do="result", id="x7")["id"] == "x7"
    assert ask(referee, do="nonsense", id=3)["id"] == 3


def test_thousands_of_bent_lines_are_answered() -> None:
    counts = run(4000, seed=1)
    assert counts["ok"] > 400
    assert set(counts) <= {"ok", "illegal", "unreadable", "impossible", "unknown", "over", "option"}


def test_a_line_too_long_is_refused_and_the_next_one_answered() -> None:
    source = io.BytesIO(b"[" * (3 * LONGEST_LINE) + b'\n\n{"do": "games"}\n')
    sink = io.BytesIO()
    serve(source, sink)
    first, second = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert not first["ok"]
    assert second["ok"]


def test_as_a_program() -> None:
    lines = '{"do": "new", "game": "nomads", "players": 2, "seed": 1}\nnoise\n{"do": "legal"}'
    done = subprocess.run(
        [sys.executable, "-m", "veillee", "referee", "--language", "fr"],
        input=lines.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, True]
    assert answers[2]["actions"][0]["text"] == "adventurer ulrich"


@pytest.mark.parametrize(
    "name", ["self", "players", "seed", "names", "compiled", "variant", "rules"]
)
def test_a_record_with_options_named_like_arguments_is_refused(name: str) -> None:
    for game in ("lumens", "lumarathon"):
        referee = Referee(series={"lumarathon": Marathon})
        ask(referee, do="new", game=game, players=3)
        record = ask(referee, do="record", reveal=True)["record"] | {"options": {name: True}}
        answer = ask(referee, do="verify", record=record)
        assert (answer["ok"], answer["code"]) == (False, "option")


def test_every_position_that_is_accepted_can_be_played_to_the_end() -> None:
    """`python -m tests.engine.fuzz --positions 1000000` loads a million of them."""
    counts = run_positions(3000, seed=3)
    assert sum(counts.values()) == 3000
    assert len(counts) == 2 * len(games()), "of every game some are refused and some are played"
