"""Lines that a careless or hostile program might send to the referee.

`python -m tests.engine.fuzz 1000000` sends a million and fails on the first that is not answered
well. `python -m tests.engine.fuzz --positions 1000000` loads a million positions, views and
records, compiled and plain: see `fuzz_positions.py`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from tests.engine.fuzz_positions import run_positions
from veillee.engine.referee import Referee
from veillee.engine.registry import games

DOES = (
    *("games", "language", "new", "load", "legal", "act", "act", "act", "undo", "view"),
    *("position", "events", "result", "record", "verify", "", "fly"),
)
KEYS = (
    *("do", "game", "players", "seed", "options", "position", "text", "n", "seat", "record"),
    *("id", "redeal", "reveal", "names", "language", "quick", "seats", "spaces", "phase"),
)


class Fuzzer:
    """Talks to a referee: sound requests, bent ones, and noise."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.referee = Referee()
        self.last: dict[str, Any] = {}

    def lines(self) -> Iterator[bytes | str]:
        while True:
            kind = self.chance.random()
            if kind < 0.45:
                yield json.dumps(self.request())
            elif kind < 0.75:
                yield json.dumps(self.bent(self.request()))
            elif kind < 0.9:
                yield self.cut(json.dumps(self.request()).encode())
            else:
                yield self.chance.randbytes(self.chance.randrange(60))

    def request(self) -> dict[str, Any]:
        chance = self.chance
        do = chance.choice(DOES)
        request: dict[str, Any] = {"do": do}
        if do == "new":
            request |= {"game": chance.choice([*games(), "chess"]), "players": chance.randrange(7)}
            request["options"] = chance.choice([{}, {"quick": True}, {"quick": 3}, {"x": 1}])
        elif do == "act":
            actions = self.last.get("actions") or [{"n": 0, "text": "pass"}]
            action = chance.choice(actions)
            request |= chance.choice([{"n": action["n"]}, {"text": action["text"]}])
            if chance.random() < 0.2:
                request = {"do": "act", "n": chance.randrange(-5, 4000)}
        elif do == "load":
            request["position"] = self.last.get("position", {})
        elif do == "verify":
            request["record"] = self.last.get("record", {})
        elif do in ("view", "events"):
            request["seat"] = chance.choice([None, 0, 1, 5, 9, -1])
        elif do == "language":
            request["language"] = chance.choice(["en", "fr", "es", "xx"])
        return request

    def bent(self, value: Any) -> Any:
        """The same with something changed somewhere inside."""
        chance = self.chance
        if isinstance(value, dict) and value and chance.random() < 0.8:
            key = chance.choice(list(value))
            return value | {key: self.bent(value[key])}
        if isinstance(value, list) and value and chance.random() < 0.8:
            place = chance.randrange(len(value))
            return [*value[:place], self.bent(value[place]), *value[place + 1 :]]
        return chance.choice(
            [
                *(None, True, -1, 0, 10**30, 1.5, "", "red", "\ud800", "🔥" * 50, [], {}, [[]]),
                {chance.choice(KEYS): chance.choice([None, 3, "x", [], {}])},
                [value, value],
                chance.randrange(-200, 200),
            ]
        )

    def cut(self, line: bytes) -> bytes:
        place = self.chance.randrange(len(line))
        return line[:place] + self.chance.randbytes(self.chance.randrange(3)) + line[place + 1 :]

    def send(self, line: bytes | str) -> dict[str, Any]:
        """Send a line and hold the answer to the protocol."""
        answer: dict[str, Any] = json.loads(self.referee.answer(line))
        assert isinstance(answer["ok"], bool), line
        if answer["ok"]:
            self.last |= {k: answer[k] for k in ("actions", "position", "record") if k in answer}
        else:
            assert answer["code"] != "fault", (line, answer)
            assert answer["clause"], line
            assert answer["message"], line
        return answer


def run(n: int, seed: int) -> dict[str, int]:
    """Send n lines; how many were done, and how many refused with which code."""
    fuzzer = Fuzzer(seed)
    counts: dict[str, int] = {}
    for _, line in zip(range(n), fuzzer.lines(), strict=False):
        answer = fuzzer.send(line)
        key = "ok" if answer["ok"] else answer["code"]
        counts[key] = counts.get(key, 0) + 1
    return counts


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("n", type=int, help="how many lines or positions")
    arguments.add_argument("seed", type=int, nargs="?", default=0)
    arguments.add_argument("--positions", action="store_true", help="load positions instead")
    given = arguments.parse_args()
    if given.positions:
        print(run_positions(given.n, given.seed, progress=True))
    else:
        print(run(given.n, given.seed))
