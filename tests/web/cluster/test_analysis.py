"""An analysis whose server dies: another server takes it over, and both show what it found."""

from __future__ import annotations

import json
import re
import time

import pytest

from tests.web.cluster.servers import Server
from tests.web.guest import Guest
from tests.web.test_exchange import record_of, upload

LONGEST = 120
"""Seconds that a quick analysis may take on a busy machine."""


def panel_with(guest: Guest, replay: str, sign: str) -> str:
    """Wait until the panel of a replay contains something; the panel."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        panel = guest.http.get(f"{replay}/analysis", headers={"x-veillee": "1"}).text
        if re.search(sign, panel):
            return panel
        time.sleep(0.2)
    raise AssertionError(panel)


def test_another_server_takes_over_an_analysis(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first server would analyse for an hour; it dies, and the second is soon done."""
    monkeypatch.setenv("VEILLEE_ANALYSIS_ITERATIONS", "1")
    with Server(postgres_database) as second:
        monkeypatch.setenv("VEILLEE_ANALYSIS_ITERATIONS", "1000000000")
        with Server(postgres_database) as first:
            guest = Guest(first.address)
            replay = upload(guest, json.dumps(record_of("lumens"))).headers["location"]
            assert guest.form(f"{replay}/analysis").status_code == 303
            panel_with(guest, replay, r'<progress[^>]* max="[1-9]')
            first.kill()
            other = Guest(second.address)
            found = panel_with(other, replay, "analysis-chart")
            second.kill()
            first.start()
            kept = panel_with(Guest(first.address), replay, "analysis-chart")
            assert kept == found
