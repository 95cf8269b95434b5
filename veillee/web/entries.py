"""What can happen at a table: every change is one of these, appended to the table's log."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Timing = Literal["untimed", "clock", "days"]


class Entry(msgspec.Struct, frozen=True, tag_field="is", omit_defaults=True):
    """One line of a table's log."""


class Open(Entry, frozen=True, tag="open"):
    """A table is set. `bots` names the level in each seat that a bot takes, "" in the others."""

    game: str
    rules: int
    host: str
    bots: list[str]
    options: dict[str, Any] = {}
    listed: bool = False
    watching: bool = True
    timing: Timing = "untimed"
    amount: int = 0
    """Minutes a seat has for all its decisions, or days for each."""
    pace: int = 1200
    """How long a bot takes at least, in milliseconds."""
    marathon: str = ""
    """The table before this one in a Lumarathon; its own id for the first; "" for none."""


class Sit(Entry, frozen=True, tag="sit"):
    """Someone sits down. `guest` names who really plays there, if several share one screen."""

    seat: int
    person: str
    nonce: str
    guest: str = ""


class Stand(Entry, frozen=True, tag="stand"):
    seat: int


class Bot(Entry, frozen=True, tag="bot"):
    """A bot takes a seat before the game."""

    seat: int
    level: str


class Swap(Entry, frozen=True, tag="swap"):
    """Two seats change places before the game."""

    one: int
    other: int


class Drop(Entry, frozen=True, tag="drop"):
    """The seats that are still free are taken away."""


class Start(Entry, frozen=True, tag="start"):
    pass


class Play(Entry, frozen=True, tag="play"):
    seat: int
    action: str
    """In notation: readable, and good for another process or another day."""


class Undo(Entry, frozen=True, tag="undo"):
    steps: int
    redeal: bool


class Ask(Entry, frozen=True, tag="ask"):
    """A seat asks all others to go back to its last decision."""

    seat: int


class Answer(Entry, frozen=True, tag="answer"):
    person: str
    yes: bool


class Talk(Entry, frozen=True, tag="talk"):
    """A ready phrase, read by each in their language."""

    seat: int
    phrase: str


class Pause(Entry, frozen=True, tag="pause"):
    on: bool


class Pace(Entry, frozen=True, tag="pace"):
    """The bots play slower or faster from now on: milliseconds."""

    ms: int


class Vote(Entry, frozen=True, tag="vote"):
    """A person is for a bot in a seat whose person is gone."""

    person: str
    seat: int


class Replace(Entry, frozen=True, tag="replace"):
    """A bot plays for a seat until its person is back."""

    seat: int
    level: str
    why: Literal["vote", "time", "host", "left"]


class Return(Entry, frozen=True, tag="return"):
    seat: int


class Move(Entry, frozen=True, tag="move"):
    """A seat goes on at another device."""

    seat: int
    person: str


class Ready(Entry, frozen=True, tag="ready"):
    """After the end: a person's part in the seed of the next game, whose commitment they know."""

    person: str
    nonce: str


class Next(Entry, frozen=True, tag="next"):
    """The same people sit down at another table: a rematch, or the Lumarathon's next game."""

    table: str


Any_ = (
    Open
    | Sit
    | Stand
    | Bot
    | Swap
    | Drop
    | Start
    | Play
    | Undo
    | Ask
    | Answer
    | Talk
    | Pause
    | Pace
    | Vote
    | Replace
    | Return
    | Move
    | Ready
    | Next
)

PACES = {"none": 0, "fast": 600, "normal": 1200, "slow": 2500}
PHRASES = ("hello", "luck", "think", "nice", "oops", "laugh", "hurry", "break", "thanks", "again")

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Any_] = msgspec.json.Decoder(Any_)


def written(entry: Entry) -> str:
    return _encoder.encode(entry).decode()


def read(data: str) -> Any_:
    return _decoder.decode(data)
