"""Where Node comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import node
from tools.node import Node


def program(folder: Path, name: str, output: str = "") -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\necho {output}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("text", "major"), [("v20.11.1\n", 20), ("v8.0.0", 8), ("", 0), ("x", 0)])
def test_major_version(text: str, major: int) -> None:
    assert node.major_version(text) == major


def test_recent_node_of_the_system(on_path: Path) -> None:
    program(on_path, "node", "v20.1.0")
    program(on_path, "npm")
    found = node.from_system()
    assert found == Node((str(on_path / "node"),), (str(on_path / "npm"),), on_path)
    assert found.run("npm", "ci") == 0


@pytest.mark.parametrize("names", [("node",), ("npm",), ()])
def test_incomplete_node_is_not_used(on_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        program(on_path, name, "v20.1.0")
    assert node.from_system() is None


def test_old_node_is_not_used(on_path: Path) -> None:
    program(on_path, "node", "v12.22.0")
    program(on_path, "npm")
    assert node.from_system() is None


def test_wheel_is_installed_where_there_is_no_node(
    monkeypatch: pytest.MonkeyPatch, on_path: Path
) -> None:
    wheel = Node((str(on_path / "node"),), (str(on_path / "npm"),), on_path)
    installed: list[Node] = []
    monkeypatch.setattr(node, "install", lambda: installed.append(wheel))
    monkeypatch.setattr(node, "from_wheel", lambda: installed[0] if installed else None)
    assert node.get() == wheel


def test_wrong_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert node.main(["yarn"]) == 2
    assert "usage" in capsys.readouterr().err
