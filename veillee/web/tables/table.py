"""One table: the sum of its log entries.

`apply` adds an entry. It is called for each stored entry when a table is loaded, and for each new
one once it is durable, so both ways lead to the same table.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from msgspec import structs

from veillee.bots.characters import RANDOM, proper_name
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import OVER
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game, games
from veillee.engine.seed import Seed
from veillee.engine.variant import Variant, labelled
from veillee.web.tables import log

BOT_NAMES = ("Ondine", "Basile", "Céleste", "Anselme", "Lucine", "Tancrède")
MS_PER_DAY = 86_400_000
LEAST_TO_GO_ON = 60_000
"""Milliseconds on the clock of a person who comes back, or goes on against bots, at least."""
COMPILED: set[GameSpec] = set()
"""The games whose machine code this process has loaded."""
COMPILING: set[GameSpec] = set()
"""The games that are being compiled: their bots wait for that."""


def bot_name(game_name: str, level: str, seat: int) -> str:
    """Return the name of a bot: its character's, else one for the seat."""
    spec = games().get(game_name)
    return (proper_name(spec, level) if spec else "") or BOT_NAMES[seat % len(BOT_NAMES)]


@dataclass
class Seat:
    """A person's seat, a bot's, or a free one."""

    level: str = ""
    """The bot's level, if the seat is a bot's."""
    person: str = ""
    guest: str = ""
    """The key of the name of the player who shares the person's screen."""
    nonce: str = ""
    stand_in: str = ""
    """The level of the bot that plays while the person is away."""
    votes: set[str] = field(default_factory=set)
    transfers: int = 0
    """Number of transfers of the seat to another device: a ticket is valid for one."""
    left: int = 0
    """Milliseconds left on its clock."""
    timed_out: bool = False
    """Whether a bot plays because the person's time was up."""

    @property
    def free(self) -> bool:
        return not self.level and not self.person and not self.guest

    @property
    def bot(self) -> str:
        """The level at which a bot decides here now; "" if a person does."""
        return self.level or self.stand_in


@dataclass(frozen=True)
class Said:
    """A phrase said at the table."""

    seat: int
    phrase: str
    moment: int
    """Before which entry of the game's log."""
    at: int
    """When, in milliseconds."""


@dataclass(frozen=True)
class Note:
    """A line of the log that is not about the game: a phrase was said, or a move undone."""

    step: int
    """After how many steps of the game."""
    seat: int
    phrase: str = ""
    """"" if a move was undone."""


class Table:
    """A table in memory."""

    def __init__(self, table_id: str, seed: Seed) -> None:
        self.id = table_id
        self.seed = seed
        """The table's secret; the game's seed is mixed from it and a nonce of every person."""
        self.lock = asyncio.Lock()
        self.number = 0
        """Length of the log: the number of the next entry."""
        self.tokens: set[str] = set()
        """Idempotency tokens of the entries."""
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.state = "gathering"
        """Or "playing", or "over"."""
        self.moment = 0
        """Length of the game's own log. An action names the moment it answers to."""
        self.deciding = OVER
        """The seat whose decision is awaited; -1 for none."""
        self.removed: set[str] = set()
        """The people whom the host removed before the game."""
        self.talk: list[Said] = []
        self.notes: list[Note] = []
        self.asking: int | None = None
        """The seat that asks the others to agree to an undo."""
        self.agreed: set[str] = set()
        self.paused = False
        self.closed = False
        """Whether an administrator closed the table."""
        self.next = ""
        """The id of the table at which the same people go on."""
        self.ready: dict[str, str] = {}
        """The nonces for the next game, by person."""
        self.at = 0
        """When the last entry was written, in milliseconds."""
        self.since = 0
        """When the present decision began to be awaited, in milliseconds."""
        self.ended = 0
        self.last_other = 0
        """Number of the last entry that is not a decision of the game."""
        self.decided: set[int] = set()
        """The seats that have taken a decision."""
        self._active_at: list[frozenset[str]] = []
        """`active` at each step of the game."""
        self._active: frozenset[str] | None = None
        """`active` until the next entry that is not a decision."""
        self._validated: tuple[log.Play, int] | None = None
        self._seats_of: dict[str, list[int]] = {}
        """Seats by person, valid until the next entry that is not a decision."""
        self._people: frozenset[str] | None = None
        """`people`, likewise."""

    plan: log.Open

    # ------------------------------------------------------------ reading

    @cached_property
    def spec(self) -> GameSpec:
        """The game, with the version of its rules with which the table began."""
        try:
            return game(self.plan.game, self.plan.rules)
        except Refusal:
            raise Refusal("unknown", "web.table.rules", "web.table.rules") from None

    @property
    def finished(self) -> bool:
        """Whether nothing about the game is secret any more."""
        return self.state == "over" or bool(self.plan.seed)

    @property
    def part(self) -> int:
        """Number of the game in its series, from 1; 0 for a single game."""
        if not self.plan.marathon:
            return 0
        return 1 if self.plan.marathon == self.id else 2

    @property
    def payer(self) -> str:
        """On whose account bots play here: the network from which it was opened, else the host."""
        return self.plan.network or self.plan.host

    @property
    def people(self) -> frozenset[str]:
        if self._people is None:
            self._people = frozenset([seat.person for seat in self.seats if seat.person])
        return self._people

    @property
    def active(self) -> set[str]:
        """The people who hold a seat that no bot plays for."""
        return {seat.person for seat in self.seats if seat.person and not seat.stand_in}

    def consenting(self, steps: int) -> set[str]:
        """The people who played at any of the last steps: all must agree to undo these."""
        return set().union(*self._active_at[-steps:])

    @property
    def awaited(self) -> str:
        """The person whose decision is awaited, "" for nobody."""
        return self.awaited_at(self.deciding)

    def awaited_at(self, deciding: int) -> str:
        """The person who is awaited if a seat decides.

        Bots take seconds: with one person at the table it is always that person's turn.
        """
        if deciding == OVER:
            return ""
        seat = self.seats[deciding]
        if not seat.bot:
            return seat.person
        active = self.active
        return active.pop() if len(active) == 1 else ""

    def seats_of(self, person: str) -> list[int]:
        found = self._seats_of.get(person)
        if found is None:
            found = [i for i, seat in enumerate(self.seats) if person and seat.person == person]
            self._seats_of[person] = found
        return found

    def may_watch(self, person: str) -> bool:
        """Whether a person may see the table: a private one is hidden once its game begins."""
        return self.game is None or self.plan.watching or bool(self.seats_of(person))

    def name_keys(self) -> list[str]:
        """The keys under which the names of people and guests are stored, "" for bots."""
        return [seat.guest or seat.person for seat in self.seats]

    def names(self, known: dict[str, str], nobody: str) -> list[str]:
        """The names at the seats, no two the same."""
        found: list[str] = []
        for i, key in enumerate(self.name_keys()):
            own = bot_name(self.plan.game, self.seats[i].level, i)
            name = known.get(key) or nobody if key else own
            again = 2
            unique = name
            while unique in found:
                unique = f"{name} {again}"
                again += 1
            found.append(unique)
        return found

    def deadline(self) -> int | None:
        """When the time of the awaited seat is up, in milliseconds; None if no clock runs."""
        if self.plan.timing == "untimed" or self.paused or self.state != "playing":
            return None
        seat = self.seats[self.deciding]
        if seat.bot:
            return None
        days = self.plan.timing == "days"
        return self.since + (self.plan.amount * MS_PER_DAY if days else seat.left)

    @property
    def against_bots(self) -> bool:
        """Whether one person plays against bots only."""
        return sum(not seat.level for seat in self.seats) == 1

    @property
    def bots_wake_up(self) -> bool:
        """Whether a bot has to decide while its game is still being compiled."""
        if self.state != "playing" or not COMPILING:
            return False
        return self.seats[self.deciding].bot not in ("", RANDOM) and self.spec in COMPILING

    def mixed_seed(self) -> Seed:
        """The game's seed: the table's, with a nonce from every person; an imported game's own."""
        if self.plan.seed:
            return Seed.of(self.plan.seed)
        return self.seed.mixed(bytes.fromhex(s.nonce) for s in self.seats if s.nonce)

    def last_decision_of(self, seat: int) -> int | None:
        """Return the number of steps since a seat's last decision."""
        if self.game is not None:
            for back, step in enumerate(reversed(self.game.steps), 1):
                if step.seat == seat:
                    return back
        return None

    def record(self, names: list[str]) -> dict[str, Any]:
        """The game as data, with its seed once it is over."""
        assert self.game is not None
        self.game.names = names
        return self.game.record()

    # ------------------------------------------------------------ applying entries

    def apply(self, entry: log.Entry, at: int, token: str | None = None) -> None:
        """Add an entry that was written at a time (milliseconds)."""
        self.number += 1
        self.at = at
        if token:
            self.tokens.add(token)
        if isinstance(entry, log.Play):
            self._play(entry, at)
        else:
            self.last_other = self.number
            self._apply_other(entry, at)
            self._seats_of = {}
            self._people = self._active = None
        if self.game is not None:
            self.moment = len(self.game.entries)
            self.deciding = self.game.seat
            self.state = "over" if self.deciding == OVER else "playing"

    def trial(self, entries: Sequence[log.Entry], at: int) -> Self:
        """Return the table as it would be after entries that are not stored yet."""
        made = copy.copy(self)
        made.seats = [replace(seat, votes=seat.votes.copy()) for seat in self.seats]
        made.game = None if self.game is None else self.game.copy()
        for name in (
            "tokens",
            "removed",
            "talk",
            "notes",
            "agreed",
            "ready",
            "decided",
            "_active_at",
        ):
            setattr(made, name, getattr(self, name).copy())
        for entry in entries:
            made.apply(entry, at)
        return made

    def seat_after(self, entry: log.Play) -> int:
        """Return the seat that decides after an action; -1 if the game is over then."""
        assert self.game is not None
        known = self._validated
        if known is not None and known[0] is entry:
            return self.game.seat_after(known[1])
        return self.game.seat_after(self.game.number(entry.action))

    def _apply_other(self, entry: log.Entry, at: int) -> None:
        match entry:
            case log.Open():
                self.plan = entry
                self.seats = [Seat(level, left=entry.amount * 60_000) for level in entry.bots]
            case log.Sit():
                seat = self.seats[entry.seat]
                seat.level, seat.person, seat.guest = "", entry.person, entry.guest
                seat.nonce = entry.nonce
            case log.Stand():
                if entry.removed:
                    self.removed.add(self.seats[entry.seat].person)
                self._clear(entry.seat)
            case log.Bot():
                self._clear(entry.seat)
                self.seats[entry.seat].level = entry.level
            case log.Swap():
                seats = self.seats
                seats[entry.one], seats[entry.other] = seats[entry.other], seats[entry.one]
            case log.Drop():
                self.seats = [seat for seat in self.seats if not seat.free]
            case log.Start():
                self._start(at)
            case log.Undo():
                self._undo(entry, at)
            case log.Ask():
                self.asking = entry.seat
                self.agreed = {self.seats[entry.seat].person}
            case log.Answer(yes=True):
                self.agreed.add(entry.person)
            case log.Answer():
                self._forget_undo_request()
            case log.Talk():
                self.talk.append(Said(entry.seat, entry.phrase, self.moment, at))
                if self.game is not None:
                    self.notes.append(Note(len(self.game.steps), entry.seat, entry.phrase))
            case log.Pause():
                if entry.on and not self.paused:
                    self._stop_clock(at)
                self.paused = entry.on
                self.since = at
                if self.against_bots and not entry.on:  # nobody else waits
                    seat = self.seats[self.deciding]
                    seat.left = max(seat.left, LEAST_TO_GO_ON)
            case log.Pace():
                self.plan = structs.replace(self.plan, pace=entry.ms)
            case log.Vote():
                self.seats[entry.seat].votes.add(entry.person)
            case log.Replace():
                if entry.seat == self.deciding:
                    self._stop_clock(at)
                self._set_stand_in(entry.seat, entry.level, at)
                self.seats[entry.seat].timed_out = entry.why == "time"
            case log.Return():
                self._set_stand_in(entry.seat, "", at)
                seat = self.seats[entry.seat]
                seat.left = max(seat.left, LEAST_TO_GO_ON)
                seat.timed_out = False
            case log.Transfer():
                seat = self.seats[entry.seat]
                seat.guest = seat.guest or seat.person
                seat.person = entry.person
                seat.transfers += 1
            case log.Ready():
                self.ready.setdefault(entry.person, entry.nonce)
            case log.Next():
                self.next = entry.table
            case log.Close():
                self.closed = self.paused = True

    def _clear(self, number: int) -> None:
        seat = self.seats[number]
        seat.level = seat.person = seat.guest = seat.nonce = ""

    @property
    def variant(self) -> Variant | None:
        """The variant that is played; None for the printed game."""
        if not self.plan.variant:
            return None
        return labelled(self.plan.game, self.plan.variant, self.plan.options)

    @property
    def set_by_variant(self) -> list[str]:
        """The options that the variant sets."""
        found: list[str] = self.plan.variant.get("sets", [])
        return found

    def _start(self, at: int) -> None:
        kind, seed, compiled = game_class(self.spec), self.mixed_seed(), self.spec in COMPILED
        if self.plan.position is not None:
            self.game = kind.from_position(self.plan.position, seed, compiled=compiled)
            self.game.variant = self.variant
        else:
            own = {k: v for k, v in self.plan.options.items() if k not in self.set_by_variant}
            self.game = kind(len(self.seats), seed, compiled=compiled, variant=self.variant, **own)
        self.since = at

    def validated(self, entry: log.Play, number: int) -> log.Play:
        """Remember the number of an action that is legal now, so that it is not parsed again."""
        self._validated = entry, number
        return entry

    def _play(self, entry: log.Play, at: int) -> None:
        assert self.game is not None
        self._stop_clock(at)
        self.decided.add(self.deciding)
        if self._active is None:
            self._active = frozenset(self.active)
        self._active_at.append(self._active)
        known, self._validated = self._validated, None
        if known is not None and known[0] is entry:
            self.game.play_validated(known[1])
        else:
            self.game.play(entry.action)
        self._forget_undo_request()
        if self.game.over:
            self.ended = at

    def _undo(self, entry: log.Undo, at: int) -> None:
        assert self.game is not None
        self._stop_clock(at)
        seat = self.game.steps[-entry.steps].seat
        for _ in range(entry.steps):
            self.game.undo(entry.redeal)
        left = len(self.game.steps)
        self.notes = [replace(note, step=min(note.step, left)) for note in self.notes]
        self.notes.append(Note(left, seat))
        del self._active_at[len(self.game.steps) :]
        self.decided = {step.seat for step in self.game.steps}
        self.ended = 0
        self._forget_undo_request()

    def _forget_undo_request(self) -> None:
        self.asking = None
        self.agreed = set()

    def _stop_clock(self, at: int) -> None:
        if self.plan.timing == "clock" and not self.paused:
            self.seats[self.deciding].left -= max(0, at - self.since)
        self.since = at

    def _set_stand_in(self, number: int, level: str, at: int) -> None:
        seat = self.seats[number]
        seat.stand_in = level
        seat.votes = set()
        self.since = at
