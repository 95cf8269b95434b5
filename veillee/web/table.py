"""One table: the sum of its log's entries, and of nothing else.

`take` adds an entry. It is called for each stored entry when a table is brought back, and for each
new one once it is on the disk, so both ways lead to the same table.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import structs

from veillee.engine.contract import Contract
from veillee.engine.game import Game, game_of
from veillee.engine.library import games
from veillee.engine.record import OVER
from veillee.engine.refusal import Refusal
from veillee.engine.seed import Seed
from veillee.web import entries as e

BOTS = ("Ondine", "Basile", "Céleste", "Anselme", "Lucine", "Tancrède")
DAY = 86_400_000
SWIFT: set[str] = set()
"""The games whose machine code this process has at hand."""


@dataclass
class Seat:
    """Who sits there: a person, a bot, or nobody yet."""

    level: str = ""
    """The bot's level, where the seat is a bot's."""
    person: str = ""
    guest: str = ""
    """The key of the name of whoever shares the person's screen there."""
    nonce: str = ""
    stand_in: str = ""
    """The level of the bot that plays while the person is gone."""
    votes: set[str] = field(default_factory=set)
    moves: int = 0
    """How often the seat went to another device: a ticket is good for one move."""
    left: int = 0
    """Milliseconds left on its clock."""

    @property
    def free(self) -> bool:
        return not self.level and not self.person

    @property
    def bot(self) -> str:
        """The level at which a bot decides here now; "" if a person does."""
        return self.level or self.stand_in


@dataclass(frozen=True)
class Said:
    """Something said at the table, before game entry number `moment`."""

    seat: int
    phrase: str
    moment: int


class Table:
    """A table in memory."""

    def __init__(self, table_id: str, seed: Seed) -> None:
        self.id = table_id
        self.secret = seed
        self.lock = asyncio.Lock()
        self.number = 0
        """How many entries its log has."""
        self.tokens: set[str] = set()
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.state = "gathering"
        """Or "playing", or "over"."""
        self.moment = 0
        """How many entries the game has: what an action names to say what it answers to."""
        self.deciding = OVER
        """The seat whose decision is awaited; -1 for none."""
        self.talk: list[Said] = []
        self.asking: int | None = None
        self.agreed: set[str] = set()
        self.paused = False
        self.next = ""
        self.ready: dict[str, str] = {}
        """The nonces for the next game, by person."""
        self.since = 0
        """When the present decision began to be awaited, in milliseconds."""
        self.ended = 0
        self.told = 0
        """The number of the last entry that changed the picture."""
        self.arranged = 0
        """The number of the last entry that was no decision of the game's."""
        self._seats_of: dict[str, list[int]] = {}
        """By person, until the next such entry."""
        self.decided: set[int] = set()
        """The seats that have taken a decision."""

    plan: e.Open

    # ------------------------------------------------------------ looking

    @cached_property
    def contract(self) -> Contract:
        found = games().get(self.plan.game)
        if found is None or found.version != self.plan.rules:
            raise Refusal("unknown", "web.table.rules", "web.table.rules")
        return found

    @property
    def people(self) -> set[str]:
        return {seat.person for seat in self.seats if seat.person}

    def seats_of(self, person: str) -> list[int]:
        found = self._seats_of.get(person)
        if found is None:
            found = [i for i, seat in enumerate(self.seats) if person and seat.person == person]
            self._seats_of[person] = found
        return found

    def name_keys(self) -> list[str]:
        """The keys under which the names of persons and guests are kept."""
        return [seat.guest or seat.person for seat in self.seats]

    def names(self, known: dict[str, str], nobody: str) -> list[str]:
        """The names at the seats, no two the same."""
        found: list[str] = []
        for i, key in enumerate(self.name_keys()):
            name = known.get(key) or nobody if key else BOTS[i % len(BOTS)]
            again = 2
            unique = name
            while unique in found:
                unique = f"{name} {again}"
                again += 1
            found.append(unique)
        return found

    def deadline(self) -> int | None:
        """When the time of the awaited seat is up, in milliseconds; None where nothing runs."""
        if self.plan.timing == "untimed" or self.paused or self.state != "playing":
            return None
        seat = self.seats[self.deciding]
        if seat.bot:
            return None
        return self.since + (self.plan.amount * DAY if self.plan.timing == "days" else seat.left)

    def mixed_seed(self) -> Seed:
        """The game's seed: the table's, with a nonce from every person."""
        return self.secret.mixed(bytes.fromhex(s.nonce) for s in self.seats if s.nonce)

    # ------------------------------------------------------------ adding to it

    def take(self, entry: e.Any_, at: int) -> None:
        """Add an entry that was written at a time (milliseconds)."""
        self.number += 1
        if not isinstance(entry, e.Play):
            self.arranged = self.number
            self._seats_of = {}
        getattr(self, f"_{type(entry).__name__.lower()}")(entry, at)
        if self.game is not None:
            self.moment = len(self.game.entries)
            self.deciding = self.game.seat
            self.state = "over" if self.deciding == OVER else "playing"

    def _open(self, entry: e.Open, _: int) -> None:
        self.plan = entry
        self.seats = [Seat(level, left=entry.amount * 60_000) for level in entry.bots]

    def _sit(self, entry: e.Sit, _: int) -> None:
        seat = self.seats[entry.seat]
        seat.level, seat.person, seat.guest = "", entry.person, entry.guest
        seat.nonce = entry.nonce

    def _stand(self, entry: e.Stand, _: int) -> None:
        seat = self.seats[entry.seat]
        seat.level = seat.person = seat.guest = seat.nonce = ""

    def _bot(self, entry: e.Bot, _: int) -> None:
        self._stand(e.Stand(entry.seat), 0)
        self.seats[entry.seat].level = entry.level

    def _swap(self, entry: e.Swap, _: int) -> None:
        seats = self.seats
        seats[entry.one], seats[entry.other] = seats[entry.other], seats[entry.one]

    def _drop(self, _: e.Drop, __: int) -> None:
        self.seats = [seat for seat in self.seats if not seat.free]

    def _start(self, _: e.Start, at: int) -> None:
        kind = game_of(self.contract)
        swift = self.plan.game in SWIFT
        self.game = kind(len(self.seats), self.mixed_seed(), compiled=swift, **self.plan.options)
        self.since = at
        self.told = self.number

    def _play(self, entry: e.Play, at: int) -> None:
        assert self.game is not None
        self._stop_clock(at)
        self.decided.add(self.game.seat)
        self.game.play(entry.action)
        self._turned()
        if self.game.over:
            self.ended = at

    def _undo(self, entry: e.Undo, at: int) -> None:
        assert self.game is not None
        self._stop_clock(at)
        for _ in range(entry.steps):
            self.game.undo(entry.redeal)
        self.decided = {step.seat for step in self.game.steps}
        self.ended = 0
        self._turned()

    def _turned(self) -> None:
        self.asking = None
        self.agreed = set()
        self.told = self.number

    def _stop_clock(self, at: int) -> None:
        if self.plan.timing == "clock" and not self.paused:
            self.seats[self.deciding].left -= max(0, at - self.since)
        self.since = at

    def _ask(self, entry: e.Ask, _: int) -> None:
        self.asking = entry.seat
        self.agreed = {self.seats[entry.seat].person}

    def _answer(self, entry: e.Answer, _: int) -> None:
        if entry.yes:
            self.agreed.add(entry.person)
        else:
            self.asking = None
            self.agreed = set()

    def _talk(self, entry: e.Talk, _: int) -> None:
        self.talk.append(Said(entry.seat, entry.phrase, self.moment))

    def _pause(self, entry: e.Pause, at: int) -> None:
        if entry.on and not self.paused:
            self._stop_clock(at)
        self.paused = entry.on
        self.since = at

    def _pace(self, entry: e.Pace, _: int) -> None:
        self.plan = structs.replace(self.plan, pace=entry.ms)

    def _vote(self, entry: e.Vote, _: int) -> None:
        self.seats[entry.seat].votes.add(entry.person)

    def _replace(self, entry: e.Replace, at: int) -> None:
        seat = self.seats[entry.seat]
        seat.stand_in = entry.level
        seat.votes = set()
        self.since = at

    def _return(self, entry: e.Return, at: int) -> None:
        seat = self.seats[entry.seat]
        seat.stand_in = ""
        seat.votes = set()
        seat.left = max(seat.left, 60_000)
        self.since = at

    def _move(self, entry: e.Move, _: int) -> None:
        seat = self.seats[entry.seat]
        if not seat.guest:
            seat.guest = seat.person
        seat.person = entry.person
        seat.moves += 1

    def _ready(self, entry: e.Ready, _: int) -> None:
        self.ready.setdefault(entry.person, entry.nonce)

    def _next(self, entry: e.Next, _: int) -> None:
        self.next = entry.table

    # ------------------------------------------------------------ going back

    def last_decision_of(self, seat: int) -> int | None:
        """How many steps back the last decision of a seat lies."""
        if self.game is not None:
            for back, step in enumerate(reversed(self.game.steps), 1):
                if step.seat == seat:
                    return back
        return None

    def record(self, names: list[str]) -> dict[str, Any]:
        """The game as data, its seed too once it is over."""
        assert self.game is not None
        self.game.names = names
        return self.game.record()
