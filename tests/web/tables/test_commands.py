"""Commands at a table without a server: what is appended, and what is refused."""

from __future__ import annotations

import pytest

from tests.web.delivery.scene import set_up
from veillee.engine.refusal import Refusal
from veillee.web.tables import log
from veillee.web.tables.commands import MOST_TALK, Command, agree, seat_ticket, talk, undo, vote
from veillee.web.tables.messages import Messages
from veillee.web.tables.presence import Presence
from veillee.web.tables.table import Table


def a_command(table: Table, person: str, **form: str) -> Command:
    return Command(table, person, form, "random", Presence(Messages(), 60))


def play(table: Table) -> int:
    """Take the first decision; whose it was."""
    game = table.game
    assert game is not None
    seat = table.deciding
    table.apply(log.Play(seat, game.legal[0].text), 0)
    return seat


def two_decided() -> tuple[Table, str, str]:
    """A table at which one person and then another have decided."""
    table = set_up("nomads", 2)[1]
    first = play(table)
    second = play(table)
    assert first != second
    return table, f"p{first}", f"p{second}"


def test_who_played_must_agree_to_an_undo_also_after_leaving() -> None:
    table, first, second = two_decided()
    for seat in range(len(table.seats)):
        if f"p{seat}" != first:
            table.apply(log.Replace(seat, "random", "left"), 0)
    assert undo(a_command(table, first)) == [log.Ask(int(first[1:]))]
    table.apply(log.Ask(int(first[1:])), 0)
    for person in sorted(table.people - {first, second}):
        (answer,) = agree(a_command(table, person))
        table.apply(answer, 0)
    assert agree(a_command(table, second))[-1] == log.Undo(2, redeal=True)


def test_who_left_before_a_decision_need_not_agree_to_its_undo() -> None:
    table, first, _ = two_decided()
    table.apply(log.Undo(2, redeal=True), 0)
    for seat in range(len(table.seats)):
        if f"p{seat}" != first:
            table.apply(log.Replace(seat, "random", "left"), 0)
    play(table)
    play(table)
    assert undo(a_command(table, first)) == [log.Undo(2, redeal=True)]


def test_there_is_an_end_to_talk() -> None:
    table = set_up("nomads", 2)[1]
    for _ in range(MOST_TALK):
        table.apply(log.Talk(0, "nice"), 0)
    play(table)
    with pytest.raises(Refusal):
        talk(a_command(table, "p1", phrase="nice"))


def test_a_seat_ticket_does_not_tell_who_has_the_seat() -> None:
    table = set_up("nomads", 2)[1]
    assert "p1" not in map(str, seat_ticket(table, "p1"))
    assert seat_ticket(table, "p0").holder != seat_ticket(table, "p1").holder


def test_a_vote_is_noted_once() -> None:
    table = set_up("nomads", 2)[1]
    present = Presence(Messages(), 0)
    for person in sorted(table.people - {"p1"}):
        present.enter(table, person)
    command = Command(table, "p0", {"seat": "1"}, "random", present)
    assert vote(command) == [log.Vote("p0", 1)]
    table.apply(log.Vote("p0", 1), 0)
    assert vote(command) == []
