"""Line numbers of keys in TOML and JSON, for messages about a value that parsers accept."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str, ...]
TOML_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*'
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<end>\n)",
    re.DOTALL,
)
"""A string, a comment, a bracket, or the end of a line."""
JSON_TOKEN = re.compile(
    r'(?P<string>"(?:\\.|[^"\\])*")(?P<colon>\s*:)?|(?P<open>[\[{])|(?P<close>[\]}])'
)


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """Return the line of a path, or of the nearest table around it; 1 if there is none."""
    around = (path[:length] for length in range(len(path), 0, -1))
    return next((lines[each] for each in around if each in lines), 1)


def toml_lines(text: str) -> dict[Path, int]:
    """Return the line on which each key of valid TOML is first named, by its path."""
    found: dict[Path, int] = {}
    table: Path = ()
    for line, statement in _statements(text):
        paths = [*_paths(tomllib.loads(statement))]
        if statement.lstrip().startswith("["):
            table = paths[-1]
        else:
            paths = [(*table, *path) for path in paths]
        for path in paths:
            found.setdefault(path, line)
    return found


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield headers and assignments, each with its first line; each is valid TOML by itself."""
    depth, start, line, lines = 0, 0, 1, 1
    for token in TOML_TOKEN.finditer(text):
        lines += token[0].count("\n")
        depth += (token["open"] is not None) - (token["close"] is not None)
        if token["end"] and depth == 0:
            yield line, text[start : token.start()]
            start, line = token.end(), lines
    yield line, text[start:]


def _paths(data: Mapping[str, Any], around: Path = ()) -> Iterator[Path]:
    """Yield the paths of all keys, tables before what is in them."""
    for key, value in data.items():
        yield (*around, key)
        if isinstance(value, dict):
            yield from _paths(value, (*around, key))


def json_lines(text: str) -> dict[Path, int]:
    """Return the line on which each key of valid JSON is named, by its path."""
    found: dict[Path, int] = {}
    around: list[str] = []
    key, line, counted = "", 1, 0
    for token in JSON_TOKEN.finditer(text):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        if token["colon"]:
            key = json.loads(token["string"], strict=False)
            found[*around[1:], key] = line
        elif token["open"]:
            around.append(key)
            key = ""
        elif token["close"]:
            around.pop()
    return found
