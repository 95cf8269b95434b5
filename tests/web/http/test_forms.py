"""Played by plain links and forms alone, as without script: every game, to its end."""

from __future__ import annotations

import html
import re

import pytest

from tests.web.guest import Guest
from tests.web.served import Served
from veillee.engine.registry import games
from veillee.web.http.dependencies import Caller
from veillee.web.http.table import picks

LINK = re.compile(r'<a class="button[^"]*" href="(\?[^"#]*)#choices">')
CURTAIN = re.compile(r'href="(\?look=\d+)"')
FORM = re.compile(r'name="moment" value="(\d+)".*?name="action" value="([^"]+)"', re.DOTALL)
MOST_BUTTONS = 40
MOST_PAGES = 1000


@pytest.mark.parametrize("game", sorted(games()))
def test_a_whole_game_by_forms(served: Served, game: str) -> None:
    guest = Guest(served.address)
    seats = ["me", *["screen"] * (min(games()[game].player_counts) - 1)]
    path = guest.set_table(game, " ".join(seats))
    where = path
    taken = 0
    for _ in range(MOST_PAGES):
        page = guest.http.get(where).text
        if "podium" in page:
            break
        choices = page.partition('id="choices"')[2].partition('id="own"')[0]
        curtain = CURTAIN.search(page)
        links = LINK.findall(choices)
        forms = FORM.findall(choices)
        assert len(links) + len(forms) <= MOST_BUTTONS, "too many buttons at once"
        onward = [link for link in links if "pick." in link]
        if forms:
            moment, action = forms[taken % len(forms)]
            look = re.search(r"look=(\d+)", where)
            answer = guest.form(
                f"{path}/play",
                moment=moment,
                action=html.unescape(action),
                token=taken,
                look=look[1] if look else "",
            )
            assert answer.status_code == 303
            where = answer.headers["location"]
            taken += 1
        elif onward:
            where = path + html.unescape(onward[taken % len(onward)])
        else:
            assert curtain, "nothing can be done"
            where = path + curtain[1]
    else:
        pytest.fail("the game does not end")
    assert taken > 10


def test_a_square_is_picked_after_its_column() -> None:
    caller = Caller({"query_string": b"look=0&pick.square=d%E2%80%A6&pick.square=d7"})
    assert picks(caller) == [("square", "d…"), ("square", "d7")]
