"""Fuzzing of the API from its OpenAPI document, with every check of schemathesis.

    python -m tests.web.http.api.fuzz 500      # examples for each operation

starts a server of its own, makes a token, and runs all phases: examples, coverage of the schemas,
fuzzing, and stateful sequences along the links between operations.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.web.http.api.program import Program
from tests.web.served import Served, sqlite_in

CONFIG = Path(__file__).parent / "schemathesis.toml"
HANDLE = "sparring-partner"
"""The bot that the configuration names."""


def fuzz(server: Served, examples: int, seed: int = 1) -> subprocess.CompletedProcess[str]:
    """Run schemathesis against a server."""
    program, _ = Program.of(server.address), Program.of(server.address, HANDLE)
    program.open("lumens", "me open")
    return subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
            f"{server.address}/api/v1/openapi.json",
            *("--header", f"Authorization: {program.http.headers['authorization']}"),
            *("--max-examples", str(examples), "--seed", str(seed), "--workers", "1"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(sqlite_in(Path(folder)), "--no-limits") as server,
    ):
        done = fuzz(server, count)
    print(done.stdout, done.stderr)
    sys.exit(done.returncode)
