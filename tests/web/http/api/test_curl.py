"""The commands of docs/api.md, run as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.guest import Guest
from tests.web.http.api.program import make_token
from tests.web.served import Served

PAGE = Path(__file__).parents[4] / "docs" / "api.md"
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl")
def test_the_commands_of_the_page_work(served: Served) -> None:
    assert len(BLOCKS) == 6
    script = "set -eu\n" + "echo\n".join(BLOCKS)
    token = make_token(Guest(served.address), scopes=("read", "play"))
    done = subprocess.run(
        ["bash", "-c", script],
        env=os.environ | {"SERVER": served.address, "TOKEN": token},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Oh Captain!" in done.stdout
    assert "event: table" in done.stdout
    assert '"phrase":"luck"' in done.stdout
    assert re.search(r'"steps":[1-9]', done.stdout)
