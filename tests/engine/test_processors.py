"""Only the processors that a process may use count, not all that the machine has."""

from __future__ import annotations

from pathlib import Path

import pytest

from veillee.engine import processors as module
from veillee.engine.processors import processors
from veillee.lab.executor import workers
from veillee.web.bot_pool import usual_processes

POD = "kubepods/pod7/c1"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the cgroup files of a machine with 64 processors."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    monkeypatch.setattr(module, "PROCESS", tmp_path / "process")
    monkeypatch.setattr(module, "MOUNT", tmp_path / "mount")
    return tmp_path


def write(machine: Path, cgroup: str, files: dict[str, str]) -> None:
    (machine / "process").write_text(cgroup)
    for name, text in files.items():
        file = machine / "mount" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def test_affinity(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not (machine / "process").exists()
    assert processors() == 64
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert processors() == 2
    monkeypatch.delattr("os.sched_getaffinity")  # as on macOS and Windows
    assert processors() == 64


@pytest.mark.parametrize(
    ("cgroup", "files", "expected"),
    [
        ("0::/", {"cpu.max": "max 100000"}, 64),
        ("0::/", {"cpu.max": "200000 100000"}, 2),
        ("0::/", {"cpu.max": "250000 100000"}, 3),
        ("0::/", {"cpu.max": "50000 100000"}, 1),
        ("0::/", {"cpu.max": "9900000 100000"}, 64),
        (f"0::/{POD}", {"cpu.max": "400000 100000"}, 4),
        (f"0::/{POD}", {f"{POD}/cpu.max": "max 100000", "kubepods/cpu.max": "300000 100000"}, 3),
        ("4:memory:/a\n0::/", {}, 64),
        (
            f"5:cpu,cpuacct:/{POD}\n4:memory:/a\n0::/",
            {"cpu,cpuacct/cpu.cfs_quota_us": "200000", "cpu,cpuacct/cpu.cfs_period_us": "100000"},
            2,
        ),
        (
            "1:cpu:/\n2:cpuset:/",
            {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"},
            64,
        ),
    ],
)
def test_quota_of_a_container(
    machine: Path, cgroup: str, files: dict[str, str], expected: int
) -> None:
    write(machine, cgroup, files)
    assert processors() == expected


def test_lab_and_bots_keep_to_the_quota(machine: Path) -> None:
    write(machine, "0::/", {"cpu.max": "300000 100000"})
    with workers() as pool:
        assert pool.size == 3
    assert usual_processes() == 2
    assert usual_processes(workers=2) == 1
