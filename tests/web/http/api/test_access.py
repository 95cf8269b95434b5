"""Tokens: made and revoked on a page, with scopes; limits told in headers; the document."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from pathlib import Path

import pytest

from tests.web.guest import Guest
from tests.web.http.api.program import Program, bot_name, make_token
from tests.web.served import Served, sqlite_in


def test_without_a_valid_token_nothing_is_told(served: Served) -> None:
    for program in (Program(served.address), Program(served.address, "veillee_guessed")):
        answer = program.http.get("/tables")
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["code"] == "401"


def test_a_cookie_is_no_token(served: Served) -> None:
    assert Guest(served.address).http.get("/api/v1/tables").status_code == 401


def test_scopes_are_kept(served: Served) -> None:
    program = Program(served.address, make_token(Guest(served.address), scopes=("read",)))
    assert program.get("/account")["scopes"] == ["read"]
    refused = program.post("/tables", 403, game="nomads", seats=["me", "open"])
    assert refused["clause"] == "web.token.scope"
    assert "play" in refused["detail"]


def test_a_revoked_token_opens_nothing(served: Served) -> None:
    guest = Guest(served.address)
    program = Program(served.address, make_token(guest, label="old laptop"))
    program.get("/account")
    page = guest.http.get("/programs").text
    assert "old laptop" in page
    found = re.search(r'name="id" value="([^"]+)"', page)
    assert found
    assert Guest(served.address).form("/programs/revoke", id=found[1]).status_code == 303
    program.get("/account")
    guest.form("/programs/revoke", id=found[1])
    program.get("/account", 401)
    assert "old laptop" not in guest.http.get("/programs").text


def test_tokens_are_stored_as_digests_and_shown_once(served: Served) -> None:
    guest = Guest(served.address)
    text = make_token(guest)
    assert text not in guest.http.get("/programs").text
    with sqlite3.connect(served.database) as store:
        dump = "\n".join(store.iterdump())
    assert text not in dump
    assert hashlib.sha256(text.encode()).hexdigest() in dump


def test_who_is_forgotten_has_no_programs(served: Served) -> None:
    guest = Guest(served.address)
    own, bot = (Program(served.address, make_token(guest, name)) for name in ("", "gone"))
    guest.form("/forget")
    own.get("/account", 401)
    bot.get("/account", 401)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"read": "1", "bot": "x"}, 422),
        ({"read": "1", "bot": "Ada Lovelace"}, 422),
        ({"bot": "fine"}, 422),
        ({"read": "1", "bot": "of-somebody"}, 409),
    ],
)
def test_what_is_no_token_is_refused_on_the_page(
    served: Served, fields: dict[str, str], status: int
) -> None:
    make_token(Guest(served.address), "of-somebody") if status == 409 else None
    answer = Guest(served.address).form("/programs", **fields)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text


def test_limits_are_told(tmp_path: Path) -> None:
    with Served(sqlite_in(tmp_path)) as server:
        program = Program.of(server.address)
        first = program.http.get("/account").headers
        assert int(first["ratelimit-limit"]) == 120
        assert int(first["ratelimit-remaining"]) < 120
        answers = [program.http.get("/account") for _ in range(400)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert int(refused[0].headers["retry-after"]) >= 1
        assert int(refused[0].headers["ratelimit-remaining"]) <= 1
        assert refused[0].json()["status"] == 429
        assert Program.of(server.address).http.get("/account").status_code == 200


def test_problems_are_told_everywhere_below_the_api(served: Served) -> None:
    program = Program.of(served.address)
    large = "x" * 20_000
    for answer, status in (
        (program.http.get("/nowhere"), 404),
        (program.http.delete("/games"), 405),
        (program.http.post("/tables", content=b"{"), 400),
        (program.http.post("/tables", json={"game": large, "seats": []}), 413),
        (program.http.post("/tables", json={}, headers={"origin": "https://evil.example"}), 403),
    ):
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status


def test_every_operation_is_documented(served: Served) -> None:
    guest = Guest(served.address)
    document = guest.http.get("/api/v1/openapi.json").json()
    page = guest.http.get("/api").text
    operations = [o for item in document["paths"].values() for o in item.values()]
    assert len(operations) > 30
    for operation in operations:
        assert operation["summary"]
        assert operation["description"]
        assert f'id="operation-{operation["operationId"]}"' in page
    for name in document["components"]["schemas"]:
        assert f'id="{name}"' in page
    assert all(path.startswith("/api/v1/") for path in document["paths"])
    assert "<script>" not in page
    assert all(link.startswith("/") for link in re.findall(r'src="([^"]+)"', page))


def test_a_bot_is_marked_and_nobody_can_pretend(served: Served) -> None:
    name = bot_name("marvin")
    account = Program.of(served.address, name).get("/account")
    assert (account["name"], account["kind"], account["handle"]) == (f"BOT {name}", "bot", name)
    guest = Guest(served.address)
    guest.form("/settings", name="ＢＯＴ bot marvin")
    program = Program(served.address, make_token(guest))
    assert program.get("/account")["name"] == "marvin"
    assert program.get("/account")["kind"] == "person"
