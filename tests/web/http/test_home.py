"""The home page: what it says of the person's tables."""

from __future__ import annotations

import pytest

from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in


def test_home_knows_whose_turn_it_is_at_tables_that_no_server_has_in_memory(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with Served(sqlite_in(tmp_path_factory.mktemp("home")), "--no-limits") as served:
        ida, bo = Guest(served.address), Guest(served.address)
        path = ida.set_table("lumens", "me friend")
        bo.act(path, "sit")
        ida.act(path, "start")
        _, own = ida.look(path)
        first, second = (ida, bo) if own.get("yours") else (bo, ida)
        served.kill()
        served.start()
        assert "Your turn" in first.http.get("/").text
        assert "Your turn" not in second.http.get("/").text
