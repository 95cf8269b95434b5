"""The contract of a game: the dozen questions that every game answers.

A game is a folder with a `GAME` of this class in its `__init__`. What it must bring:

`state`     the record (see `record.py`): at least `players`, `seat`, `phase`
`rules`     a module of plain functions that Numba can compile:
            `setup(s, rng, scratch, events)`  deal; `s` comes from `prepare`; `scratch` has room
                                              for a list of actions
            `legal(s, out) -> n`              the actions of `s.seat`, in an order and number that
                                              follow from what that seat may know
            `apply(s, action, rng, events)`   carry one out, up to the next decision; sets `s.seat`,
                                              `OVER` at the end
            `scores(s, out)`, `places(s, out)`   points, and 1 for winners, of each seat
            `view(s, seats)`                  blot out, in place, what those seats together (bit i
                                              for seat i) may not know
            `resample(s, seats, rng)`         deal anew, in place, what they may not know, as likely
                                              as Bayes' rule says; must do the same on `view(s)`
`invariants`  a module with `broken(s) -> int`, compiled too: 0, or which invariant a state breaks
`observation`  a module with `PLANES` and `observe(s, seat, out)`, compiled too: all that a seat may
            know as a row of small integers, for learning (see `adapters/observation.py`)
`actions`   how many action numbers there are; no list of legal ones is longer
`happenings`, `phases`   what the numbers in events and in `s.phase` stand for
`options`   what a table may choose (see `options.py`)
and, in plain Python for people to read:
`prepare(s, options)`       write the options into a zeroed state whose `players` is set
`describe(s, action)`       the action as data, `{"do": "sow", "space": 3, "direction": "left"}`
`text(action)`, `parse(text)`   its notation, there and back
`forbids(s, action)`        the clause that makes an action illegal (reads only the seat's view)
`write(s)`, `read(position, s)`   the position as JSON data, there and back; `read` gets a prepared
                            state and the JSON, and refuses what can't be
`check(s)`                  refuse a state that breaks an invariant
`say(words, s, action)`     an action in words
`facts(s, action)`          all of the state that `describe` and `say` of it depend on, as something
                            that can be a key: what was said once need not be put together again
`tell(words, event, names)` an event in words; None for one that needs none
`board(words, s, names)`    the board for a terminal, in rich markup
`tally(s, seat)`            a seat's score sheet (see `tally.py`): the same rows for every
                            seat, their points summing up to its score
`fields`                    how values of events are shown as data: `{"space": lambda v: v + 1}`
`clauses`                   the ids of all its rules, each with words of that key
`small`                     options of a variant small enough to be enumerated
`picture`                   a module that draws it (see `picture.py`); None for a game without
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from veillee.engine import kernel
from veillee.engine.build import Build
from veillee.engine.events import Event, Kind
from veillee.engine.options import Option, chosen
from veillee.engine.picture import Picture
from veillee.engine.record import Record, States, Twins, layout, twin
from veillee.engine.refusal import Refusal
from veillee.engine.tally import Row
from veillee.engine.words import Words

Names = Sequence[str]
Position = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Contract:
    """A game, as everything outside its folder knows it."""

    name: str
    version: int
    seats: Sequence[int]
    """The numbers of players it can be played by."""
    minutes: int
    state: type[Record]
    rules: ModuleType
    invariants: ModuleType
    actions: int
    happenings: Sequence[Kind]
    phases: Sequence[str]
    options: Sequence[Option]
    prepare: Callable[[Any, Mapping[str, Any]], None]
    describe: Callable[[Any, int], dict[str, Any]]
    text: Callable[[int], str]
    parse: Callable[[str], int]
    forbids: Callable[[Any, int], str]
    write: Callable[[Any], Position]
    read: Callable[[Position, Any], None]
    check: Callable[[Any], None]
    say: Callable[[Words, Any, int], str]
    facts: Callable[[Any, int], Hashable]
    tell: Callable[[Words, Event, Names], str | None]
    board: Callable[[Words, Any, Names], str]
    tally: Callable[[Any, int], Sequence[Row]]
    fields: Mapping[str, Callable[[int], Any]] = field(default_factory=dict)
    knowledge: ModuleType | None = None
    """What the bots know beyond the rules: `guess` and `lean`, see `bots/knowledge.py`."""
    sparring: Mapping[str, Callable[[str], Callable[[Any, Any, int, Any], int]]] = field(
        default_factory=dict
    )
    """Players for the lab that don't search, made from what stands behind their name and a colon:
    from a view, the legal actions, how many, and chance, to the place of one of them."""
    secrets: bool = False
    """Whether seats know different things: then one screen needs a curtain."""
    clauses: Sequence[str] = ()
    small: Mapping[str, Any] = field(default_factory=dict)
    picture: Picture | None = None
    observation: ModuleType | None = None

    @property
    def dtype(self) -> np.dtype[np.void]:
        return layout(self.state)

    @property
    def package(self) -> str:
        return self.rules.__name__.rpartition(".")[0]

    @property
    def folder(self) -> Path:
        return Path(str(sys.modules[self.package].__file__)).parent

    @cached_property
    def compiled(self) -> SimpleNamespace:
        """The kernel's functions in machine code (see `kernel.py`)."""
        return self._built(compiled=True)

    @cached_property
    def plain(self) -> SimpleNamespace:
        """The same functions, as Python runs them."""
        return self._built(compiled=False)

    def _built(self, compiled: bool) -> SimpleNamespace:
        build = Build(self.name, self.package, compiled)
        bound = vars(build.module(self.rules)) | vars(build.module(self.invariants))
        return build.module(kernel, SimpleNamespace(**bound))

    def template(self, players: int, options: Mapping[str, Any] | None = None) -> States:
        """A state, not yet set up, for so many players with these options."""
        if players not in self.seats:
            raise Refusal(
                "option",
                f"{self.name}.players",
                "veillee.players",
                players=players,
                fewest=min(self.seats),
                most=max(self.seats),
            )
        states = np.zeros(1, self.dtype)
        s = self.twin(states)
        s.players = players
        self.prepare(s, chosen(self.name, self.options, players, options or {}))
        return states

    def relate(self, event: Event) -> dict[str, Any]:
        """An event as data, with names of the game's things."""
        shown: dict[str, Any] = {"event": event.name}
        for name, value in event.values.items():
            show = self.fields.get(name)
            shown[name] = show(value) if show and value is not None else value
        return shown

    def twin(self, states: States, i: int = 0) -> Any:
        """Game i of an array as the plain rules see it."""
        size = states.dtype.itemsize
        raw = states.view(np.uint8).reshape(-1).data
        return twin(self.state)(raw[i * size : (i + 1) * size])

    def twins(self, states: States) -> Twins:
        return Twins(self.state, states)
