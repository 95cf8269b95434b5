"""The HTTP API at a real server: open, join, act, undo, talk, follow, look back."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tests.web.guest import Guest
from tests.web.http.api.program import Program, make_token
from tests.web.served import Served
from veillee.engine.game import game_class
from veillee.engine.i18n import Words
from veillee.engine.registry import game as spec_named
from veillee.engine.registry import games
from veillee.engine.variant import Variant, variant_text


@pytest.fixture(scope="module")
def ada(served: Served) -> Program:
    return Program.of(served.address)


@pytest.fixture(scope="module")
def ben(served: Served) -> Program:
    return Program.of(served.address, name="Ben")


def pair(ada: Program, ben: Program, game: str = "nomads", bots: int = 0, **fields: Any) -> str:
    """A table of two, and bots, in play; its id."""
    table = ada.open(game, "me open" + " random" * bots, **fields)
    ben.post(f"/tables/{table['id']}/sit")
    ada.post(f"/tables/{table['id']}/start")
    return str(table["id"])


def awaited(table_id: str, *people: Program) -> tuple[Program, Any]:
    """Whose decision is awaited once the bots have taken theirs, and what they see."""
    for _ in range(200):
        for person in people:
            table = person.get(f"/tables/{table_id}")
            if table["yours"]:
                return person, table
        time.sleep(0.05)
    raise AssertionError("nobody's decision is awaited")


def test_a_table_plays_the_variant_of_a_link(ada: Program) -> None:
    mine = Variant("lumens", "Small house", {"tokens": [2, 0, 0]})
    table = ada.open("lumens", "me random", variant=variant_text(mine))
    assert table["options"] == mine.values
    assert table["view"]["options"] == mine.values
    other = {"game": "nomads", "seats": ["me", "random"], "variant": variant_text(mine)}
    assert ada.http.post("/tables", json=other).status_code == 422


def test_games_are_listed_for_everybody(served: Served) -> None:
    listed = Program(served.address, language="fr").get("/games")
    assert {game["game"] for game in listed} == set(games())
    captain = next(game for game in listed if game["game"] == "captain")
    assert captain["title"] == "Oh Capitaine\u202f!"
    assert captain["options"]
    assert all(option["help"] for option in captain["options"])


@pytest.mark.parametrize("game", sorted(games()))
def test_a_whole_game_is_played_and_its_record_replays(ada: Program, game: str) -> None:
    table = ada.open(game, "me random random")
    assert table["state"] == "playing"
    decided = -1  # a moment may be told again, when somebody comes or goes
    with ada.lines(f"/tables/{table['id']}/stream.ndjson") as messages:
        for message in messages:
            now = message["table"]
            if now["yours"] and now["moment"] > decided:
                decided = now["moment"]
                action = now["actions"][now["moment"] % len(now["actions"])]
                path = f"/tables/{table['id']}/play"
                ada.post(path, action=action["text"], moment=now["moment"])
    assert now["state"] == "over"
    assert min(now["result"]["places"]) == 1
    record = ada.get(f"/tables/{table['id']}/record")
    replayed = game_class(spec_named(game)).replay(record)
    assert replayed.scores == now["result"]["scores"]
    last = ada.get(f"/tables/{table['id']}/steps/{now['steps']}")
    assert last["view"] == now["view"]
    again = ada.post(f"/tables/{table['id']}/next")
    assert again["id"] != table["id"]
    assert again["state"] == "playing"


def test_an_action_is_for_one_moment(ada: Program, ben: Program) -> None:
    table_id = pair(ada, ben)
    person, table = awaited(table_id, ada, ben)
    action, moment = table["actions"][0]["text"], table["moment"]
    path = f"/tables/{table_id}/play"
    late = person.post(path, 409, action=action, moment=moment + 1)
    assert late["clause"] == "web.late"
    after = person.post(path, action=action, moment=moment)
    assert after["moment"] == moment + 1
    person.post(path, 409, action=action, moment=moment)


def test_a_request_sent_twice_is_carried_out_once(ada: Program, ben: Program) -> None:
    table_id = pair(ada, ben)
    person, table = awaited(table_id, ada, ben)
    act = {"action": table["actions"][0]["text"], "moment": table["moment"]}
    once = person.post(f"/tables/{table_id}/play", key="k1", **act)
    twice = person.post(f"/tables/{table_id}/play", key="k1", **act)
    assert once["version"] == twice["version"]
    plan = {"game": "lumens", "seats": ["me", "open"]}
    first, again, other = (p.post("/tables", 201, key="t", **plan)["id"] for p in (ada, ada, ben))
    assert first == again
    assert first != other


def test_a_refusal_names_its_clause_in_the_readers_language(
    served: Served, ada: Program, ben: Program
) -> None:
    table_id = pair(ada, ben, options={"adventurers": "deal"})
    person, table = awaited(table_id, ada, ben)
    answer = person.http.post(
        f"/tables/{table_id}/play",
        json={"action": "write whale IV", "moment": table["moment"]},
        headers={"accept-language": "fr"},
    )
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["clause"].startswith("nomads.")
    assert problem["code"] == "illegal"
    assert problem["status"] == 422
    assert problem["type"] == "about:blank"
    assert problem["detail"] == Words("fr")(problem["clause"])


def test_undo_and_talk(ada: Program, ben: Program) -> None:
    table_id = pair(ada, ben, "lumens")
    person, table = awaited(table_id, ada, ben)
    other = ben if person is ada else ada
    with other.lines(f"/tables/{table_id}/stream.ndjson") as messages:
        assert next(messages)["event"] == "table"
        person.post(
            f"/tables/{table_id}/play",
            action=table["actions"][0]["text"],
            moment=table["moment"],
        )
        played = next(messages)
        assert played["event"] == "played"
        assert played["events"]
        other.post(f"/tables/{table_id}/talk", phrase="nice")
        said = next(messages)
        assert said["event"] == "changed"
        assert said["table"]["talk"][0]["phrase"] == "nice"
        person.post(f"/tables/{table_id}/undo")
        asked = next(messages)["table"]
        if asked["undo_asked_by"] is not None:
            other.post(f"/tables/{table_id}/agree")
            asked = next(messages)["table"]
        assert asked["steps"] == 0
    person.post(f"/tables/{table_id}/talk", 400, phrase="something rude")


def test_events_tell_the_same_as_lines(ada: Program, ben: Program) -> None:
    table_id = pair(ada, ben)
    events = ada.http.get(f"/tables/{table_id}/stream?most=1")
    assert events.headers["content-type"].startswith("text/event-stream")
    fields = dict(line.split(": ", 1) for line in events.text.strip().splitlines())
    assert fields["event"] == "table"
    line = ada.http.get(f"/tables/{table_id}/stream.ndjson?most=1").text
    assert json.loads(fields["data"]) == json.loads(line)
    assert fields["id"] == str(json.loads(line)["table"]["version"])


def test_looking_back_shows_what_was_seen_then(ada: Program, ben: Program) -> None:
    table_id = pair(ada, ben, "captain", 1)
    seen = []
    for _ in range(6):
        person, table = awaited(table_id, ada, ben)
        seen.append((person, table))
        person.post(
            f"/tables/{table_id}/play",
            action=table["actions"][0]["text"],
            moment=table["moment"],
        )
    for person, table in seen:
        found = person.get(f"/tables/{table_id}/steps/{table['steps']}")
        assert found["view"] == table["view"]
    ada.get(f"/tables/{table_id}/steps/9999", 404)
    assert ada.get(f"/tables/{table_id}/record", 403)["clause"] == "web.verify.later"


def test_private_tables_are_for_their_players(served: Served, ada: Program, ben: Program) -> None:
    table_id = pair(ada, ben, watching=False)
    stranger = Program.of(served.address)
    assert stranger.get(f"/tables/{table_id}", 403)["clause"] == "web.watch.no"
    stranger.get(f"/tables/{table_id}/steps/0", 403)
    stranger.get(f"/tables/{table_id}/stream", 403)
    ben.get(f"/tables/{table_id}")


def test_a_program_and_a_person_play_at_one_table(served: Served, ada: Program) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me friend", listed="1")
    table_id = path.rpartition("/")[2]
    assert table_id in {table["id"] for table in ada.get("/tables/open")}
    ada.post(f"/tables/{table_id}/sit")
    guest.form(f"{path}/start")
    assert table_id in {table["id"] for table in ada.get("/tables?in_state=playing")}
    assert "Ada" in guest.http.get(path).text


def test_a_token_of_a_player_sees_the_persons_tables(served: Served) -> None:
    guest = Guest(served.address)
    table_id = guest.set_table("nomads", "me bot:random").rpartition("/")[2]
    own = Program(served.address, make_token(guest))
    assert own.get("/tables")[0]["id"] == table_id
    assert own.get(f"/tables/{table_id}")["host"]
