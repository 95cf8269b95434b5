"""The definition of a game: what it must bring, and the defaults for what it may bring.

A game is a package with a `SPEC` of class `GameSpec` in its `__init__`. Four things are required:
a name, the numbers of players, a state record and the rules. Everything else has a default, so a
new game can be played at once and be given words, a picture and heuristics later.

Most fields of a spec are modules. The Protocols below say which functions each module must have;
mypy checks the modules of a game against them. Those under "compiled" must be written in the subset
of Python that Numba compiles, and live in the game's folder `core/`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from veillee.engine import defaults
from veillee.engine.drawing.picture import Picture
from veillee.engine.events import Event, EventKind
from veillee.engine.i18n import Words
from veillee.engine.jit import defaults as compiled_defaults
from veillee.engine.jit import kernel
from veillee.engine.jit.compile import Build
from veillee.engine.jit.layout import Cells, StateRecord, States, Twins, dtype_of, twin_class
from veillee.engine.lesson import Lesson
from veillee.engine.observation import Plane
from veillee.engine.options import Option, checked
from veillee.engine.refusal import Refusal
from veillee.engine.rulebook import Rulebook
from veillee.engine.score_sheet import Row
from veillee.engine.scoring import Scoring

Names = Sequence[str]
Position = dict[str, Any]


# ---------------------------------------------------------------- compiled


class Rules(Protocol):
    """The game itself."""

    def setup(self, s: Any, rng: Cells, scratch: Cells, events: Cells | None, /) -> None:
        """Deal. `s` comes from `Options.prepare`; `scratch` has room for a list of actions."""

    def legal(self, s: Any, out: Cells, /) -> int:
        """Write the actions of `s.seat` into `out` and return how many there are.

        Their order and number must follow from what that seat may know.
        """

    def apply(self, s: Any, action: int, rng: Cells, events: Cells | None, /) -> None:
        """Carry out an action, up to the next decision. Sets `s.seat`, to `OVER` at the end."""

    def scores(self, s: Any, out: Cells, /) -> None:
        """Write the points of each seat as they stand."""

    def places(self, s: Any, out: Cells, /) -> None:
        """Write the place of each seat as it stands, 1 for the winners."""


class View(Protocol):
    """Redaction. The default hides nothing."""

    def view(self, s: Any, seats: int, /) -> None:
        """Redact, in place, what those seats together (bit i for seat i) may not know."""


class Resample(Protocol):
    """Sampling of hidden information. The default changes nothing."""

    def resample(self, s: Any, seats: int, rng: Cells, /) -> None:
        """Deal again, in place, what those seats may not know, with the posterior probability.

        Must do the same to `view(s)` as to `s`.
        """


class Invariants(Protocol):
    """Consistency of a state. The default finds nothing wrong."""

    def broken(self, s: Any, /) -> int:
        """Return 0, or the number of the invariant that a state breaks."""


class Observation(Protocol):
    """The observation of a seat as a row of small integers, for learning (see `observation.py`)."""

    @property
    def PLANES(self) -> tuple[Plane, ...]: ...

    @property
    def OPTIONS(self) -> Sequence[str]:
        """Fields that were agreed before the game, which the row leaves out."""

    @property
    def DERIVED(self) -> Sequence[str]:
        """Fields that follow from others, which the row leaves out."""

    def observe(self, s: Any, seat: int, out: Cells, /) -> None:
        """Fill the row."""


class Kernel(Protocol):
    """The functions of `jit/kernel.py` that Python calls, bound to one game's rules.

    Compiled ones take arrays. Plain ones take `Twins` (or a list of twins) for an array of states
    and memoryviews for other arrays; hence `Any`.
    """

    def setup_at(self, states: Any, i: int, rng: Any, scratch: Any, events: Any, /) -> None: ...
    def legal_at(self, states: Any, i: int, out: Any, /) -> int: ...
    def apply_at(self, states: Any, i: int, action: int, rng: Any, events: Any, /) -> None: ...
    def scores_at(self, states: Any, i: int, out: Any, /) -> None: ...
    def places_at(self, states: Any, i: int, out: Any, /) -> None: ...
    def view_at(self, states: Any, i: int, seats: int, /) -> None: ...
    def resample_at(self, states: Any, i: int, seats: int, rng: Any, /) -> None: ...
    def broken_at(self, states: Any, i: int, /) -> int: ...

    def setup_all(self, states: Any, seed: int, rngs: Any, scratch: Any, /) -> None: ...
    def legal_all(self, states: Any, actions: Any, counts: Any, /) -> None: ...
    def first_illegal(self, states: Any, chosen: Any, scratch: Any, /) -> int: ...
    def step(self, states: Any, chosen: Any, rngs: Any, /) -> None: ...
    def results_all(self, states: Any, score: Any, place: Any, /) -> None: ...
    def view_all(self, states: Any, seats: int, /) -> None: ...
    def resample_all(self, states: Any, seats: int, rng: Any, /) -> None: ...

    def playouts(
        self,
        template: Any,
        state: Any,
        seed: int,
        first: int,
        rng: Any,
        actions: Any,
        score: Any,
        place: Any,
        /,
    ) -> int: ...

    def audit(
        self,
        template: Any,
        states: Any,
        seed: int,
        first: int,
        rng: Any,
        actions: Any,
        snapshots: Any,
        /,
    ) -> int: ...


class PlainKernel(Kernel, Rules, View, Resample, Invariants, Protocol):
    """The same functions run by Python, and the rules themselves."""

    def playout(self, s: Any, rng: Any, actions: Any, /) -> int: ...


# ---------------------------------------------------------------- plain Python


class Options(Protocol):
    """The options of a game. The default has none."""

    @property
    def OPTIONS(self) -> Sequence[Option]: ...

    @property
    def SMALL(self) -> Mapping[str, Any]:
        """Options of a variant small enough to be enumerated."""

    def prepare(self, s: Any, options: Mapping[str, Any], /) -> None:
        """Write the options into a zeroed state whose `players` is set."""


class Notation(Protocol):
    """Actions as text and as data. By default an action is written as its number."""

    def text(self, action: int, /) -> str:
        """Return the notation of an action."""

    def parse(self, text: str, /) -> int:
        """Return the action of a notation, or refuse it."""

    def describe(self, s: Any, action: int, /) -> dict[str, Any]:
        """Return an action as data: `{"do": "sow", "space": 3, "direction": "left"}`."""

    def wording_keys(self, s: Any, actions: Sequence[int], /) -> Sequence[Hashable]:
        """Return, for each action, all of the state that its `describe` and `Text.say` depend on.

        Texts are cached by action and key.
        """


class PositionFormat(Protocol):
    """Positions as JSON. By default every field of the record is written as numbers."""

    def write(self, s: Any, /) -> Position:
        """Return the position as JSON data."""

    def read(self, position: Position, s: Any, /) -> None:
        """Read a position into a prepared state, or refuse it."""

    def check(self, s: Any, /) -> None:
        """Refuse a state that breaks an invariant."""

    def hides(self, s: Any, /) -> bool:
        """Tell whether something in the state is unknown, so that it must be dealt before play."""


class EventKinds(Protocol):
    """The events that `apply` can emit. By default a game emits none."""

    @property
    def KINDS(self) -> Sequence[EventKind]: ...

    @property
    def FIELDS(self) -> Mapping[str, Callable[[int], Any]]:
        """Conversions of event values to data: `{"space": lambda value: value + 1}`."""


class Text(Protocol):
    """The game in words. By default actions are told by their notation and events by name."""

    def say(self, words: Words, s: Any, action: int, names: Names, /) -> str:
        """Return an action in words."""

    def tell(self, words: Words, event: Event, names: Names, /) -> str | None:
        """Return an event in words; None for one that needs none."""

    def board(self, words: Words, s: Any, names: Names, /) -> str:
        """Return the board for a terminal, in rich markup."""


class ReportRow(NamedTuple):
    """A row of a report: its cells, and the decision of the game that it is about, if any."""

    cells: Sequence[str]
    step: int | None = None


class ReportTable(NamedTuple):
    """A table of a report, in words. The first cell of every row is its heading."""

    title: str
    heads: Sequence[str]
    rows: Sequence[ReportRow]


class PostMortem(Protocol):
    """Revelations at a game's end, such as who bluffed and who should have noticed."""

    def find(self, spec: GameSpec, states: States, weights: Any, seed: int, /) -> Any:
        """Return what there is to tell, as JSON data.

        Args:
            spec: The game.
            states: The whole states before each decision, and the last one.
            weights: The weights of the game's heuristics.
            seed: What sampling starts from.
        """

    def tell(self, words: Words, found: Any, names: Names, /) -> Sequence[ReportTable]:
        """Return the result of `find` in words."""


class PuzzleKinds(Protocol):
    """The questions of a game's puzzles."""

    def kind(self, s: Any, choices: Sequence[int], best: int, /) -> str | None:
        """Return what a decision between some actions asks; None if it makes no puzzle."""

    def question(self, words: Words, s: Any, kind: str, names: Names, /) -> str:
        """Return the question in words, from the view of the seat that decides."""

    def side(self, s: Any, kind: str, answer: int, /) -> str:
        """Return what tells answers to one kind of question apart, such as truth and lie.

        None of them may be right too often, or it could be guessed.
        """


BaselinePlayer = Callable[[Any, Any, int, Any], int]
"""Chooses without search: (view, legal actions, how many, rng) -> index of one of them."""


@dataclass(frozen=True)
class SeriesPart:
    """A game's part in a series of games that are played one after the other."""

    series: str
    order: int
    brings: Callable[[Any, Sequence[int]], Mapping[str, Any]] | None = None
    """Values that the finished game hands on, by name, from its state and the seats' places."""
    takes: Mapping[str, str] = field(default_factory=dict)
    """The options that the game before decides, each with the name of what is handed on."""


class Section(NamedTuple):
    """A part of the position in words."""

    title: str
    lines: Sequence[str]


_DEFAULT: Any = None
"""Marks fields whose default depends on the spec itself; `GameSpec.__post_init__` fills them."""


@dataclass(frozen=True, eq=False)
class GameSpec:
    """A game, as everything outside its folder knows it."""

    name: str
    player_counts: Sequence[int]
    state: type[StateRecord]
    rules: Rules
    actions: int
    """Number of possible actions; no list of legal actions is longer."""
    version: int = 1
    """Version of the rules. Stored games name it and are replayed with it."""
    minutes: int = 20
    phases: Sequence[str] = ("turn",)
    """Names of the values of `s.phase`."""
    hidden: bool = False
    """Whether seats know different things: then players at one screen need a curtain."""

    view: View = compiled_defaults
    resample: Resample = compiled_defaults
    invariants: Invariants = compiled_defaults
    observation: Observation | None = None
    heuristics: ModuleType | None = None
    """Evaluation and rollout policy for the bots, compiled too: see `bots/jit/heuristics.py`."""

    options: Options = field(default_factory=defaults.NoOptions)
    notation: Notation = field(default_factory=defaults.NumberNotation)
    events: EventKinds = field(default_factory=defaults.NoEvents)
    scorings: Sequence[str] = ()
    """The events by which points are won, which a replay marks."""
    position: PositionFormat = _DEFAULT
    text: Text = _DEFAULT
    forbids: Callable[[Any, int], str] = _DEFAULT
    """The clause that makes an action illegal; reads only the seat's view."""
    because: Callable[[Any, int], Sequence[tuple[str, object]]] = defaults.because
    """The things on the board for which an action is illegal, as fields and values of spots."""
    outline: Callable[[Words, Any, Names, int | None], Sequence[Section]] | None = None
    """The position in words, for those who can't see it: (words, view, names, own seat)."""
    outcomes: Callable[[Words, Any, int, Names], Sequence[str]] | None = None
    """Possible consequences of an action, in words, where its own words don't say them."""
    turn_of: Callable[[Any], int] | None = None
    """The seat whose turn it is, if that is not the one that decides."""
    turn_starts: Sequence[str] = ()
    """The events with which the turn of their `seat` begins, where a decision may end a turn."""
    final_events: Sequence[str] = ()
    """The events of the final scoring, which belong to nobody's turn."""
    longest: Callable[[Any], int] = defaults.longest
    """An upper bound of the decisions in a game, from a state that `Options.prepare` has filled."""
    score_sheet: Callable[[Any, int], Sequence[Row]] = _DEFAULT
    """A seat's score sheet: the same rows for every seat, their points adding up to its score."""
    scoring: Callable[[Any], Scoring] | None = None
    """The scoring of the printed game, from a state that `Options.prepare` has filled."""
    clauses: Sequence[str] = ()
    """The ids of all its rules, each with a text under that key."""
    rulings: Sequence[str] = ()
    """The clauses that say more than the printed rules; their texts say so."""
    picture: Picture | None = None
    private_keys: Callable[[Any], Sequence[Hashable]] | None = None
    """For each seat, all of the whole state that its private layer is drawn from. While that is
    equal the layer is not drawn again. Without it every layer is drawn after each decision."""

    roles: Sequence[str] = ()
    """Names of the roles in the field `adventurer` of the state, which numbers them from 1."""
    action_kind: Callable[[int], str] = _DEFAULT
    """The kind of an action, for counting what is played: a card or a power, not where it goes."""
    kind_words: Callable[[Words, str], str] = defaults.kind_words
    """A kind of action in words, as a label."""

    reason: Callable[[Words, Any, int, Names, Any], str | None] | None = None
    """Arguments for an action, in words: (words, view, action, names, weights of heuristics)."""
    details: Callable[[Words, Any, int], Mapping[str, str]] | None = None
    """Descriptions of the fields of an action for people who can't see the board, by field."""
    labels: Callable[[Words, Any, int], Mapping[str, str]] | None = None
    """Names of values of an action that depend on the state, by field."""
    lesson: Lesson | None = None
    """A guided first game."""
    rulebook: Rulebook | None = None
    """The page of its rules; its diagrams are positions of the lesson."""
    post_mortem: PostMortem | None = None
    """Additions to the analysis of a finished game."""
    puzzles: PuzzleKinds | None = None
    """The questions of puzzles; without it, a game has no puzzles."""
    baselines: Mapping[str, Callable[[str], BaselinePlayer]] = field(default_factory=dict)
    """Players for the lab that don't search, by name; each is made from the text after a colon."""
    series: SeriesPart | None = None
    usual_players: int = _DEFAULT
    """The number of players that is offered first."""
    rank: int = 100
    """Position in lists of games: lower comes first."""

    def __post_init__(self) -> None:
        made: dict[str, Callable[[GameSpec], Any]] = {
            "position": defaults.RecordPosition,
            "text": defaults.PlainText,
            "forbids": defaults.forbids,
            "score_sheet": defaults.score_sheet,
            "action_kind": lambda spec: spec.notation.text,
            "usual_players": lambda spec: min(max(spec.player_counts), 3),
        }
        for name, make in made.items():
            if getattr(self, name) is _DEFAULT:
                object.__setattr__(self, name, make(self))

    @property
    def dtype(self) -> np.dtype[np.void]:
        return dtype_of(self.state)

    @property
    def package(self) -> str:
        """The name of the package that defines the game."""
        return self.state.__module__.rpartition(".")[0].removesuffix(".core")

    @property
    def tag(self) -> str:
        """The name of the game's machine code: older versions of the rules are compiled apart."""
        older = self.package.rpartition(".")[0].endswith(".versions")
        return f"{self.name}-v{self.version}" if older else self.name

    @property
    def folder(self) -> Path:
        """The folder of that package."""
        return Path(str(sys.modules[self.package].__file__)).parent

    @cached_property
    def compiled(self) -> Kernel:
        """The kernel's functions as machine code (see `jit/kernel.py`)."""
        return cast(Kernel, self._built(compiled=True))

    @cached_property
    def plain(self) -> PlainKernel:
        """The same functions, run by Python, and the rules."""
        return cast(PlainKernel, self._built(compiled=False))

    def _built(self, compiled: bool) -> Any:
        build = Build(self.tag, self.package, compiled)
        return build.module(kernel, self.compiled_modules)

    @property
    def compiled_modules(self) -> tuple[ModuleType, ...]:
        """The modules whose functions fill the open names of generic compiled code.

        Later ones win, so the defaults come first: they must not replace what the game defines.
        """
        found: list[Any] = [self.rules, self.view, self.resample, self.invariants]
        return tuple(sorted(found, key=lambda module: module is not compiled_defaults))

    def template(self, players: int, options: Mapping[str, Any] | None = None) -> States:
        """Return a state that is not set up yet, for a number of players and options."""
        if players not in self.player_counts:
            raise Refusal(
                "option",
                f"{self.name}.players",
                "veillee.players",
                players=players,
                fewest=min(self.player_counts),
                most=max(self.player_counts),
            )
        states = np.zeros(1, self.dtype)
        s = self.twin(states)
        s.players = players
        chosen = checked(self.name, self.options.OPTIONS, players, options or {})
        self.options.prepare(s, chosen)
        return states

    def relate(self, event: Event) -> dict[str, Any]:
        """Return an event as data, with the names of the game's things."""
        shown: dict[str, Any] = {"event": event.name}
        for name, value in event.values.items():
            show = self.events.FIELDS.get(name)
            shown[name] = show(value) if show and value is not None else value
        return shown

    def twin(self, states: States, i: int = 0) -> Any:
        """Return game i of an array as the plain rules read it."""
        size = states.dtype.itemsize
        raw = states.view(np.uint8).reshape(-1).data
        return twin_class(self.state)(raw[i * size : (i + 1) * size])

    def twins(self, states: States) -> Twins:
        return Twins(self.state, states)
