"""A review on two servers: the leader at one, a follower at the other."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.web.cluster.servers import Server
from tests.web.guest import Guest
from tests.web.test_exchange import record_of, upload


@pytest.fixture
def pair(postgres_database: str) -> Iterator[list[Server]]:
    """Two servers on one database."""
    with Server(postgres_database) as one, Server(postgres_database) as other:
        yield [one, other]


def test_the_follower_at_another_server_sees_the_leaders_moment(pair: list[Server]) -> None:
    leader, follower = Guest(pair[0].address), Guest(pair[1].address)
    game = upload(leader, json.dumps(record_of("lumens"))).headers["location"]
    review = leader.form(f"{game}/review", moment=2).headers["location"]
    with follower.http.stream("GET", f"{review}/live", timeout=httpx.Timeout(10)) as answer:
        told = (json.loads(line[6:]) for line in answer.iter_lines() if line[:6] == "data: ")
        assert next(told) == {"moment": 2, "leads": False}
        assert leader.act(review, "move", moment=7).status_code == 200
        assert next(told) == {"moment": 7, "leads": False}
        assert follower.form(f"{review}/lead").status_code == 303
        assert next(told) == {"moment": 7, "leads": True}
    assert leader.act(review, "move", moment=9).status_code == 422
