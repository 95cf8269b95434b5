"""What a person may do at a table, besides looking: each gives entries to append, or refuses."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from veillee.engine.record import OVER
from veillee.engine.refusal import Refusal
from veillee.web import entries as e
from veillee.web.house import House, check_level
from veillee.web.table import Table
from veillee.web.undo import revealed

Form = Mapping[str, str]
Entries = Sequence[e.Any_]


@dataclass(slots=True)
class Act:
    """One request: who, at which table, and what the form said."""

    house: House
    table: Table
    person: str
    form: Form

    def seat(self, key: str = "seat") -> int:
        """A seat that the form names."""
        text = self.form.get(key, "")
        if not text.isascii() or not text.isdigit() or int(text) >= len(self.table.seats):
            raise no("web.act.seat")
        return int(text)

    def my_seat(self) -> int:
        """The seat that the person acts for: the one named, the one awaited, or the first."""
        mine = self.table.seats_of(self.person)
        if not mine:
            raise no("web.act.watcher")
        if "seat" in self.form:
            seat = self.seat()
            if seat not in mine:
                raise no("web.act.notyours")
            return seat
        return self.table.deciding if self.table.deciding in mine else mine[0]

    def must_be_host(self) -> None:
        if self.person != self.table.plan.host:
            raise no("web.act.host")

    def must_be(self, *states: str) -> None:
        if self.table.state not in states:
            raise no("web.act.now")

    @property
    def present(self) -> set[str]:
        """The persons whose consent counts: those who hold a seat that no bot plays for."""
        return {seat.person for seat in self.table.seats if seat.person and not seat.stand_in}


def no(text: str, code: str = "illegal") -> Refusal:
    return Refusal(code, text, text)


# ---------------------------------------------------------------- before the game


def sit(act: Act) -> Entries:
    act.must_be("gathering")
    table = act.table
    seat = act.seat() if act.form.get("seat") else _first_free(table)
    if not table.seats[seat].free:
        raise no("web.act.taken", "late")
    if table.seats_of(act.person):
        raise no("web.act.sitting")
    return [e.Sit(seat, act.person, nonce(act.form))]


def nonce(form: Form) -> str:
    """The person's part in the seed: 16 bytes from their browser, or, failing that, from here."""
    text = form.get("nonce", "")
    try:
        return bytes.fromhex(text).hex() if len(text) == 32 else secrets.token_hex(16)
    except ValueError:
        return secrets.token_hex(16)


def _first_free(table: Table) -> int:
    for number, seat in enumerate(table.seats):
        if seat.free:
            return number
    raise no("web.act.full", "late")


def stand(act: Act) -> Entries:
    act.must_be("gathering")
    return [e.Stand(seat) for seat in act.table.seats_of(act.person)]


def remove(act: Act) -> Entries:
    """The host empties a seat before the game, or has a bot take it over in the game."""
    act.must_be("gathering", "playing")
    act.must_be_host()
    seat = act.seat()
    if act.table.state == "gathering":
        return [e.Stand(seat)]
    return _stand_in(act, seat, "host")


def bot(act: Act) -> Entries:
    act.must_be("gathering")
    act.must_be_host()
    level = act.form.get("level", act.house.level)
    check_level(level)
    seat = act.seat()
    if act.table.seats[seat].person:
        raise no("web.act.taken", "late")
    return [e.Bot(seat, level or act.house.level)]


def swap(act: Act) -> Entries:
    act.must_be("gathering")
    act.must_be_host()
    return [e.Swap(act.seat("one"), act.seat("other"))]


def start(act: Act) -> Entries:
    """Begin; bots take the seats that are still free, or, if the form says so, nobody does."""
    act.must_be("gathering")
    act.must_be_host()
    free = [number for number, seat in enumerate(act.table.seats) if seat.free]
    if not act.table.people:
        raise no("web.act.nobody")
    if free and act.form.get("free") == "drop":
        act.table.contract.template(len(act.table.seats) - len(free), act.table.plan.options)
        return [e.Drop(), e.Start()]
    return [*(e.Bot(seat, act.house.level) for seat in free), e.Start()]


# ---------------------------------------------------------------- in the game


def play(act: Act) -> Entries:
    """Take a decision. The form says which, and at what moment of the game it was taken."""
    table, game = act.table, act.table.game
    if game is None:
        raise no("web.act.now")
    seats = table.seats_of(act.person)
    if not seats:
        raise no("web.act.watcher")
    if act.form.get("moment", "") != str(table.moment):
        raise no("web.late", "late")
    if table.paused:
        raise no("web.act.paused")
    seat = game.seat
    if seat == OVER:
        raise Refusal("over", f"{table.plan.game}.end", "veillee.over")
    if seat not in seats or table.seats[seat].bot:
        raise no("web.act.turn")
    number = game.number(act.form.get("action", "")[:200])
    return [e.Play(seat, table.contract.text(number))]


def undo(act: Act) -> Entries:
    """Take one's own last decision back, or ask for it where somebody learned something since."""
    table, game = act.table, act.table.game
    act.must_be("playing")
    assert game is not None
    mine = table.seats_of(act.person)
    if not mine:
        raise no("web.act.watcher")
    back = [(table.last_decision_of(seat) or 0, seat) for seat in mine]
    steps, seat = min((b for b in back if b[0]), default=(0, -1))
    if not steps:
        raise no("veillee.undo")
    if steps == 1 and not revealed(game):
        return [e.Undo(1, redeal=False)]
    if act.present <= {act.person}:
        return [e.Undo(steps, redeal=True)]
    if table.asking is not None:
        raise no("web.act.asked")
    return [e.Ask(seat)]


def agree(act: Act) -> Entries:
    table = act.table
    _may_answer(act)
    assert table.asking is not None
    steps = table.last_decision_of(table.asking)
    answered: list[e.Any_] = [e.Answer(act.person, yes=True)]
    if steps and act.present <= table.agreed | {act.person}:
        answered.append(e.Undo(steps, redeal=True))
    return answered


def decline(act: Act) -> Entries:
    _may_answer(act)
    return [e.Answer(act.person, yes=False)]


def _may_answer(act: Act) -> None:
    act.must_be("playing")
    if act.table.asking is None:
        raise no("web.act.now", "late")
    if act.person not in act.table.people:
        raise no("web.act.watcher")


def talk(act: Act) -> Entries:
    phrase = act.form.get("phrase", "")
    if phrase not in e.PHRASES:
        raise no("web.act.phrase")
    return [e.Talk(act.my_seat(), phrase)]


def pause(act: Act) -> Entries:
    act.must_be("playing")
    act.must_be_host()
    return [e.Pause(not act.table.paused)]


def pace(act: Act) -> Entries:
    """The host lets the bots play faster or slower."""
    act.must_be("playing")
    act.must_be_host()
    if act.form.get("pace") not in e.PACES:
        raise no("web.act.now")
    return [e.Pace(e.PACES[act.form["pace"]])]


def vote(act: Act) -> Entries:
    """For a bot in place of someone gone: it takes over when all who are there want it."""
    act.must_be("playing")
    seat = act.seat()
    gone = act.table.seats[seat]
    if act.person not in act.table.people:
        raise no("web.act.watcher")
    if not gone.person or gone.stand_in or not act.house.is_gone(act.table, gone.person):
        raise no("web.act.there")
    votes: list[e.Any_] = [e.Vote(act.person, seat)]
    there = {p for p in act.present if p == act.person or not act.house.is_gone(act.table, p)}
    if there <= gone.votes | {act.person}:
        votes += _stand_in(act, seat, "vote")
    return votes


def ready(act: Act) -> Entries:
    """Give one's part in the seed of the next game."""
    act.must_be("over")
    if act.person not in act.table.people:
        raise no("web.act.watcher")
    known = act.person in act.table.ready or act.table.next
    return [] if known else [e.Ready(act.person, nonce(act.form))]


def leave(act: Act) -> Entries:
    """Get up: from a free seat before the game, from a running game with a bot in one's place."""
    if act.table.state == "gathering":
        return stand(act)
    act.must_be("playing")
    return [
        e.Replace(seat, act.house.level, "left")
        for seat in act.table.seats_of(act.person)
        if not act.table.seats[seat].stand_in
    ]


def back(act: Act) -> Entries:
    """Take one's seat back from the bot."""
    act.must_be("playing")
    return [
        e.Return(seat) for seat in act.table.seats_of(act.person) if act.table.seats[seat].stand_in
    ]


def _stand_in(act: Act, seat: int, why: str) -> list[e.Any_]:
    if not act.table.seats[seat].person or act.table.seats[seat].stand_in:
        raise no("web.act.there")
    return [e.Replace(seat, act.house.level, why)]  # type: ignore[arg-type]


def bring(act: Act) -> Entries:
    """Bring a seat to this device. The form's `ticket` was sealed for that seat."""
    opened = act.house.seal.open("move", act.form.get("ticket", ""))
    parts = (opened or "").split(":")
    if len(parts) != 4 or parts[0] != act.table.id:
        raise no("web.move.wrong")
    seat, person = int(parts[1]), parts[2]
    if act.table.seats[seat].person != person or int(parts[3]) != act.table.seats[seat].moves:
        raise no("web.move.used")
    if person == act.person:
        return []
    return [e.Move(seat, act.person)]


ACTS: dict[str, Callable[[Act], Entries]] = {
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
