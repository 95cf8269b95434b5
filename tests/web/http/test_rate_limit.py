"""Rate limits: buckets that run empty, fill again, and are forgotten."""

from __future__ import annotations

import pytest

from veillee.web.http import rate_limit
from veillee.web.http.rate_limit import RateLimiter, network_of


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = 1000.0

    def monotonic(self) -> float:
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(rate_limit, "time", clock)
    return clock


def test_a_bucket_runs_empty_and_fills_again(clock: Clock) -> None:
    limiter = RateLimiter("x", burst=2, rate=0.5)
    assert [limiter.take("a") for _ in range(3)] == [True, True, False]
    assert limiter.take("b"), "another one has a bucket of their own"
    clock.time += 1.9
    assert not limiter.take("a")
    clock.time += 0.1
    assert limiter.take("a")
    assert not limiter.take("a")


def test_a_bucket_does_not_overflow(clock: Clock) -> None:
    limiter = RateLimiter("x", burst=2, rate=1)
    limiter.take("a")
    clock.time += 1000
    assert [limiter.take("a") for _ in range(3)] == [True, True, False]


def test_full_buckets_are_forgotten(clock: Clock) -> None:
    limiter = RateLimiter("x", burst=2, rate=1)
    for number in range(RateLimiter.SWEEP - 1):
        limiter.take(f"old {number}")
    clock.time += 3
    limiter.take("new")
    assert len(limiter) == 1


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_ipv6_clients_are_known_by_their_network(address: str, network: str) -> None:
    assert network_of(address) == network


def test_what_is_used_at_another_server_counts(clock: Clock) -> None:
    limiter = RateLimiter("x", burst=10, rate=1)
    limiter.take("a")
    limiter.charge("a", own=1, total=7)  # how old the others' use is, is not known
    assert limiter.take("a")
    limiter.charge("a", own=1, total=14)
    assert [limiter.take("a") for _ in range(3)] == [True, True, False]
