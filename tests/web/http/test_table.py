"""A table as several people live it, over HTTP: whose turn, who may, what happens twice."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from typing import Any

import httpx
import pytest

from tests.web.guest import Guest
from tests.web.loop import run
from tests.web.served import Served, sqlite_in
from veillee.engine.registry import games

ALL = sorted(games())


def friends(served: Served, game: str = "nomads", n: int = 2) -> tuple[list[Guest], str]:
    """A table of so many people that has begun."""
    people = [Guest(served.address) for _ in range(n)]
    path = people[0].set_table(game, " ".join(["me", *["friend"] * (n - 1)]))
    for person in people[1:]:
        assert person.form(f"{path}/sit", nonce="").status_code == 303
    assert people[0].form(f"{path}/start").status_code == 303
    return people, path


def awaited(people: list[Guest], path: str) -> tuple[Guest, Guest, dict[str, object], str]:
    """Who is to decide, another one, what all see, and a first choice."""
    for person in people:
        shared, own = person.look(path)
        if own.get("yours"):
            other = next(p for p in people if p is not person)
            return person, other, shared, own["choices"]["all"][0]["action"]
    raise AssertionError("nobody is awaited")


@pytest.mark.parametrize("game", ALL)
def test_a_whole_game_against_bots(served: Served, game: str) -> None:
    guest = Guest(served.address)
    bots = max(3, min(games()[game].player_counts)) - 1
    path = guest.set_table(game, " ".join(["me", *["bot:random"] * bots]))
    assert guest.play_on(path) > 3
    page = guest.http.get(path).text
    assert "podium" in page
    verified = guest.http.get(f"{path}/verify").text
    assert "All is well" in verified
    record = guest.http.get(f"{path}/record").json()
    assert record["seed"]
    assert record["result"]


@pytest.mark.parametrize("game", ALL)
def test_who_plays_now_begins(served: Served, game: str) -> None:
    for _ in range(4):
        guest = Guest(served.address)
        path = guest.form("/play", game=game, **{"with": "bots"}).headers["location"]
        shared, own = guest.look(path)
        assert shared["moment"] == 0
        assert own["yours"]


def test_a_repeated_post_does_nothing_twice(served: Served) -> None:
    people, path = friends(served)
    person, _, shared, action = awaited(people, path)
    moment = shared["moment"]
    for _ in range(3):
        answer = person.act(path, "play", action=action, moment=moment, token="once")
        assert answer.status_code == 200
    assert person.look(path)[0]["moment"] == moment + 1  # type: ignore[operator]


def test_of_many_at_once_one_wins_and_the_others_are_told(served: Served) -> None:
    people, path = friends(served)
    person, _, shared, action = awaited(people, path)
    cookies = dict(person.http.cookies)

    async def story() -> None:
        async with httpx.AsyncClient(base_url=served.address, cookies=cookies) as client:
            answers = await asyncio.gather(
                *(
                    client.post(
                        f"{path}/play",
                        json={"action": action, "moment": str(shared["moment"]), "token": str(n)},
                        headers={"x-veillee": "1"},
                    )
                    for n in range(8)
                )
            )
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 7]
        late = next(answer for answer in answers if answer.status_code == 409)
        assert "faster" in late.json()["refused"]

    run(story())
    assert person.look(path)[0]["moment"] == shared["moment"] + 1  # type: ignore[operator]


def test_only_who_is_awaited_may_decide(served: Served) -> None:
    people, path = friends(served)
    _, other, shared, action = awaited(people, path)
    answer = other.act(path, "play", action=action, moment=shared["moment"])
    assert answer.json()["clause"] == "web.act.turn"
    watcher = Guest(served.address)
    answer = watcher.act(path, "play", action=action, moment=shared["moment"])
    assert answer.json()["clause"] == "web.act.watcher"


def test_an_illegal_action_is_refused_with_its_clause(served: Served) -> None:
    people, path = friends(served)
    person, _, shared, _ = awaited(people, path)
    answer = person.act(path, "play", action="sow 1 left", moment=shared["moment"])
    assert answer.status_code == 422
    assert answer.json()["clause"].startswith("nomads.")


def test_undo_of_what_showed_nothing_is_at_once(served: Served) -> None:
    people, path = friends(served)
    person, _, shared, action = awaited(people, path)
    person.act(path, "play", action=action, moment=shared["moment"])
    assert person.act(path, "undo").status_code == 200
    now, own = person.look(path)
    assert own["yours"]
    assert now["moment"] == shared["moment"] + 2  # type: ignore[operator]


def test_undo_after_others_acted_needs_their_consent(served: Served) -> None:
    people, path = friends(served)
    first, other, shared, action = awaited(people, path)
    first.act(path, "play", action=action, moment=shared["moment"])
    second, _, shared, action = awaited(people, path)
    assert second is other
    second.act(path, "play", action=action, moment=shared["moment"])
    before = first.look(path)[0]["moment"]
    assert first.act(path, "undo").status_code == 200
    assert first.look(path)[0]["moment"] == before
    assert "wants to undo a move" in second.look(path)[1]["panel"]
    assert second.act(path, "agree").status_code == 200
    assert first.look(path)[0]["moment"] == before + 2
    assert first.look(path)[1]["yours"]


def test_the_host_pauses_and_goes_on(served: Served) -> None:
    people, path = friends(served)
    person, _, shared, action = awaited(people, path)
    assert people[1].act(path, "pause").status_code == 422
    assert people[0].act(path, "pause").status_code == 200
    assert person.act(path, "play", action=action, moment=shared["moment"]).status_code == 422
    people[0].act(path, "pause")
    assert person.act(path, "play", action=action, moment=shared["moment"]).status_code == 200


def test_who_leaves_is_replaced_and_comes_back(served: Served) -> None:
    people, path = friends(served)
    people[1].act(path, "leave")
    assert "bot for now" in people[0].look(path)[0]["top"]
    people[1].act(path, "back")
    assert "bot for now" not in people[0].look(path)[0]["top"]


def test_nobody_who_is_there_can_be_voted_out(served: Served) -> None:
    people, path = friends(served)
    people[1].look(path)
    assert people[0].act(path, "vote", seat=1).json()["clause"] == "web.act.there"


def test_a_seat_moves_to_another_device_once(served: Served) -> None:
    people, path = friends(served)
    page = people[1].http.get(f"{path}/move").text
    link = page.split('id="link"')[1].split('value="')[1].split('"')[0]
    ticket = httpx.URL(link).params["ticket"]
    phone = Guest(served.address)
    assert "Play here" in phone.http.get(httpx.URL(link).raw_path.decode()).text
    assert phone.form(f"{path}/bring", ticket=ticket).status_code == 303
    assert phone.look(path)[1]["seat"] == 1
    assert "seat" not in people[1].look(path)[1] or people[1].look(path)[1]["seat"] == -1
    thief = Guest(served.address)
    assert thief.form(f"{path}/bring", ticket=ticket).status_code == 422
    assert thief.form(f"{path}/bring", ticket="0" + ticket).status_code == 422


def test_talk_is_read_by_each_in_their_language(served: Served) -> None:
    host = Guest(served.address)
    path = host.set_table("nomads", "me bot:random")
    host.act(path, "talk", phrase="nice")
    assert "Well played!" in host.look(path)[0]["top"]
    watcher = Guest(served.address, "fr")
    assert "Bien joué" in watcher.look(path)[0]["top"]
    assert host.act(path, "talk", phrase="<script>").status_code == 422


def test_a_closed_table_shows_watchers_nothing(served: Served) -> None:
    host = Guest(served.address)
    rows = {"seat0": "me", "seat1": "bot:random"}
    path = host.form("/new", game="nomads", **rows).headers["location"]
    watcher = Guest(served.address)
    for part in ("", "/live", "/since", "/verify", "/record"):
        assert watcher.http.get(path + part).status_code == 403


def test_rematch_seats_the_same_people(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("lumens", "me bot:random")
    guest.play_on(path)
    first = guest.form(f"{path}/next", what="rematch").headers["location"]
    assert guest.form(f"{path}/next", what="rematch").headers["location"] == first
    assert guest.look(first)[0]["state"] == "playing"


def options_at_the_end(guest: Guest, path: str) -> dict[str, Any]:
    guest.play_on(path)
    found: dict[str, Any] = guest.http.get(f"{path}/record").json()["options"]
    return found


PRINTED: list[tuple[str, str, dict[str, str], dict[str, Any]]] = [
    (
        "nomads",
        "me bot:random",
        {"option.stacks": '"about_equal"', "option.first": "1", "option.quick": "true"},
        {"stacks": "about_equal", "first": 1, "quick": True},
    ),
    ("captain", "me bot:random bot:random", {"option.captain": "2"}, {"captain": 2}),
    (
        "lumens",
        "me bot:random",
        {
            "option.colours": "chosen",
            "option.colours.0": '"red"',
            "option.colours.1": '"purple"',
            "option.starts": '"draw"',
            "option.first": "null",
        },
        {"colours": ["red", "purple"], "starts": "draw"},
    ),
]


@pytest.mark.parametrize(("game", "seats", "fields", "chosen"), PRINTED)
def test_every_printed_choice_can_be_made_on_the_page(
    served: Served, game: str, seats: str, fields: dict[str, str], chosen: dict[str, Any]
) -> None:
    guest = Guest(served.address)
    form = guest.http.get(f"/new?game={game}").text
    assert all(f'name="{field}"' in form for field in fields)
    path = guest.set_table(game, seats, **fields)
    assert options_at_the_end(guest, path) == chosen


def test_the_lumarathon_offers_the_options_of_both_games(served: Served) -> None:
    guest = Guest(served.address)
    form = guest.http.get("/new?game=marathon").text
    assert 'name="option.captain.captain"' in form
    assert 'name="option.nomads.quick"' in form
    assert 'name="option.nomads.first"' not in form, "the last Captain begins"
    fields = {"option.captain.captain": "1", "option.nomads.quick": "true"}
    path = guest.set_table("marathon", "me bot:random bot:random", **fields)
    assert options_at_the_end(guest, path) == {"captain": 1}
    second = guest.form(f"{path}/next", what="marathon").headers["location"]
    carried = options_at_the_end(guest, second)
    assert carried["quick"] is True
    assert {"first", "coins", "keeper"} < set(carried)


def test_a_seat_that_nobody_takes_cannot_begin(served: Served) -> None:
    guest = Guest(served.address)
    rows = {"seat0": "me", "seat1": "bot:random", "option.first": "3"}
    assert guest.form("/new", game="lumens", **rows).status_code == 422


def test_the_lumarathon_carries_over(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("marathon", "me bot:random bot:random")
    guest.play_on(path)
    second = guest.form(f"{path}/next", what="marathon").headers["location"]
    guest.play_on(second)
    assert "Lumarathon: both games" in guest.http.get(second).text


def test_bots_go_on_after_a_restart(tmp_path_factory: pytest.TempPathFactory) -> None:
    database = sqlite_in(tmp_path_factory.mktemp("restart"))
    with Served(database, pace=300) as server:
        guest = Guest(server.address)
        path = guest.set_table("nomads", "me bot:random bot:random")
        taken = guest.play_on(path, 2)
        assert taken == 2
        server.kill()
        server.start()
        assert guest.play_on(path, 2) == 2


def test_a_graceful_stop_ends_streams(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Served(sqlite_in(tmp_path_factory.mktemp("stop"))) as server:
        guest = Guest(server.address)
        path = guest.set_table("nomads", "me bot:random")
        with guest.stream(path) as messages:
            next(messages)
            assert server.stop() == 0


def test_forgetting_a_person(tmp_path_factory: pytest.TempPathFactory) -> None:
    database = sqlite_in(tmp_path_factory.mktemp("forget"))
    with Served(database) as server:
        guest = Guest(server.address)
        guest.form("/settings", name="Amélie the Unforgotten")
        path = guest.set_table("nomads", "me screen bot:random", name1="Bernadette")
        watcher = Guest(server.address)
        assert "Bernadette" in watcher.http.get(path).text
        assert guest.form("/forget").status_code == 303
        page = watcher.http.get(path).text
        assert "Bernadette" not in page
        assert "Unforgotten" not in page
    everything = "\n".join(sqlite3.connect(database).iterdump())
    assert "Unforgotten" not in everything
    assert "Bernadette" not in everything


def test_clocks_run_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whose time is up is played for by a bot, and may come back."""
    database = sqlite_in(tmp_path_factory.mktemp("clock"))
    with Served(database) as server:
        guest = Guest(server.address)
        path = guest.set_table("nomads", "me screen", timing="clock10")
        server.stop()
        with sqlite3.connect(database) as store:  # as if everyone had thought for an hour
            store.execute("UPDATE entry SET at = at - 3600000")
            store.execute("UPDATE owed SET due = due - 3600000")
        server.start()
        with guest.stream(path) as told:
            shared, own = next(told)
            while "out of time" not in shared["top"]:
                shared, own = next(told)
        assert "I’m back" in own["panel"]
        assert "0:00" in shared["top"]


def test_pages_answer_in_three_languages(served: Served) -> None:
    for language, word in (
        ("en", "Around the fire"),
        ("fr", "Autour du feu"),
        ("es", "Junto a la hoguera"),
    ):
        guest = Guest(served.address, language)
        assert word in guest.http.get("/").text
        for path in ("/me", *(f"/rules/{game}" for game in ALL), "/new?game=nomads"):
            assert guest.http.get(path).status_code == 200
            assert f'<html lang="{language}"' in guest.http.get(path).text


def test_what_happened_since_my_turn(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me bot:random bot:random")
    guest.play_on(path, 3)
    frames = guest.http.get(f"{path}/since").json()
    assert len(frames) > 1
    assert frames[0]["picture"][0].startswith("<svg")
    assert any(frame["changes"] for frame in frames[1:])
    assert json.dumps(frames)


def test_one_who_is_gone_is_voted_out_and_takes_the_seat_back(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with Served(sqlite_in(tmp_path_factory.mktemp("gone")), "--no-limits", "--away", "1") as server:
        people, path = friends(server, n=3)
        one, other, gone = people
        gone.look(path)
        with one.stream(path) as told, other.stream(path) as told_too:
            _, own = next(told)
            while "is away" not in own["panel"]:  # nobody does anything: the table tells it itself
                _, own = next(told)
            next(told_too)
            assert one.act(path, "vote", seat=2).status_code == 200
            shared, _ = next(told)
            assert "bot for now" not in shared["top"], "both who are there must want it"
            assert other.act(path, "vote", seat=2).status_code == 200
            shared, _ = next(told)
            assert "bot for now" in shared["top"]
        assert "A bot is playing for you" in gone.look(path)[1]["panel"]
        assert gone.act(path, "back").status_code == 200
        assert "bot for now" not in gone.look(path)[0]["top"]


def test_where_there_are_days_for_a_decision_nobody_is_gone(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with Served(sqlite_in(tmp_path_factory.mktemp("days")), "--away", "1") as server:
        one, other = Guest(server.address), Guest(server.address)
        path = one.set_table("nomads", "me friend", timing="days1")
        other.form(f"{path}/sit", nonce="")
        one.form(f"{path}/start")
        assert one.act(path, "vote", seat=1).json()["clause"] == "web.act.there"
        assert "23 h" in one.look(path)[0]["top"]


def test_the_host_lets_the_bots_play_slower(served: Served) -> None:
    guest, other = Guest(served.address), Guest(served.address)
    path = guest.set_table("nomads", "me bot:random")
    assert other.act(path, "pace", pace="slow").status_code == 422
    assert guest.act(path, "pace", pace="never").status_code == 422
    assert guest.act(path, "pace", pace="slow").status_code == 200
    assert '<option value="slow" selected>' in guest.http.get(path).text


def test_the_end_lays_the_points_out(served: Served) -> None:
    guest = Guest(served.address, "fr")
    path = guest.set_table("captain", "me bot:random bot:random")
    guest.play_on(path)
    page = guest.http.get(path).text
    assert "Œuf de Nukha" in page
    sheet = page[page.index('<table class="sheet">') : page.index("</table>")]
    rows = re.findall(r"<tr>(.*?)</tr>", sheet)[1:]
    cells = [re.findall(r"<td>(.*?)</td>", row) for row in rows]
    points = [
        [int(c.partition(" ")[0].replace("−", "-").replace("–", "0")) for c in r] for r in cells
    ]
    assert [sum(column) for column in zip(*points[:-1], strict=True)] == points[-1]


NONCES = ("a1" * 16, "b2" * 16)


def promise(page: str) -> tuple[str, str]:
    """The ticket on a page, and the fingerprint that it shows."""
    found = re.search(
        r'name="ticket" value="([^"]+)" data-table="[^"]+" data-commitment="(\w+)"', page
    )
    assert found
    return found[1], found[2]


@pytest.mark.parametrize("page", ["/", "/new?game=lumens", "/rules/lumens"])
def test_the_secret_is_fixed_before_the_browser_adds_its_part(served: Served, page: str) -> None:
    guest = Guest(served.address)
    ticket, commitment = promise(guest.http.get(page).text)
    fields: dict[str, str] = {"game": "lumens", "ticket": ticket, "nonce": NONCES[0]}
    if page.startswith("/new"):
        path = guest.set_table("lumens", "me bot:random", ticket=ticket, nonce=NONCES[0])
    else:
        path = guest.form("/play", **fields, **{"with": "bots"}).headers["location"]
    guest.play_on(path)
    verified = guest.http.get(f"{path}/verify").text
    assert commitment in verified
    assert NONCES[0] in verified
    again = guest.form("/play", **fields, **{"with": "bots"})
    assert again.headers["location"] == path, "a ticket is for one table"


def test_a_forged_ticket_gets_a_table_of_our_own(served: Served) -> None:
    guest = Guest(served.address)
    ticket, commitment = promise(guest.http.get("/").text)
    path = guest.set_table("lumens", "me bot:random", ticket="x" + ticket)
    assert commitment not in guest.http.get(f"{path}/verify").text


def test_for_a_rematch_everyone_adds_a_part_to_what_is_fixed(served: Served) -> None:
    people, path = friends(served, "lumens")
    assert people[0].act(path, "ready", nonce=NONCES[0]).status_code == 422
    while (own := people[0].look(path))[0]["state"] != "over":
        person, _, shared, action = awaited(people, path)
        person.act(path, "play", action=action, moment=shared["moment"])
    shown = re.search(r'data-commitment="(\w+)"', own[1]["panel"])
    assert shown
    assert people[0].act(path, "undo").status_code == 422, "the bits are shown: no way back"
    for person, nonce in zip(people, NONCES, strict=True):
        assert person.act(path, "ready", nonce=nonce).status_code == 200
    assert people[0].act(path, "ready", nonce="c3" * 16).status_code == 200
    following = people[1].form(f"{path}/next", what="rematch").headers["location"]
    while people[0].look(following)[0]["state"] != "over":
        person, _, shared, action = awaited(people, following)
        person.act(following, "play", action=action, moment=shared["moment"])
    verified = people[0].http.get(f"{following}/verify").text
    assert shown[1] in verified
    assert all(nonce in verified for nonce in NONCES)
    assert "c3" * 16 not in verified
    assert "All is well" in verified
