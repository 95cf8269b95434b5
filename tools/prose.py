"""`python -m tools.prose`: keep paraphrases for engineering terms out of code and documentation.

A term that an engineer would search for must be findable. Each pattern below once stood where the
usual word on the right belongs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# A letter in brackets keeps a pattern from matching itself in a search over all files.
PATTERNS = {
    r"rubb[i]sh": "garbage, garbage collection",
    r"numbers? with a p[o]int": "float, float64",
    r"of which n[o]thing is known": "uninitialised, unknown",
    r"the r[a]ther\b": "the more likely",
    r"for wh[i]ch nobody waits": "in the background",
    r"none of them spec[i]al": "workers",
    r"\bmachine room\b": "scratch memory",
    r"\bblot(s|ted|ting)?\b": "redact",
    r"\bdeal(t|s|ing)? anew\b": "dealt again, resample",
    r"\bwhat is made from plain values\b": "cache",
    r"\bsigns? of life\b": "heartbeat, presence",
    r"\bthe thinkers?\b": "bot pool",
    r"\bwho looks? (on|in)\b": "spectator, viewer",
    r"\bwhoever is awaited\b": "the player to decide",
    r"\bby lot\b": "at random",
    r"\bcan be gone through\b": "can be enumerated",
    r"\bas a (network|machine) wants\b": "in the form that … takes",
}
SUFFIXES = (
    *(".py", ".md", ".js", ".css", ".html", ".toml", ".sql", ".yaml", ".yml", ".sh"),
    *(".conf", ".service"),
)
NAMES = ("Caddyfile", "Dockerfile", "Makefile")
EXCLUDED = ("tools/prose.py", "CHANGELOG.md")


def findings(files: list[Path]) -> Iterator[str]:
    """Yield a line for each place where a listed paraphrase stands."""
    for file in files:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            for pattern, instead in PATTERNS.items():
                found = re.search(pattern, line, re.IGNORECASE)
                if found:
                    yield f"{file}:{number}: “{found[0]}”: say {instead}"


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    return [
        Path(name)
        for name in listed.stdout.splitlines()
        if (name.endswith(SUFFIXES) or Path(name).name in NAMES)
        and name not in EXCLUDED
        and Path(name).is_file()
    ]


def main() -> None:
    found = list(findings(tracked_files()))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
