"""The time that logs and clocks use."""

from __future__ import annotations

import time

import pytest

from veillee.web import clock


def test_setting_the_system_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time()
    monkeypatch.setattr(time, "time", lambda: real + 3600)
    assert abs(clock.now() - real * 1000) < 60_000
