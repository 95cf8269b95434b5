"""Bots as programs: JSON lines over a pipe, so that any language can sit at a table.

The table sends, and the program answers each with one line:

    > {"do": "sit", "game": "nomads", "players": 3, "seat": 1}
    < {"ok": true}
    > {"do": "choose", "view": {…}}        the position as that seat may know it
    < {"ok": true, "text": "sow 3 left"}   or "n": 17
"""

from __future__ import annotations

import json
import shlex
import subprocess
from typing import Any, BinaryIO

from veillee.bots.bot import Bot
from veillee.bots.levels import bot
from veillee.engine.contract import Contract
from veillee.engine.game import game_of
from veillee.engine.library import game as contract_named
from veillee.engine.options import whole
from veillee.engine.record import States
from veillee.engine.referee import LONGEST_LINE
from veillee.engine.refusal import Refusal
from veillee.engine.words import Words


class Sitter:
    """Our side of the conversation: a bot of a level that answers for the seats it is given."""

    def __init__(self, level: str, seed: int = 0, language: str = "en") -> None:
        self.level = level
        self.seed = seed
        self.words = Words(language)
        self._bots: dict[tuple[str, int], Bot] = {}

    def answer(self, line: bytes | str) -> str:
        """One line's answer, without the newline."""
        try:
            reply = {"ok": True} | self._do(line)
        except Refusal as refusal:
            reply = {
                "ok": False,
                "code": refusal.code,
                "clause": refusal.clause,
                "message": refusal.message(self.words),
            }
        return json.dumps(reply, ensure_ascii=False)

    def _do(self, line: bytes | str) -> dict[str, Any]:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            raise Refusal("unreadable", "veillee.referee.json", line=str(line)[:80]) from None
        match request:
            case {"do": "sit", "game": str(game), "players": players} if whole(players):
                contract_named(game).template(players)
                return {"level": self.level}
            case {"do": "choose", "view": {"game": str(game)} as view}:
                contract = contract_named(game)
                seen = game_of(contract).from_position(view)
                number = self._bot(contract, seen.players).choose(seen.states)
                return {"n": number, "text": contract.text(number)}
        raise Refusal("unknown", "veillee.referee.do", do=str(line)[:80], known="sit, choose")

    def _bot(self, contract: Contract, players: int) -> Bot:
        key = (contract.name, players)
        if key not in self._bots:
            self._bots[key] = bot(contract, players, self.level, self.seed)
        return self._bots[key]


def serve(source: BinaryIO, sink: BinaryIO, level: str, seed: int, language: str) -> None:
    """Answer line by line until the input ends."""
    sitter = Sitter(level, seed, language)
    while line := source.readline(LONGEST_LINE):
        if line.strip():
            sink.write(sitter.answer(line).encode("utf-8", "replace") + b"\n")
            sink.flush()


class Program:
    """The table's side: a program that was started, and is asked."""

    def __init__(self, contract: Contract, command: str) -> None:
        self.contract = contract
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._sat = False

    def choose(self, view: States) -> int:
        """Ask for the seat to decide; an answer that is not legal is refused."""
        s = self.contract.twin(view)
        game = game_of(self.contract).from_position(
            {"game": self.contract.name} | self.contract.write(s)
        )
        if not self._sat:
            self._ask(
                {
                    "do": "sit",
                    "game": self.contract.name,
                    "players": game.players,
                    "seat": game.seat,
                }
            )
            self._sat = True
        reply = self._ask({"do": "choose", "view": game.position})
        return game.number(reply.get("text", reply.get("n", "")))

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict) or reply.get("ok") is not True:
            raise Refusal("unreadable", "veillee.referee.json", line=repr(line)[:80])
        return reply

    def close(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        if self._process.stdout:
            self._process.stdout.close()
        self._process.wait(10)

    def __del__(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
