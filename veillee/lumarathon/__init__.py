"""The Lumarathon: two games by the same people, as one series.

    >>> import veillee
    >>> marathon = veillee.Marathon(players=3, seed=7)
    >>> marathon.game.spec.name
    'captain'

It is played as a game is (`seat`, `legal`, `play`, `view`, `log` …). When the first game is over,
the second begins with what is carried over. Which games these are, and what the one hands on to the
other, is in their specs (`GameSpec.series`).
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self

from veillee.engine.events import Event
from veillee.engine.game import Action, Game, game_class
from veillee.engine.game_spec import GameSpec, Position
from veillee.engine.refusal import Refusal
from veillee.engine.registry import NEWEST, games
from veillee.engine.registry import game as spec_named
from veillee.engine.replay import begin, replay_entries
from veillee.engine.score_sheet import Row
from veillee.engine.seed import Seed
from veillee.engine.variant import Variant, variant_of

FORMAT = "veillee.marathon/1"
NAME = "lumarathon"
CLAUSES = (
    "lumarathon.players",
    "lumarathon.first",
    "lumarathon.coin",
    "lumarathon.sleepers",
    "lumarathon.lys",
    "lumarathon.standing",
)
RULINGS = ("lumarathon.coin", "lumarathon.sleepers", "lumarathon.lys", "lumarathon.standing")
"""Clauses that say more than the printed rules: our decisions, marked as such in their texts."""


def _parts() -> list[GameSpec]:
    found = [spec for spec in games().values() if spec.series and spec.series.series == NAME]
    return sorted(found, key=lambda spec: spec.series.order if spec.series else 0)


_first, _second = _parts()
FIRST, SECOND = _first.name, _second.name
SEATS = tuple(n for n in _first.player_counts if n in _second.player_counts)


class Marathon:
    """Two games in a row. Other attributes are those of the game in play."""

    def __init__(
        self,
        players: int,
        seed: Seed | bytes | str | int | None = None,
        *,
        names: Sequence[str] | None = None,
        compiled: bool = False,
        rules: Mapping[str, int] | None = None,
        variants: Sequence[Variant] = (),
        **options: Any,
    ) -> None:
        """lumarathon.players

        Options are those of both games: `captain.coins`, or `captain={"coins": 20}`. Each game may
        have a variant.

        `rules` are the versions of the games' rules, by name; the newest by default.
        """
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
        self._rules = dict(rules or {})
        self.variants = {variant.game: variant for variant in variants}
        for name, variant in self.variants.items():
            self._check(name, variant)
        self._kind(SECOND).spec.template(players, self._values(SECOND))
        self.compiled = compiled
        self.games = [
            self._kind(FIRST)(
                players,
                part(self.seed, FIRST),
                names=names,
                compiled=compiled,
                variant=self.variants.get(FIRST),
                **self.options[FIRST],
            )
        ]

    def _check(self, name: str, variant: Variant) -> None:
        """Refuse a variant of another game, or one that sets what is set or carried over."""
        if name not in (FIRST, SECOND):
            variant.options(NAME, {})
        takes = _second.series.takes if name == SECOND and _second.series else {}
        variant.options(name, {**self.options[name], **takes})

    def _values(self, name: str) -> dict[str, Any]:
        """Return the options of a game with the values of its variant."""
        variant = self.variants.get(name)
        return {**(variant.values if variant else {}), **self.options[name]}

    def _kind(self, name: str) -> type[Game]:
        return game_class(spec_named(name, self._rules.get(name, NEWEST)))

    @property
    def game(self) -> Game:
        """The game in play; after the end, the last one."""
        return self.games[-1]

    spec: GameSpec
    players: int
    names: list[str]
    seat: int
    phase: str
    legal: list[Action]
    position: Position
    events: list[Event]
    entries: list[str]

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the game in play; those above are the ones most used."""
        if name.startswith("_") or name == "games":
            raise AttributeError(name)
        return getattr(self.game, name)

    @property
    def over(self) -> bool:
        return len(self.games) == 2 and self.game.over

    def play(self, action: int | str) -> tuple[Event, ...]:
        """Take a decision and return what happened; begin the second game after the first."""
        happened = self.game.play(action)
        if len(self.games) == 1 and self.game.over:
            self.games.append(self._second())
        return happened

    def _second(self) -> Game:
        """lumarathon.first, lumarathon.coin, lumarathon.sleepers, lumarathon.lys"""
        return self._kind(SECOND)(
            self.game.players,
            part(self.seed, SECOND),
            names=self.game.names,
            compiled=self.compiled,
            variant=self.variants.get(SECOND),
            **(self.options[SECOND] | carried(self.game)),
        )

    def copy(self) -> Self:
        """Return an independent copy."""
        other = type(self).__new__(type(self))
        other.__dict__ |= self.__dict__ | {
            "options": copy.deepcopy(self.options),
            "games": [game.copy() for game in self.games],
        }
        return other

    def __copy__(self) -> Self:
        return self.copy()

    @property
    def carried(self) -> dict[str, Any]:
        """Values that the first game hands on to the second; empty before its end."""
        return carried(self.games[0]) if self.games[0].over else {}

    @property
    def scores(self) -> list[int]:
        """lumarathon.standing: the points of both games together."""
        return [sum(points) for points in zip(*(game.scores for game in self.games), strict=True)]

    def score_sheet(self, seat: int) -> list[Row]:
        """Return the score sheets of both games, one after the other."""
        return [row for game in self.games for row in game.score_sheet(seat)]

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
        """Return the series as JSON data; see `Game.record`."""
        shown = self.over if reveal is None else reveal
        written = {
            "format": FORMAT,
            "game": NAME,
            "players": self.game.names,
            "options": self.options,
            "seed": self.seed.hex if shown else None,
            "commitment": self.seed.commitment,
            "games": [game.record(reveal) for game in self.games],
            "result": {"scores": self.scores, "places": self.places} if self.over else None,
        }
        variants = [asdict(variant) for variant in self.variants.values()]
        return written | ({"variants": variants} if variants else {})

    @classmethod
    def replay(cls, record: Any, compiled: bool = False) -> Self:
        """Return the series of a record, played again.

        Raises:
            Refusal: If the record is not what its seed and the rules lead to.
        """
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            raise Refusal("unreadable", "veillee.record", "veillee.record.format", format=FORMAT)
        names, options, played = (record.get(key) for key in ("players", "options", "games"))
        if (
            not isinstance(names, list)
            or not isinstance(record.get("seed"), str)
            or not isinstance(options, dict)
            or not all(isinstance(name, str) for name in [*names, *options])
            or not isinstance(played, list)
            or not isinstance(record.get("variants", []), list)
            or not 1 <= len(played) <= 2
        ):
            raise Refusal("unreadable", "veillee.record", "veillee.record.parts")
        rules = dict(zip((FIRST, SECOND), map(_version, played), strict=False))
        series = cls(
            len(names),
            record["seed"],
            names=names,
            compiled=compiled,
            rules=rules,
            variants=[variant_of(variant) for variant in record.get("variants", [])],
            **_options(options),
        )
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


def _version(record: Any) -> Any:
    return record.get("rules") if isinstance(record, dict) else None


def carried(first: Game) -> dict[str, Any]:
    """Return what a finished first game brings into the second, as options of the second.

    lumarathon.first, lumarathon.coin, lumarathon.sleepers
    """
    brings, takes = _first.series, _second.series
    assert brings is not None
    assert brings.brings is not None
    assert takes is not None
    facts = brings.brings(first.state, first.places)
    return {option: facts[name] for option, name in takes.takes.items()}


def option_names() -> list[str]:
    """Return the options of both games, told apart: `captain.coins`, `nomads.quick`."""
    return [
        f"{spec.name}.{option.name}"
        for spec in (_first, _second)
        for option in spec.options.OPTIONS
        if not spec.series or option.name not in spec.series.takes
    ]


def _options(given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Sort options by game, whether given as `captain.coins` or as an object under `captain`."""
    flat: dict[str, Any] = {}
    for name, value in given.items():
        if name in (FIRST, SECOND) and isinstance(value, dict):
            flat |= {f"{name}.{option}": chosen for option, chosen in value.items()}
        else:
            flat[name] = value
    known = option_names()
    found: dict[str, dict[str, Any]] = {FIRST: {}, SECOND: {}}
    for name, value in flat.items():
        if name not in known:
            raise Refusal(
                "option",
                "lumarathon.players",
                "veillee.option.unknown",
                name=name[:40],
                options=", ".join(known),
            )
        game, _, option = name.partition(".")
        found[game][option] = value
    return found


def part(seed: Seed, name: str) -> Seed:
    """Return the seed of one game, derived so that revealing it tells nothing of the other's."""
    return Seed(hashlib.sha256(b"veillee.part:" + name.encode() + seed.bytes).digest())
