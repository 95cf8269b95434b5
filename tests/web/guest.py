"""Somebody at the web table, without a browser: forms, the script's posts, and the stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

Told = tuple[dict[str, Any], dict[str, Any]]
"""What all see, and what one person sees."""
CSRF = re.compile(r'name="csrf" value="([0-9a-f]+)"')


class Guest:
    """One person with a cookie."""

    def __init__(self, address: str, language: str = "en") -> None:
        self.http = httpx.Client(
            base_url=address, headers={"accept-language": language}, timeout=20
        )
        self.csrf = CSRF.findall(self.http.get("/").text)[0]

    def form(self, path: str, **fields: Any) -> httpx.Response:
        """Send a plain form."""
        data = {"csrf": self.csrf} | {key: str(value) for key, value in fields.items()}
        return self.http.post(path, data=data)

    def set_table(self, game: str = "nomads", seats: str = "me bot:random", **fields: Any) -> str:
        """Set a table; its path."""
        rows = {f"seat{i}": who for i, who in enumerate(seats.split())}
        answer = self.form("/new", game=game, watching="1", pace="none", **rows, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def act(self, path: str, act: str, **fields: Any) -> httpx.Response:
        """Do something as the script does."""
        return self.http.post(
            f"{path}/{act}",
            json={key: str(value) for key, value in fields.items()},
            headers={"x-veillee": "1", "x-csrf": self.csrf},
        )

    @contextmanager
    def stream(self, path: str, query: str = "") -> Iterator[Iterator[Told]]:
        """What the server tells: pairs of what all see and what this person sees."""
        with self.http.stream("GET", f"{path}/live{query}") as answer:
            assert answer.status_code == 200
            yield _messages(answer.iter_lines())

    def look(self, path: str, query: str = "") -> Told:
        """The table as it is now."""
        with self.stream(path, query) as messages:
            return next(messages)

    def play_on(self, path: str, decisions: int = 10_000) -> int:
        """Take the first choice, so many times or to the end; how many decisions that were."""
        taken = 0
        with self.stream(path) as messages:
            for shared, own in messages:
                if shared["state"] == "over" or taken >= decisions:
                    break
                if own.get("yours"):
                    choices = own["choices"]["all"]
                    action = choices[taken % len(choices)]["action"]
                    answer = self.act(path, "play", action=action, moment=shared["moment"])
                    taken += answer.status_code == 200
        return taken


def _messages(lines: Iterator[str]) -> Iterator[Told]:
    data: list[str] = []
    for line in lines:
        if line.startswith("data: "):
            data.append(line[6:])
        elif not line and data:
            yield json.loads(data[0]), json.loads(data[1])
            data = []
