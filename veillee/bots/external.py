"""Bots as programs: JSON lines over a pipe, so that a bot can be written in any language.

The table sends requests, and the program answers each of them but the last with one line:

    > {"do": "sit", "game": "nomads", "rules": 1, "players": 3, "seat": 1, "options": {…},
       "seconds": 60}
    < {"ok": true}
    > {"do": "choose", "view": {…}, "legal": [{"n": 17, "text": "sow 3 left", …}, …],
       "seconds": 60}
    < {"ok": true, "n": 17}                or "text": "sow 3 left"
    > {"do": "over", "scores": [12, 9, 4], "places": [1, 2, 3], "winners": [0]}

`view` is the position as that seat may know it, `seconds` the time limit for the answer. A program
that breaks the rules or the protocol forfeits the game. See docs/bots.md.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import shutil
import subprocess
import threading
from typing import Any, BinaryIO

import numpy as np

from veillee.bots.bot import WARM_UPS, Bot
from veillee.bots.levels import bot
from veillee.engine.game import Game, game_class, view_position
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import States
from veillee.engine.options import whole
from veillee.engine.precompile import ensure_compiled
from veillee.engine.referee import answer_lines
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named

SECONDS = 60.0
"""Time limit for one answer of a program, unless another is given."""
LIMIT = "seconds="
CLOSING_SECONDS = 2.0
"""Seconds that a program has to exit after its input was closed."""


class Sitter:
    """The program's side of the protocol: one of our bots, for `veillee bot`."""

    def __init__(self, level: str, seed: int = 0, language: str = "en") -> None:
        self.level = level
        self.seed = seed
        self.words = Words(language)
        self._bots: dict[tuple[str, int], Bot] = {}

    def answer(self, line: bytes | str) -> str:
        """Return the answer to one line, without a line break."""
        request: Any = None
        try:
            request = _parse(line)
            reply = {"ok": True} | self._do(request)
        except Refusal as refusal:
            reply = refusal.as_json(self.words)
        if isinstance(request, dict) and isinstance(request.get("id"), str | int):
            reply["id"] = request["id"]
        return json.dumps(reply, ensure_ascii=False)

    def _do(self, request: Any) -> dict[str, Any]:
        match request:
            case {"do": "sit", "game": str(game), "players": players} if whole(players):
                spec = spec_named(game)
                spec.template(players)
                self._bot(spec, players)
                return {"level": self.level}
            case {"do": "choose", "view": {"game": str()} as view}:
                return self.choose(view)
            case {"do": "over"}:
                return {}
        shown = json.dumps(request, ensure_ascii=False)[:80]
        raise Refusal("unknown", "bots.protocol.do", do=shown)

    def choose(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return number and notation of the bot's action in a view of the seat to decide."""
        spec = spec_named(view["game"])
        seen = game_class(spec).from_position(view)
        number = self._bot(spec, seen.players).choose(seen.states)
        return {"n": number, "text": spec.notation.text(number)}

    def _bot(self, spec: GameSpec, players: int) -> Bot:
        key = (spec.name, players)
        if key not in self._bots:
            ensure_compiled(spec, WARM_UPS)
            self._bots[key] = bot(spec, players, self.level, self.seed)
        return self._bots[key]


def serve(source: BinaryIO, sink: BinaryIO, level: str, seed: int, language: str) -> None:
    """Answer line by line until the input ends."""
    answer_lines(source, sink, Sitter(level, seed, language).answer)


def _parse(line: bytes | str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise Refusal("unreadable", "veillee.referee.json", line=_shown(line)) from None


def _shown(line: bytes | str) -> str:
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    return text.strip()[:80]


# ---------------------------------------------------------------- the table's side


class Forfeit(Refusal):
    """A mistake of a program, which forfeits the game."""


def split_command(command: str, windows: bool = os.name == "nt") -> list[str]:
    """Split a command line into program and arguments, as the system's shell would.

    On Windows a backslash separates folders, so it is no escape character there.
    """
    try:
        parts = shlex.split(command, posix=not windows)
    except ValueError:
        parts = []
    if not parts:
        raise Refusal("unreadable", "bots.program.command", command=command[:80])
    return [part.strip('"') for part in parts] if windows else parts


def read_entrant(text: str) -> tuple[list[str], float]:
    """Return the command and the time limit of `node bot.js` or `seconds=5,node bot.js`.

    A command that can't be started and a limit that is no number are refused.
    """
    seconds = SECONDS
    if text.startswith(LIMIT):
        limit, _, text = text.removeprefix(LIMIT).partition(",")
        try:
            seconds = float(limit)
        except ValueError:
            seconds = 0
        if not 0 < seconds < float("inf"):
            raise Refusal("option", "bots.program.limit", value=limit[:40])
    command = split_command(text)
    if shutil.which(command[0]) is None:
        raise Refusal("unknown", "bots.program.missing", program=command[0])
    return command, seconds


class Program:
    """A bot that runs as a program of its own, for one seat in one game.

    Call it with the seat's view, as any other bot; then `finish` it. Whatever it does wrong raises
    `Forfeit`.
    """

    def __init__(self, spec: GameSpec, entrant: str) -> None:
        self.spec = spec
        command, self.seconds = read_entrant(entrant)
        self.name = entrant
        self._out = np.zeros(spec.actions, np.int16)
        self._sat = False
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError:
            raise Refusal("unknown", "bots.program.missing", program=command[0]) from None
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def __call__(self, view: States) -> int:
        """Return the program's choice for the seat to decide."""
        s = self.spec.twin(view)
        position = view_position(self.spec, s, int(s.seat))
        if not self._sat:
            self._ask(
                {
                    "do": "sit",
                    "game": self.spec.name,
                    "rules": self.spec.version,
                    "players": int(s.players),
                    "seat": int(s.seat),
                    "options": position.get("options", {}),
                    "seconds": self.seconds,
                },
                max(self.seconds, SECONDS),  # it may have to compile the game first
            )
            self._sat = True
        numbers = self._out[: self.spec.compiled.legal_at(view, 0, self._out)].tolist()
        legal = [
            {"n": n, "text": self.spec.notation.text(n)} | self.spec.notation.describe(s, n)
            for n in numbers
        ]
        reply = self._ask(
            {"do": "choose", "view": position, "legal": legal, "seconds": self.seconds},
            self.seconds,
        )
        return self._chosen(s, numbers, reply)

    def _chosen(self, s: Any, legal: list[int], reply: dict[str, Any]) -> int:
        action = reply.get("text", reply.get("n"))
        number: Any = action
        if isinstance(action, str):
            try:
                number = self.spec.notation.parse(action)
            except Refusal as refusal:
                raise self._forfeit("illegal", action=action[:80], why=refusal) from None
        if not whole(number) or not 0 <= number < self.spec.actions:
            raise self._forfeit("unknown", action=json.dumps(action)[:80])
        if number not in legal:
            why = Refusal("illegal", self.spec.forbids(s, number))
            raise self._forfeit("illegal", action=self.spec.notation.text(number), why=why)
        return int(number)

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._send(request)
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise self._forfeit("silent", seconds=f"{seconds:g}") from None
        if not line:
            raise self._forfeit("exited", code=self._process.wait())
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            raise self._forfeit("chatter", line=_shown(line)) from None
        if not isinstance(reply, dict) or reply.get("ok") is not True:
            raise self._forfeit("declined", line=_shown(line))
        return reply

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it exited: reading its answer says so
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _forfeit(self, what: str, **facts: Any) -> Forfeit:
        self.close()
        return Forfeit("forfeit", f"bots.forfeit.{what}", program=self.name, **facts)

    def finish(self, game: Game) -> None:
        """Tell the program how the game ended, and end it."""
        if self._process.poll() is None:
            self._send(
                {
                    "do": "over",
                    "scores": game.scores,
                    "places": game.places,
                    "winners": game.winners,
                }
            )
        self.close()

    def close(self) -> None:
        """Close the program's input, and kill it if it does not exit by itself."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
