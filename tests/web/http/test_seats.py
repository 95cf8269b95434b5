"""Bots at a table, by strength and by character: the form, the lobby, the API."""

from __future__ import annotations

import re

import pytest

from tests.web.guest import Guest
from tests.web.served import Served
from veillee.bots.characters import characters
from veillee.bots.levels import curve
from veillee.engine.registry import games

GAMES = pytest.mark.parametrize("game", sorted(games()))


@GAMES
def test_the_form_offers_strengths_and_characters(served: Served, game: str) -> None:
    page = Guest(served.address).http.get(f"/new?game={game}").text
    strengths = {int(value) for value in re.findall(r'value="bot:(\d+)"', page)}
    low, high = curve(games()[game]).range
    assert strengths
    assert all(low <= strength <= high for strength in strengths)
    assert 'name="character1"' in page
    for name in (each.name for each in characters(games()[game]).values()):
        assert name in page
    assert page.count('class="face"') == len(characters(games()[game]))


def test_a_marathon_offers_what_both_games_have(served: Served) -> None:
    page = Guest(served.address).http.get("/new?game=marathon").text
    offered = set(re.findall(r'<option value="([a-z]+)">[A-Z][^<]+</option>', page))
    assert {"cautious", "bold"} <= offered
    assert not {"singer", "honest"} & offered


def test_a_bot_is_called_and_drawn_as_its_character(served: Served) -> None:
    host = Guest(served.address)
    rows = {"seat0": "me", "seat1": "friend", "seat2": "bot:1500", "seat3": "bot:teller"}
    chosen = {"character2": "singer", "character3": "plain"}
    answer = host.form("/new", game="nomads", **rows, **chosen)
    lobby = host.http.get(answer.headers["location"]).text
    assert "Calliope" in lobby
    assert "bot · 1500" in lobby
    assert "bot · Storyteller" in lobby
    assert lobby.count('class="face"') == 1


def test_a_surprise_is_drawn_for_a_bot_that_searches(served: Served) -> None:
    host = Guest(served.address)
    path = host.set_table("nomads", "me friend bot:teller bot:random")
    lobby = host.http.get(path).text
    drawn = [each for each in characters(games()["nomads"]).values() if each.is_equal]
    assert sum(each.name in lobby for each in drawn) == 1
    assert lobby.count('class="face"') == 1


def test_what_no_bot_is_called_is_refused(served: Served) -> None:
    host = Guest(served.address)
    for seat, character in (("bot:99999", ""), ("bot:teller", "raider"), ("bot:god", "")):
        answer = host.form(
            "/new", game="nomads", seat0="me", seat1="friend", seat2=seat, character2=character
        )
        assert answer.status_code == 422
