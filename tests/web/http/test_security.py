"""What stands before the pages: forged forms, foreign origins, sizes, how often, and headers."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(sqlite_in(tmp_path_factory.mktemp("limited"))) as server:
        yield server


def test_every_page_has_a_strict_policy_and_a_safe_cookie(served: Served) -> None:
    answer = httpx.get(served.address)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "style=" not in answer.text
    assert "onclick" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}],
)
def test_a_form_from_elsewhere_is_refused(served: Served, headers: dict[str, str]) -> None:
    guest = Guest(served.address)
    answer = guest.http.post("/play", data={"game": "nomads"}, headers=headers)
    assert answer.status_code == 403


def test_a_forged_cookie_is_nobodys(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me bot:random")
    thief = Guest(served.address)
    cookie = guest.http.cookies["veillee"]
    thief.http.cookies.set("veillee", cookie[:-1] + ("0" if cookie[-1] != "0" else "1"))
    assert "seat" not in thief.look(path)[1] or thief.look(path)[1]["seat"] == -1


def test_large_bodies_are_not_read(served: Served) -> None:
    guest = Guest(served.address)
    assert guest.form("/settings", name="x" * 20_000).status_code == 413
    endless = guest.http.post("/settings", content=iter([b"x" * 100]))
    assert endless.status_code == 413


def test_who_asks_too_often_is_told_to_wait(limited: Served) -> None:
    guest = Guest(limited.address)
    codes = {guest.form("/play", game="nomads", **{"with": "bots"}).status_code for _ in range(30)}
    assert codes == {303, 429}


def test_wrong_addresses_are_lost_and_tell_nothing(served: Served) -> None:
    guest = Guest(served.address)
    for path in ("/t/nothing", "/rules/chess", "/nowhere", "/t/x/live", "/static/1/../app.py"):
        answer = guest.http.get(path)
        assert answer.status_code == 404
        assert "Traceback" not in answer.text
    assert guest.http.get("/new?game=chess").status_code == 404


def test_going_back_stays_here(served: Served) -> None:
    guest = Guest(served.address)
    for back in ("https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example"):
        assert guest.form("/settings", back=back).headers["location"] == "/"
