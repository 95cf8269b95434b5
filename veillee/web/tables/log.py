"""Log entries: every change at a table is one of these, appended to the table's log.

The tags are stored, so they never change.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Timing = Literal["untimed", "clock", "days"]
Reason = Literal["vote", "time", "host", "left"]


class LogEntry(msgspec.Struct, frozen=True, tag_field="is", omit_defaults=True):
    """One entry of a table's log."""


class Open(LogEntry, frozen=True, tag="open"):
    """A table is opened. `bots` has the bot level of each seat, "" for seats of people."""

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
    """Shortest time a bot takes, in milliseconds."""
    marathon: str = ""
    """The previous table of a Lumarathon; the own id for the first; "" outside one."""
    later: dict[str, Any] = {}
    """Options of the second game of a Lumarathon."""
    variant: dict[str, Any] = {}
    """The variant: its name and hash, and which of the options it sets. Empty for none."""
    position: dict[str, Any] | None = None
    """The initial position, if it is not the set-up. The seed deals what it leaves open."""
    origin: str = ""
    """The moment of another game at which this one began: the id of its table, "/", the number."""
    seed: str = ""
    """The seed that the record of an imported game tells; "" for a game that is played here."""
    guided: bool = False
    """Whether it is a guided first game (`lessons.py`)."""
    network: str = ""
    """A digest of the network from which it was opened: bots take turns by it."""


class Sit(LogEntry, frozen=True, tag="sit"):
    """A person takes a seat. `guest` is the key of the player's name on a shared screen."""

    seat: int
    person: str
    nonce: str
    guest: str = ""


class Stand(LogEntry, frozen=True, tag="stand"):
    """A seat becomes free. A person whom the host removed can't sit down again."""

    seat: int
    removed: bool = False


class Bot(LogEntry, frozen=True, tag="bot"):
    """A bot takes a seat before the game."""

    seat: int
    level: str


class Swap(LogEntry, frozen=True, tag="swap"):
    """Two seats are swapped before the game."""

    one: int
    other: int


class Drop(LogEntry, frozen=True, tag="drop"):
    """The free seats are removed."""


class Start(LogEntry, frozen=True, tag="start"):
    pass


class Play(LogEntry, frozen=True, tag="play"):
    seat: int
    action: str
    """In notation."""


class Undo(LogEntry, frozen=True, tag="undo"):
    steps: int
    redeal: bool


class Ask(LogEntry, frozen=True, tag="ask"):
    """A seat asks all others to agree to undo its last decision."""

    seat: int


class Answer(LogEntry, frozen=True, tag="answer"):
    person: str
    yes: bool


class Talk(LogEntry, frozen=True, tag="talk"):
    """A canned phrase, shown to each in their language."""

    seat: int
    phrase: str


class Pause(LogEntry, frozen=True, tag="pause"):
    on: bool


class Pace(LogEntry, frozen=True, tag="pace"):
    """Change the bots' pace: milliseconds."""

    ms: int


class Vote(LogEntry, frozen=True, tag="vote"):
    """A person votes for a bot in the seat of somebody who is away."""

    person: str
    seat: int


class Replace(LogEntry, frozen=True, tag="replace"):
    """A bot plays for a seat until its person returns."""

    seat: int
    level: str
    why: Reason


class Return(LogEntry, frozen=True, tag="return"):
    seat: int


class Transfer(LogEntry, frozen=True, tag="move"):
    """A seat moves to another device."""

    seat: int
    person: str


class Ready(LogEntry, frozen=True, tag="ready"):
    """After the end: a person's nonce for the next game, whose commitment they know."""

    person: str
    nonce: str


class Next(LogEntry, frozen=True, tag="next"):
    """The same people go on at another table: a rematch, or the Lumarathon's second game."""

    table: str


class Close(LogEntry, frozen=True, tag="close"):
    """An administrator closes the table. No entry follows."""


Entry = (
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
    | Transfer
    | Ready
    | Next
    | Close
)

PACES = {"none": 0, "fast": 600, "normal": 1200, "slow": 2500}
PHRASES = ("hello", "luck", "think", "nice", "oops", "laugh", "hurry", "break", "thanks", "again")

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> str:
    return _encoder.encode(entry).decode()


def decode(data: str) -> Entry:
    return _decoder.decode(data)
