"""Invitations, the lobby, and what is asked before something is done that can't be undone."""

from __future__ import annotations

import re

import pytest

from tests.web.guest import Guest
from tests.web.served import Served


def test_who_follows_an_invitation_is_asked_for_a_name(served: Served) -> None:
    ida, bo = Guest(served.address), Guest(served.address)
    ida.form("/settings", name="Ida", back="/")
    path = ida.set_table("lumens", "me friend")
    page = bo.http.get(path).text
    assert "Ida invites you to play Lumens" in page
    assert "What should the others call you?" in page
    assert bo.form(f"{path}/sit", name="  Bo\n").status_code == 303
    assert "<b>Bo</b>" in ida.http.get(path).text
    assert "<b>Bo</b>" in bo.http.get(path).text


@pytest.mark.parametrize(
    ("language", "invitation"),
    [
        ("en", "Ida invites you to play Lumarathon"),
        ("fr", "Ida vous invite à une partie\u00a0: Lumarathon"),
        ("es", "Ida te invita a una partida de Lumaratón"),
    ],
)
def test_messengers_show_a_link_with_the_games_picture(
    served: Served, language: str, invitation: str
) -> None:
    ida = Guest(served.address)
    ida.form("/settings", name="Ida", back="/")
    path = ida.form("/play", game="marathon", **{"with": "friends"}).headers["location"]
    crawler = Guest(served.address, language)
    page = crawler.http.get(path).text
    assert f'<meta property="og:title" content="{invitation}">' in page
    assert f'<meta property="og:url" content="{served.address}{path}">' in page
    picture = re.findall(r'<meta property="og:image" content="([^"]+)">', page)[0]
    answer = crawler.http.get(picture)
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert answer.content[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)
    assert crawler.http.get("/picture/chess.png").status_code == 404


def test_a_link_to_a_game_in_play_and_the_site_have_pictures_too(served: Served) -> None:
    ida = Guest(served.address)
    path = ida.set_table("lumens", "me screen")
    assert "/picture/lumens.png" in ida.http.get(path).text
    assert "/picture/home.png" in ida.http.get("/").text


def test_the_invitation_stands_before_everything_else(served: Served) -> None:
    ida = Guest(served.address)
    path = ida.set_table("nomads", "me friend bot:wanderer")
    page = ida.http.get(path).text
    seats, code = page.index('class="places"'), page.index('<details class="commit">')
    assert page.index('id="link"') < page.index('class="qr"') < seats < code
    assert "bot · Wanderer" in page


def test_removing_a_person_and_deleting_data_are_asked_about(served: Served) -> None:
    ida, bo = Guest(served.address), Guest(served.address)
    path = ida.set_table("lumens", "me friend")
    bo.act(path, "sit", name="Bo")
    asked = r'<details class="sure"><summary>.*?</summary>.*?action="{}".*?</details>'
    assert re.search(asked.format(f"{path}/remove"), ida.http.get(path).text, re.DOTALL)
    assert re.search(asked.format("/forget"), ida.http.get("/me").text, re.DOTALL)


def test_nobody_puts_a_bot_in_for_somebody_who_is_there(served: Served) -> None:
    ida, bo = Guest(served.address), Guest(served.address)
    path = ida.set_table("lumens", "me friend")
    bo.act(path, "sit", name="Bo")
    ida.act(path, "start")
    assert ida.act(path, "remove", seat=1).status_code == 422
    assert "Replace Bo with a bot" not in ida.http.get(path).text


def test_the_speed_of_bots_is_offered_where_bots_sit(served: Served) -> None:
    ida = Guest(served.address)
    alone = ida.set_table("lumens", "me screen")
    beside = ida.set_table("lumens", "me bot:wanderer")
    assert "Bot speed" not in ida.http.get(alone).text
    assert "Bot speed" in ida.http.get(beside).text
    assert "bot · Wanderer" in ida.look(beside)[0]["top"]


def test_a_finished_game_offers_no_return_to_it(served: Served) -> None:
    ida, bo = Guest(served.address), Guest(served.address)
    path = ida.set_table("lumens", "me friend")
    bo.act(path, "sit", name="Bo")
    ida.act(path, "start")
    assert "A bot is playing for you" not in ida.http.get(path).text
    bo.act(path, "leave")
    assert "A bot is playing for you" in bo.http.get(path).text
    ida.play_on(path)
    page = bo.http.get(path).text
    assert "Game over" in page
    assert "A bot is playing for you" not in page


def test_the_lumarathon_says_which_of_its_games_it_is(served: Served) -> None:
    ida = Guest(served.address)
    path = ida.set_table("marathon", "me bot:random bot:random")
    page = ida.http.get(path).text
    assert "Lumarathon, game 1 of 2" in re.findall(r"<h1.*?</h1>", page)[0]
    assert "Lumarathon, game 1 of 2" in ida.http.get("/").text
    ida.play_on(path)
    page = ida.http.get(path).text
    assert "Half-time" in page
    assert "Game over" not in page
    assert re.search(r'id="status">[^<]* wins? Oh Captain!', page)
    second = ida.form(f"{path}/next", what="marathon").headers["location"]
    assert "Lumarathon, game 2 of 2" in re.findall(r"<h1.*?</h1>", ida.http.get(second).text)[0]
    ida.play_on(second)
    page = ida.http.get(second).text
    assert page.index("both games together") < page.index('class="sheet"')
