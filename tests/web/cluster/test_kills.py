"""The short version of `python -m tests.web.kills`."""

from __future__ import annotations

import pytest

from tests.web.kills import kill_under_load, set_ups
from tests.web.loop import run


@pytest.mark.parametrize("name", ["sqlite", "workers", "postgresql"])
def test_nothing_acknowledged_is_lost_when_servers_are_killed(name: str) -> None:
    async def story() -> None:
        result = await kill_under_load(set_up, kills=3, tables=4, seed=1)
        assert not result.problems
        assert result.acknowledged > 20

    with set_ups([name]) as (set_up,):
        run(story())
