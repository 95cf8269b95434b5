"""A table as data for programs: what one person may know, and what they may do now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from veillee.client import types
from veillee.engine.events import Event
from veillee.engine.game import Game, mask, view_position
from veillee.engine.i18n import Words
from veillee.web.delivery.rendering import state_after, view_of
from veillee.web.delivery.turns import turns_in
from veillee.web.people import is_bot_name
from veillee.web.tables.table import Table

Event_ = dict[str, Any]


def seat_shown(table: Table, person: str) -> int | None:
    """The seat whose view a person gets; None for a spectator's.

    Who holds several seats with secrets sees the one whose decision is awaited.
    """
    own = table.seats_of(person)
    if table.deciding in own:
        return table.deciding
    return own[0] if own and (len(own) == 1 or not table.spec.hidden) else None


def table_data(
    table: Table, person: str, names: Sequence[str], away: Sequence[bool], words: Words
) -> types.Table:
    """A table for a person, in the language of the words."""
    game, own = table.game, table.seats_of(person)
    seat = seat_shown(table, person)
    yours = table.deciding in own and not table.paused and not table.seats[table.deciding].bot
    return types.Table(
        id=table.id,
        game=table.plan.game,
        rules=table.plan.rules,
        options=table.plan.options,
        state=cast(types.State, table.state),
        version=table.number,
        moment=table.moment,
        steps=len(game.steps) if game else 0,
        host=table.plan.host == person,
        seats=[_seat(table, number, names, away, own) for number in range(len(table.seats))],
        deciding=table.deciding if table.state == "playing" else None,
        phase=game.phase if game else "",
        paused=table.paused,
        seat=seat,
        yours=yours,
        view=_view(game, seat, len(game.steps)) if game else None,
        actions=_actions(table, names, words) if yours else [],
        undo_asked_by=table.asking,
        deadline=table.deadline(),
        talk=[
            types.Said(said.seat, cast(types.Phrase, said.phrase), said.moment)
            for said in table.talk
        ],
        result=types.Result(game.scores, game.places, game.winners) if game and game.over else None,
        next=table.next,
        commitment=table.seed.commitment,
    )


def _seat(
    table: Table, number: int, names: Sequence[str], away: Sequence[bool], own: Sequence[int]
) -> types.Seat:
    seat, name = table.seats[number], names[number]
    kind: types.SeatKind = "bot" if seat.bot or is_bot_name(name) else "person"
    return types.Seat(
        seat=number,
        kind="free" if seat.free else kind,
        name="" if seat.free else name,
        level=seat.bot,
        yours=number in own,
        away=away[number],
    )


def _view(game: Game, seat: int | None, steps: int) -> dict[str, Any]:
    """Return the position after a number of decisions; at the end nothing is hidden."""
    seats = () if seat is None else (seat,)
    seen = view_of(game, seats, state_after(game, steps))
    over = game.over and steps == len(game.steps)
    return view_position(game.spec, seen, *(range(game.players) if over else seats))


def _actions(table: Table, names: Sequence[str], words: Words) -> list[types.Action]:
    """The legal actions, described from what the deciding seat may know."""
    game, spec = table.game, table.spec
    assert game is not None
    seen = view_of(game, (game.seat,))
    return [
        types.Action(
            n=int(action),
            text=action.text,
            say=spec.text.say(words, seen, int(action), names),
            parts=spec.notation.describe(seen, int(action)),
        )
        for action in game.legal
    ]


def events_of(game: Game, seats: Iterable[int], steps: Iterable[int]) -> list[Event_]:
    """Return the events of some steps, as those seats may know them. Step 0 is the set-up."""
    bits = mask(seats)
    return [game.spec.relate(event.seen_by(bits)) for _, event in _by_turn(game, steps)]


def turns_of(game: Game, steps: Iterable[int]) -> list[int]:
    """Return the seat to whose turn each of these events belongs."""
    return [turn for turn, _ in _by_turn(game, steps)]


def _by_turn(game: Game, steps: Iterable[int]) -> Iterator[tuple[int, Event]]:
    for step in steps:
        for turn, events in turns_in(game, step):
            yield from ((turn, event) for event in events)


def step_data(table: Table, person: str, step: int) -> types.Step:
    """A moment of a game as the person saw it then."""
    game = table.game
    assert game is not None
    seat = seat_shown(table, person)
    taken = game.steps[step - 1] if step else None
    known = taken is not None and (game.over or taken.seat == seat)
    return types.Step(
        step=step,
        steps=len(game.steps),
        decided_by=taken.seat if taken else None,
        action=game.spec.notation.text(taken.action) if taken and known else None,
        events=events_of(game, () if seat is None else (seat,), [step]),
        view=_view(game, seat, step),
        turns=turns_of(game, [step]),
    )


class Teller:
    """Tells one viewer what happened at a table since they were told last."""

    def __init__(self, table: Table, person: str) -> None:
        self._table = table
        self._person = person
        self._version = -1
        self._moment = self._steps = 0

    def news(
        self, names: Sequence[str], away: Sequence[bool], words: Words, *, again: bool = False
    ) -> types.TableMessage | None:
        """The next message; None if nothing is new. `again` if names or absences may be."""
        table, game = self._table, self._table.game
        if self._version == table.number and not again:
            return None
        moment, steps = table.moment, len(game.steps) if game else 0
        told, before, had = self._version >= 0, self._steps, self._moment
        self._version, self._moment, self._steps = table.number, moment, steps
        event: Any = "changed" if told else "table"
        events: list[Event_] = []
        turns: list[int] = []
        if told and moment != had:
            straight = moment - had == steps - before
            event = "played" if straight else "undone"
            if straight and game:
                seat = seat_shown(table, self._person)
                new = range(before + 1, steps + 1)
                events = events_of(game, () if seat is None else (seat,), new)
                turns = turns_of(game, new)
        data = table_data(table, self._person, names, away, words)
        return types.TableMessage(event, events, data, turns)
