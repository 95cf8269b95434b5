"""A study on a Ray cluster of two nodes, of which one is killed; run by `make test-cluster`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from ray.cluster_utils import Cluster

from veillee.engine.refusal import Refusal
from veillee.lab.executor import workers
from veillee.lab.match import Terms, match
from veillee.lab.study import Plan, printed, study

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]

PLAN = Plan("lumens", (printed("lumens"),), (2,), ("random", "greedy"), 200_000, 160)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield started
    started.shutdown()  # type: ignore[no-untyped-call]


def test_a_study_on_two_nodes_of_which_one_dies_equals_the_local_one(cluster: Cluster) -> None:
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    killed: list[str] = []

    def kill(title: str, done: int, _: int) -> None:
        if "greedy" in title and done >= 24 and not killed:
            cluster.remove_node(second, allow_graceful=False)
            killed.append(title)

    with workers(ray=cluster.address) as pool:
        assert pool.size == 2
        there = study(PLAN, pool=pool, progress=kill)
    assert killed
    with workers(2) as pool:
        here = study(PLAN, pool=pool)
    assert [cell.data() for cell in there.cells.values()] == [
        cell.data() for cell in here.cells.values()
    ]
    assert there.skill == here.skill


def test_a_match_is_the_same_to_the_bit(cluster: Cluster) -> None:
    terms = Terms("nomads", 3, "greedy", "random", options={"quick": True})
    with workers(ray=cluster.address) as pool:
        there = match(terms, 6, pool=pool)
    with workers(1) as pool:
        assert match(terms, 6, pool=pool).shares == there.shares


def test_a_refusal_comes_back_from_a_node(cluster: Cluster) -> None:
    terms = Terms("nomads", 3, "greedy", "random", options={"wings": 2})
    with workers(ray=cluster.address) as pool, pytest.raises(Refusal, match="“wings”"):
        list(pool.map(play_without_check, [(terms,)]))


def play_without_check(terms: Terms) -> Any:
    from veillee.lab.match import block

    return block(terms, 0)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "auto"])
def test_an_address_where_no_cluster_is(address: str) -> None:
    with pytest.raises(Refusal, match="No Ray cluster answers"), workers(ray=address):
        pass
