"""The Lumarathon: Oh Captain!, and then Nomads by the same people, as one series.

    >>> import veillee
    >>> marathon = veillee.Marathon(players=3, seed=7)
    >>> marathon.game.contract.name
    'captain'

It plays as a game does (`seat`, `legal`, `play`, `view`, `log` …); when the first game is over the
second begins by itself with what is carried over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Self

from veillee.engine.events import Event
from veillee.engine.game import Game, game_of
from veillee.engine.library import game as contract_named
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed
from veillee.engine.sheet import begin, replay_entries
from veillee.engine.tally import Row

FORMAT = "veillee.marathon/1"
NAME = "lumarathon"
FIRST, SECOND = "captain", "nomads"
SEATS = (3, 4, 5)
CARRIED = {"first", "coins", "keeper"}
"""Options of Nomads that the first game decides."""
CLAUSES = (
    "lumarathon.players",
    "lumarathon.first",
    "lumarathon.coin",
    "lumarathon.sleepers",
    "lumarathon.lys",
    "lumarathon.standing",
)


class Marathon:
    """Two games in a row. What is not answered here is answered by the game in play."""

    def __init__(
        self,
        players: int,
        seed: Seed | bytes | str | int | None = None,
        *,
        names: Sequence[str] | None = None,
        compiled: bool = False,
        **options: Any,
    ) -> None:
        """lumarathon.players: the options are `captain` and `nomads`, each that game's options."""
        if players not in SEATS:
            raise Refusal(
                "option",
                "lumarathon.players",
                "veillee.players",
                players=players,
                fewest=min(SEATS),
                most=max(SEATS),
            )
        self.seed = Seed.of(seed)
        self.options = _options(options)
        contract_named(SECOND).template(players, self.options[SECOND])
        self.compiled = compiled
        self.games = [
            _kind(FIRST)(
                players,
                part(self.seed, FIRST),
                names=names,
                compiled=compiled,
                **self.options[FIRST],
            )
        ]

    @property
    def game(self) -> Game:
        """The game in play; at the end, the last."""
        return self.games[-1]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "games":
            raise AttributeError(name)
        return getattr(self.game, name)

    @property
    def over(self) -> bool:
        return len(self.games) == 2 and self.game.over

    def play(self, action: int | str) -> tuple[Event, ...]:
        """Take a decision in the game in play; go on to the second when the first is over."""
        happened = self.game.play(action)
        if len(self.games) == 1 and self.game.over:
            self.games.append(self._second())
        return happened

    def _second(self) -> Game:
        """lumarathon.first, lumarathon.coin, lumarathon.sleepers, lumarathon.lys"""
        return _kind(SECOND)(
            self.game.players,
            part(self.seed, SECOND),
            names=self.game.names,
            compiled=self.compiled,
            **(self.options[SECOND] | carried(self.game)),
        )

    @property
    def carried(self) -> dict[str, Any]:
        """What the first game brings into the second; nothing before its end."""
        return carried(self.games[0]) if self.games[0].over else {}

    @property
    def scores(self) -> list[int]:
        """lumarathon.standing: both games' points together."""
        return [sum(points) for points in zip(*(game.scores for game in self.games), strict=True)]

    def tally(self, seat: int) -> list[Row]:
        """Both games' score sheets, one after the other."""
        return [row for game in self.games for row in game.tally(seat)]

    @property
    def places(self) -> list[int]:
        """lumarathon.standing: a tie goes to the better place in the last game."""
        scores, last = self.scores, self.game.places
        rank = [(-points, place) for points, place in zip(scores, last, strict=True)]
        return [1 + sum(other < own for other in rank) for own in rank]

    @property
    def winners(self) -> list[int]:
        return [seat for seat, place in enumerate(self.places) if place == 1] if self.over else []

    def record(self, reveal: bool | None = None) -> dict[str, Any]:
        """The series as data; its seed is shown after the end, or if `reveal` says so."""
        shown = self.over if reveal is None else reveal
        return {
            "format": FORMAT,
            "game": NAME,
            "players": self.game.names,
            "options": self.options,
            "seed": self.seed.hex if shown else None,
            "commitment": self.seed.commitment,
            "games": [game.record(reveal) for game in self.games],
            "result": {"scores": self.scores, "places": self.places} if self.over else None,
        }

    @classmethod
    def replay(cls, record: Any, compiled: bool = False) -> Self:
        """The series of a record; refused where it is not as the rules and its seed have it."""
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise Refusal("unreadable", "veillee.record", "veillee.record.format", format=FORMAT)
        names, options, played = (record.get(key) for key in ("players", "options", "games"))
        if (
            not isinstance(names, list)
            or not isinstance(record.get("seed"), str)
            or not isinstance(options, dict)
            or not all(isinstance(name, str) for name in [*names, *options])
            or not isinstance(played, list)
            or not 1 <= len(played) <= 2
        ):
            raise Refusal("unreadable", "veillee.record", "veillee.record.parts")
        series = cls(len(names), record["seed"], names=names, compiled=compiled, **options)
        for number, sheet in enumerate(played):
            if number == len(series.games):
                raise Refusal("impossible", "lumarathon.first", "veillee.record.parts")
            game = series.games[number]
            claimed = begin(type(game), sheet, compiled)
            if claimed.states.tobytes() != game.states.tobytes():
                raise Refusal("impossible", "veillee.record", "veillee.record.commitment")
            replay_entries(series, sheet)
        if record.get("result") is not None and record["result"] != series.record()["result"]:
            raise Refusal("impossible", "veillee.record", "veillee.record.result")
        return series


def carried(first: Game) -> dict[str, Any]:
    """What a finished game of Oh Captain! brings into Nomads, as options.

    lumarathon.first, lumarathon.coin, lumarathon.sleepers
    """
    captain = int(first.state.captain)
    places = first.places
    around = [(captain + step) % first.players for step in range(first.players)]
    last = [seat for seat in around if places[seat] == max(places)][-1]
    return {"first": captain, "coins": first.winners, "keeper": last}


def _options(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of both games; refuses what is not an object of options of one of them."""
    for name, value in given.items():
        if name not in (FIRST, SECOND):
            raise Refusal(
                "option",
                "lumarathon.players",
                "veillee.option.unknown",
                name=str(name)[:40],
                options=f"{FIRST}, {SECOND}",
            )
        known = {option.name for option in contract_named(name).options} - CARRIED
        if not isinstance(value, dict) or not known.issuperset(value):
            raise Refusal(
                "option",
                "lumarathon.players",
                "veillee.option.unknown",
                name=f"{name}: {value}"[:80],
                options=", ".join(sorted(known)),
            )
    return {name: dict(given.get(name, {})) for name in (FIRST, SECOND)}


def part(seed: Seed, name: str) -> Seed:
    """One game's own seed: showing it tells nothing of the other's."""
    return Seed(hashlib.sha256(b"veillee.part:" + name.encode() + seed.bytes).digest())


def _kind(name: str) -> type[Game]:
    return game_of(contract_named(name))
