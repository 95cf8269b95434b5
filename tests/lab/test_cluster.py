"""A study on a Ray cluster of two nodes, of which one is killed; run by `make test-cluster`."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

from veillee.engine.refusal import Refusal
from veillee.lab.executor import RayExecutor, Workers, workers
from veillee.lab.match import Terms, match
from veillee.lab.study import Plan, printed, study

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]

PLAN = Plan("lumens", (printed("lumens"),), (2,), ("random", "greedy"), 200_000, 160)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    yield started
    started.shutdown()  # type: ignore[no-untyped-call]


class Watched(Workers):
    """Workers whose tasks leave a file in a folder when they begin, and another when they end."""

    def __init__(self, address: str, folder: Path) -> None:
        cluster = RayExecutor(address)
        super().__init__(lambda: cluster, cluster.size, cluster.lost())
        self._folder = folder

    def map(self, task: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Any:
        return super().map(watched, ((self._folder, task, *given) for given in arguments))

    def hold(self, node: str) -> None:
        """Let no task of a node end from now on."""
        (self._folder / f"{node}.held").touch()

    def begun(self, node: str) -> set[str]:
        """Return the tasks that a node began, each as a hash of its arguments."""
        return {path.name.partition(".")[0] for path in self._folder.glob(f"*.{node}.begun")}

    def ended(self, node: str) -> set[str]:
        return {path.name.partition(".")[0] for path in self._folder.glob(f"*.{node}.ended")}


def watched(folder: Path, task: Callable[..., Any], *given: Any) -> Any:
    node = ray.get_runtime_context().get_node_id()
    known = [each for each in given if not callable(each)]
    name = hashlib.sha256(repr(known).encode()).hexdigest()
    (folder / f"{name}.{node}.begun").touch()
    result = task(*given)
    while (folder / f"{node}.held").exists():
        time.sleep(0.01)
    (folder / f"{name}.{node}.ended").touch()
    return result


def test_a_study_on_two_nodes_of_which_one_dies_equals_the_local_one(
    cluster: Cluster, tmp_path: Path
) -> None:
    """The node dies with a chunk under way, which the other one then plays."""
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    lost: set[str] = set()
    pool = Watched(cluster.address, tmp_path)

    def kill() -> None:
        time.sleep(1)  # for a task that is just ending
        while not lost:
            time.sleep(0.01)
            lost.update(pool.begun(second.node_id) - pool.ended(second.node_id))
        cluster.remove_node(second, allow_graceful=False)

    killer = Thread(target=kill, daemon=True)

    def begin_to_kill(title: str, done: int, _: int) -> None:
        if "greedy" in title and done >= 24 and not killer.ident:
            pool.hold(second.node_id)
            killer.start()

    try:
        assert pool.size == 2
        there = study(PLAN, pool=pool, progress=begin_to_kill)
    finally:
        pool.close()
    assert lost
    assert lost <= pool.ended("*")
    assert not lost & pool.ended(second.node_id)
    with workers(2) as local:
        here = study(PLAN, pool=local)
    assert [cell.data() for cell in there.cells.values()] == [
        cell.data() for cell in here.cells.values()
    ]
    assert there.skill == here.skill


def test_a_task_that_always_kills_its_worker_ends_the_run(cluster: Cluster) -> None:
    with (
        workers(ray=cluster.address) as pool,
        pytest.raises(Refusal, match="died 4 times on the same task"),
    ):
        list(pool.map(die, [()]))


def die() -> None:
    os._exit(1)


def test_nodes_that_join_are_given_work(cluster: Cluster) -> None:
    with workers(ray=cluster.address) as pool:
        assert pool.size == 1
        cluster.add_node(num_cpus=2)
        cluster.wait_for_nodes()
        assert pool.size == 3


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
