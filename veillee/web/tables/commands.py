"""Commands: what a person may do at a table. Each returns entries to append, or refuses."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from veillee.bots.characters import PLAIN, drawn, split
from veillee.engine.jit.layout import OVER
from veillee.engine.refusal import Refusal
from veillee.web.bot_pool import check_level
from veillee.web.tables import log
from veillee.web.tables.presence import Presence
from veillee.web.tables.table import Table
from veillee.web.tables.undo import reveals

Form = Mapping[str, str]
Entries = Sequence[log.Entry]
LONGEST_ACTION = 200
MOST_TALK = 2000
"""Phrases at one table."""
MOST_TALK_NOW = 8
"""Phrases of one seat between two decisions."""


class SeatTicket(NamedTuple):
    """The right to move a seat to another device."""

    table_id: str
    seat: int
    holder: str
    """A digest of the person who had the seat when the ticket was made."""
    transfers: int


@dataclass(slots=True)
class Command:
    """One request: who wants what at which table."""

    table: Table
    person: str
    form: Form
    level: str
    """The level of bots where nobody chose one."""
    presence: Presence
    ticket: SeatTicket | None = None

    def seat(self, key: str = "seat") -> int:
        """The seat that the form names."""
        seat = seat_number(self.form.get(key, ""))
        if seat is None or seat >= len(self.table.seats):
            raise refuse("web.act.seat")
        return seat

    def own_seat(self) -> int:
        """The seat that the person acts for: the one named, the one awaited, or the first."""
        own = self.table.seats_of(self.person)
        if not own:
            raise refuse("web.act.watcher")
        if "seat" in self.form:
            seat = self.seat()
            if seat not in own:
                raise refuse("web.act.notyours")
            return seat
        return self.table.deciding if self.table.deciding in own else own[0]

    def require_host(self) -> None:
        if self.person != self.table.plan.host:
            raise refuse("web.act.host")

    def require_state(self, *states: str) -> None:
        if self.table.state not in states:
            raise refuse("web.act.now")

    def require_player(self) -> None:
        if self.person not in self.table.people:
            raise refuse("web.act.watcher")


def seat_number(text: str) -> int | None:
    """A seat as forms and addresses write it."""
    return int(text) if len(text) < 4 and text.isascii() and text.isdigit() else None


def refuse(text: str, code: str = "illegal") -> Refusal:
    return Refusal(code, text, text)


# ---------------------------------------------------------------- before the game


def sit(command: Command) -> Entries:
    command.require_state("gathering")
    table = command.table
    seat = command.seat() if command.form.get("seat") else _first_free(table)
    if not table.seats[seat].free:
        raise refuse("web.act.taken", "late")
    if table.seats_of(command.person):
        raise refuse("web.act.sitting")
    if command.person in table.removed:
        raise refuse("web.act.removed")
    return [log.Sit(seat, command.person, nonce(command.form))]


def nonce(form: Form) -> str:
    """The person's part in the seed: 16 bytes from their browser, or else drawn here."""
    text = form.get("nonce", "")
    try:
        return bytes.fromhex(text).hex() if len(text) == 32 else secrets.token_hex(16)
    except ValueError:
        return secrets.token_hex(16)


def _first_free(table: Table) -> int:
    for number, seat in enumerate(table.seats):
        if seat.free:
            return number
    raise refuse("web.act.full", "late")


def stand(command: Command) -> Entries:
    command.require_state("gathering")
    return [log.Stand(seat) for seat in command.table.seats_of(command.person)]


def remove(command: Command) -> Entries:
    """The host removes a person before the game, or replaces one who is away by a bot."""
    command.require_state("gathering", "playing")
    command.require_host()
    seat = command.seat()
    if command.table.state == "gathering":
        return [log.Stand(seat, removed=command.table.seats[seat].person != command.person)]
    if not command.presence.is_away(command.table, command.table.seats[seat].person):
        raise refuse("web.act.there")
    return _stand_in(command, seat, "host")


def bot(command: Command) -> Entries:
    command.require_state("gathering")
    command.require_host()
    level = command.form.get("level", "")
    check_level(level, command.table.spec)
    seat = command.seat()
    if command.table.seats[seat].person:
        raise refuse("web.act.taken", "late")
    return [log.Bot(seat, level) if level else _drawn_bots(command, [seat])[0]]


def _drawn_bots(command: Command, seats: Sequence[int]) -> list[log.Bot]:
    """Put bots of the default level on some seats, with characters that nobody here has."""
    table = command.table
    levels = [seat.level for seat in table.seats]
    for seat in seats:
        levels[seat] = command.level
    taken = {at: split(level)[0] or PLAIN for at, level in enumerate(levels) if at not in seats}
    cast = drawn([table.spec], levels, taken)
    return [log.Bot(seat, cast[seat]) for seat in seats]


def swap(command: Command) -> Entries:
    command.require_state("gathering")
    command.require_host()
    return [log.Swap(command.seat("one"), command.seat("other"))]


def start(command: Command) -> Entries:
    """Begin. Bots take the free seats, or the form says that these are dropped."""
    command.require_state("gathering")
    command.require_host()
    free = [number for number, seat in enumerate(command.table.seats) if seat.free]
    if not command.table.people:
        raise refuse("web.act.nobody")
    if free and command.form.get("free") == "drop" and command.table.plan.position is None:
        command.table.spec.template(
            len(command.table.seats) - len(free), command.table.plan.options
        )
        return [log.Drop(), log.Start()]
    return [*_drawn_bots(command, free), log.Start()]


# ---------------------------------------------------------------- in the game


def play(command: Command) -> Entries:
    """Take a decision: an action, and the moment of the game that it answers to."""
    table, game = command.table, command.table.game
    if game is None:
        raise refuse("web.act.now")
    seats = table.seats_of(command.person)
    if not seats:
        raise refuse("web.act.watcher")
    if command.form.get("moment", "") != str(table.moment):
        raise refuse("web.late", "late")
    if table.paused:
        raise refuse("web.act.paused")
    seat = game.seat
    if seat == OVER:
        raise Refusal("over", f"{table.plan.game}.end", "veillee.over")
    if seat not in seats or table.seats[seat].bot:
        raise refuse("web.act.turn")
    number = game.number(command.form.get("action", "")[:LONGEST_ACTION])
    return [table.validated(log.Play(seat, table.spec.notation.text(number)), number)]


def undo(command: Command) -> Entries:
    """Undo one's own last decision, or ask the others if somebody learned something since."""
    table, game = command.table, command.table.game
    command.require_state("playing")
    assert game is not None
    command.require_player()
    own = table.seats_of(command.person)
    back = [(table.last_decision_of(seat) or 0, seat) for seat in own]
    steps, seat = min((b for b in back if b[0]), default=(0, -1))
    if not steps:
        raise refuse("veillee.undo")
    if steps == 1 and not reveals(game):
        return [log.Undo(1, redeal=False)]
    if table.consenting(steps) <= {command.person}:
        return [log.Undo(steps, redeal=True)]
    if table.asking is not None:
        raise refuse("web.act.asked")
    return [log.Ask(seat)]


def agree(command: Command) -> Entries:
    table = command.table
    _may_answer(command)
    assert table.asking is not None
    steps = table.last_decision_of(table.asking)
    answered: list[log.Entry] = [log.Answer(command.person, yes=True)]
    if steps and table.consenting(steps) <= table.agreed | {command.person}:
        answered.append(log.Undo(steps, redeal=True))
    return answered


def decline(command: Command) -> Entries:
    _may_answer(command)
    return [log.Answer(command.person, yes=False)]


def _may_answer(command: Command) -> None:
    command.require_state("playing")
    if command.table.asking is None:
        raise refuse("web.act.now", "late")
    command.require_player()


def talk(command: Command) -> Entries:
    """Say a phrase; not so often that talk fills the log."""
    phrase = command.form.get("phrase", "")
    if phrase not in log.PHRASES:
        raise refuse("web.act.phrase")
    said, moment, seat = command.table.talk, command.table.moment, command.own_seat()
    lately = [s for s in said[-MOST_TALK_NOW * len(command.table.seats) :] if s.moment == moment]
    if len(said) >= MOST_TALK or sum(s.seat == seat for s in lately) >= MOST_TALK_NOW:
        raise refuse("web.act.talk")
    return [log.Talk(seat, phrase)]


def pause(command: Command) -> Entries:
    command.require_state("playing")
    command.require_host()
    return [log.Pause(not command.table.paused)]


def pace(command: Command) -> Entries:
    """The host lets the bots play faster or slower."""
    command.require_state("playing")
    command.require_host()
    if command.form.get("pace") not in log.PACES:
        raise refuse("web.act.now")
    return [log.Pace(log.PACES[command.form["pace"]])]


def vote(command: Command) -> Entries:
    """Vote for a bot in place of someone away: it takes over when all who are there agree."""
    command.require_state("playing")
    command.require_player()
    table, number = command.table, command.seat()
    seat = table.seats[number]
    if not seat.person or seat.stand_in or not command.presence.is_away(table, seat.person):
        raise refuse("web.act.there")
    votes: list[log.Entry] = [log.Vote(command.person, number)]
    others = {p for p in table.active if not command.presence.is_away(table, p)}
    if others <= seat.votes | {command.person}:
        votes += _stand_in(command, number, "vote")
    elif command.person in seat.votes:
        return []
    return votes


def ready(command: Command) -> Entries:
    """Give one's nonce for the next game."""
    command.require_state("over")
    command.require_player()
    known = command.person in command.table.ready or command.table.next
    return [] if known else [log.Ready(command.person, nonce(command.form))]


def leave(command: Command) -> Entries:
    """Stand up before the game, or leave a running game with a bot in one's place."""
    if command.table.state == "gathering":
        return stand(command)
    command.require_state("playing")
    return [
        log.Replace(seat, command.level, "left")
        for seat in command.table.seats_of(command.person)
        if not command.table.seats[seat].stand_in
    ]


def back(command: Command) -> Entries:
    """Take one's seat back from the bot."""
    command.require_state("playing")
    table = command.table
    return [
        log.Return(seat) for seat in table.seats_of(command.person) if table.seats[seat].stand_in
    ]


def _stand_in(command: Command, seat: int, why: log.Reason) -> list[log.Entry]:
    if not command.table.seats[seat].person or command.table.seats[seat].stand_in:
        raise refuse("web.act.there")
    return [log.Replace(seat, command.level, why)]


def bring(command: Command) -> Entries:
    """Move a seat to the device that has its ticket."""
    ticket, table = command.ticket, command.table
    if ticket is None or ticket.table_id != table.id or ticket.seat >= len(table.seats):
        raise refuse("web.move.wrong")
    seat = table.seats[ticket.seat]
    if seat.person == command.person:
        return []
    if seat.transfers != ticket.transfers or holder(seat.person) != ticket.holder:
        raise refuse("web.move.used")
    return [log.Transfer(ticket.seat, command.person)]


def seat_ticket(table: Table, person: str) -> SeatTicket:
    """The ticket for the person's awaited seat, or for their first."""
    own = table.seats_of(person)
    if not own:
        raise refuse("web.act.watcher")
    seat = table.deciding if table.deciding in own else own[0]
    return SeatTicket(table.id, seat, holder(person), table.seats[seat].transfers)


def holder(person: str) -> str:
    """A digest of a person's id, which itself must not be shown."""
    return hashlib.sha256(f"holder:{person}".encode()).hexdigest()[:16]


COMMANDS: dict[str, Callable[[Command], Entries]] = {
    function.__name__: function
    for function in (
        sit,
        stand,
        remove,
        bot,
        swap,
        start,
        play,
        undo,
        agree,
        decline,
        talk,
        pause,
        pace,
        vote,
        ready,
        leave,
        back,
        bring,
    )
}
