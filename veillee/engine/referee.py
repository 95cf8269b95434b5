"""The referee protocol (our UCI): JSON lines in, JSON lines out. See docs/referee.md.

No input ends the conversation: bad input is answered with `ok: false`, code, clause and message.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from veillee.engine.game import Game, game_class
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.options import whole
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.engine.registry import games
from veillee.engine.variant import variant_of

LONGEST_LINE = 1 << 20

Request = dict[str, Any]
Answer = dict[str, Any]


class Referee:
    """One conversation: at most one game at a time."""

    def __init__(self, language: str = "en", series: Mapping[str, Any] | None = None) -> None:
        """Begin a conversation.

        Args:
            language: The language of messages.
            series: Classes that are used as `Game` is but play several games, by name.
        """
        self.words = Words(language)
        self._series = series or {}
        self._game: Game | None = None
        self._does: dict[str, Callable[[Request], Answer]] = {
            "games": self._games,
            "language": self._language,
            "new": self._new,
            "load": self._load,
            "legal": self._legal,
            "act": self._act,
            "undo": self._undo,
            "view": self._view,
            "position": self._position,
            "events": self._events,
            "result": self._result,
            "record": self._record,
            "verify": self._verify,
        }

    def answer(self, line: bytes | str) -> str:
        """Return the answer to one line, without the newline."""
        request: Any = None
        reply: Answer
        try:
            request = _read(line)
            reply = {"ok": True} | self._do(request)
        except Refusal as refusal:
            reply = refusal.as_json(self.words)
        except Exception as fault:  # noqa: BLE001 a bug of ours must not end the conversation
            reply = {
                "ok": False,
                "code": "fault",
                "clause": "veillee.referee.fault",
                "message": self.words("veillee.referee.fault", fault=type(fault).__name__),
            }
        if isinstance(request, dict) and isinstance(request.get("id"), str | int):
            reply["id"] = request["id"]
        return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))

    def _do(self, request: Request) -> Answer:
        do = request.get("do")
        if not isinstance(do, str) or do not in self._does:
            raise Refusal(
                "unknown", "veillee.referee.do", do=_short(do), known=", ".join(self._does)
            )
        return self._does[do](request)

    @property
    def game(self) -> Game:
        if self._game is None:
            raise Refusal("unknown", "veillee.referee.none")
        return self._game

    def _standing(self) -> Answer:
        game = self.game
        return {
            "seat": None if game.over else game.seat,
            "phase": game.phase,
            "over": game.over,
        }

    # ------------------------------------------------------------ requests

    def _games(self, _: Request) -> Answer:
        return {
            "games": [
                {
                    "game": spec.name,
                    "rules": spec.version,
                    "title": self.words(f"{spec.name}.title"),
                    "players": list(spec.player_counts),
                    "options": {option.name: option.default for option in spec.options.OPTIONS},
                }
                for spec in games().values()
            ]
        }

    def _language(self, request: Request) -> Answer:
        language = request.get("language")
        if language not in LANGUAGES:
            raise _wrong("language", language, ", ".join(LANGUAGES))
        self.words = Words(language)
        return {"language": language}

    def _new(self, request: Request) -> Answer:
        kind = self._kind(request)
        players = request.get("players", 3)
        if not whole(players):
            raise _wrong("players", players, "2, 3, …")
        options = request.get("options", {})
        if not isinstance(options, dict):
            raise _wrong("options", options, "{…}")
        chosen: dict[str, Any] = dict(_plain_keys(options))
        if "variant" in request:
            chosen["variant"] = variant_of(request["variant"])
        self._game = kind(players, _seed(request), names=_names(request, players), **chosen)
        return self._standing() | {"commitment": self._game.seed.commitment}

    def _load(self, request: Request) -> Answer:
        position = request.get("position")
        if not isinstance(position, dict):
            raise _wrong("position", position, "{…}")
        kind = game_class(spec_named(_text(position, "game")))
        self._game = kind.from_position(position, _seed(request))
        return self._standing() | {"commitment": self._game.seed.commitment}

    def _legal(self, _: Request) -> Answer:
        game = self.game
        return self._standing() | {
            "actions": [
                {"n": int(action), "text": action.text}
                | game.spec.notation.describe(game.state, int(action))
                for action in game.legal
            ]
        }

    def _act(self, request: Request) -> Answer:
        action: Any = request.get("text", request.get("n"))
        if not isinstance(action, str) and not whole(action):
            raise _wrong("text", action, "n, text")
        spec = self.game.spec
        happened = self.game.play(action)
        return {"events": [spec.relate(event) for event in happened]} | self._standing()

    def _undo(self, request: Request) -> Answer:
        redeal = request.get("redeal", False)
        if not isinstance(redeal, bool):
            raise _wrong("redeal", redeal, "true, false")
        self.game.undo(redeal=redeal)
        return self._standing()

    def _view(self, request: Request) -> Answer:
        return {"view": self.game.view(self._seat(request))} | self._standing()

    def _position(self, _: Request) -> Answer:
        return {"position": self.game.position}

    def _events(self, request: Request) -> Answer:
        """Return all events; with `seat` (null: a spectator), redacted for that seat."""
        game = self.game
        events = game.events
        if "seat" in request:
            seat = self._seat(request)
            events = [event.seen_by(0 if seat is None else 1 << seat) for event in events]
        return {"events": [game.spec.relate(event) for event in events]}

    def _result(self, _: Request) -> Answer:
        game = self.game
        return self._standing() | {
            "scores": game.scores,
            "places": game.places,
            "winners": game.winners,
            "tally": [self._tally(seat) for seat in range(game.players)],
        }

    def _tally(self, seat: int) -> list[Answer]:
        """Return the score sheet of a seat."""
        return [
            {
                "clause": row.clause,
                "what": row.said(self.words),
                "n": row.n,
                "points": row.points,
            }
            for row in self.game.score_sheet(seat)
        ]

    def _record(self, request: Request) -> Answer:
        reveal = request.get("reveal")
        if reveal is not None and not isinstance(reveal, bool):
            raise _wrong("reveal", reveal, "true, false")
        return {"record": self.game.record(reveal)}

    def _verify(self, request: Request) -> Answer:
        record = request.get("record")
        if not isinstance(record, dict):
            raise _wrong("record", record, "{…}")
        game = self._kind(record).replay(record)
        return {
            "verified": True,
            "over": game.over,
            "scores": game.scores,
            "places": game.places,
        }

    def _kind(self, named: Request) -> Any:
        """Return the class of the game or series that a request or record names."""
        name = _text(named, "game")
        return self._series[name] if name in self._series else game_class(spec_named(name))

    def _seat(self, request: Request) -> int | None:
        seat = request.get("seat")
        if seat is None:
            return None
        if not whole(seat) or not 0 <= seat < self.game.players:
            raise _wrong("seat", seat, f"0–{self.game.players - 1}, null")
        return int(seat)


def serve(
    source: BinaryIO,
    sink: BinaryIO,
    language: str = "en",
    series: Mapping[str, Any] | None = None,
) -> None:
    """Answer line by line until the input ends."""
    answer_lines(source, sink, Referee(language, series).answer)


def answer_lines(source: BinaryIO, sink: BinaryIO, answer: Callable[[bytes], str]) -> None:
    """Write an answer for each line of the input, as soon as it is read."""
    while line := source.readline(LONGEST_LINE + 1):
        if not line.strip():
            continue
        if len(line) > LONGEST_LINE:
            while line and not line.endswith(b"\n"):
                line = source.readline(LONGEST_LINE)
            line = b"too long"
        sink.write(answer(line).encode("utf-8", "replace") + b"\n")
        sink.flush()


def _read(line: bytes | str) -> Request:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Refusal("unreadable", "veillee.referee.json", line=_short(line)) from None
    if not isinstance(found, dict):
        raise Refusal("unreadable", "veillee.referee.json", line=_short(line))
    return found


def _text(data: Request, key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise _wrong(key, value, '"…"')
    return value


def _seed(request: Request) -> str | int | None:
    seed = request.get("seed")
    if seed is None or isinstance(seed, str) or whole(seed):
        return seed
    raise _wrong("seed", seed, "64 × 0–9a–f")


def _names(request: Request, players: int) -> list[str] | None:
    names = request.get("names")
    if names is None:
        return None
    if (
        not isinstance(names, list)
        or len(names) != players
        or not all(isinstance(n, str) for n in names)
    ):
        raise _wrong("names", names, f"[{players}]")
    return names


def _plain_keys(options: Request) -> Request:
    """Refuse options named like another argument of `Game` or of a series."""
    for name in options:
        if name in ("players", "seed", "names", "compiled", "variant", "rules", "self"):
            raise _wrong("options", name, "…")
    return options


def _wrong(key: str, value: Any, expected: str) -> Refusal:
    return Refusal(
        "unreadable",
        "veillee.referee.value",
        key=key,
        value=_short(value),
        expected=expected,
    )


def _short(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return (value if isinstance(value, str) else repr(value))[:80]
