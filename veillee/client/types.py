"""Types of the HTTP API, shared by the server and the client library."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

Scope = Literal["read", "play", "webhooks"]
State = Literal["gathering", "playing", "over"]
SeatKind = Literal["free", "person", "bot"]
TimingName = Literal["untimed", "clock10", "clock30", "days1", "days3"]
PaceName = Literal["none", "fast", "normal", "slow"]
Phrase = Literal[
    "hello", "luck", "think", "nice", "oops", "laugh", "hurry", "break", "thanks", "again"
]
HookEvent = Literal["turn", "over"]
Nonce = Annotated[
    str,
    Meta(
        pattern="^[0-9a-f]{32}$", description="Your part in the seed: 16 bytes. Else one is drawn."
    ),
]

SeatNumber = Annotated[int, Meta(ge=0, le=15, description="A seat, counted from 0.")]
Notation = Annotated[
    str, Meta(min_length=1, max_length=200, description="An action as the game writes it.")
]
Moment = Annotated[
    int,
    Meta(
        ge=0,
        le=1_000_000,
        description="The moment that the action answers to, as the table told it.",
    ),
]
Level = Annotated[
    str,
    Meta(
        max_length=40,
        description="One of our bots: a level, a strength such as `1500`, a character with one of "
        "them such as `bold@teller`, or `random`.",
    ),
]


class Option(Struct, frozen=True):
    """An option of a game."""

    name: str
    default: Any
    choices: Annotated[list[Any], Meta(description="Its values, if it is one of a few.")]
    help: str


class Game(Struct, frozen=True):
    """A game that can be played here."""

    game: str
    rules: Annotated[int, Meta(description="The version of its rules.")]
    title: str
    players: Annotated[list[int], Meta(description="The numbers of players it takes.")]
    minutes: int
    options: list[Option]


class Seat(Struct, frozen=True):
    """A seat at a table."""

    seat: SeatNumber
    kind: SeatKind
    name: str
    level: Annotated[str, Meta(description="The name of one of our bots; empty for a guest.")]
    yours: bool
    away: bool


class Action(Struct, frozen=True):
    """A legal action."""

    n: Annotated[int, Meta(description="Its number.")]
    text: Annotated[str, Meta(description="Its notation, which `play` takes.")]
    say: Annotated[str, Meta(description="The action in words.")]
    parts: Annotated[dict[str, Any], Meta(description="What it consists of.")]


class Said(Struct, frozen=True):
    """A phrase that was said."""

    seat: SeatNumber
    phrase: Phrase
    moment: int


class Result(Struct, frozen=True):
    """How a game ended, by seat."""

    scores: list[int]
    places: list[int]
    winners: list[int]


class Table(Struct, frozen=True):
    """A table as the asking person may know it, with the actions that they may take now."""

    id: str
    game: str
    rules: int
    options: dict[str, Any]
    state: State
    version: Annotated[int, Meta(description="Grows with everything that happens here.")]
    moment: Annotated[int, Meta(description="Grows with every decision and undo.")]
    steps: Annotated[int, Meta(description="Decisions that stand.")]
    host: Annotated[bool, Meta(description="Whether you opened the table.")]
    seats: list[Seat]
    deciding: Annotated[int | None, Meta(description="The seat whose decision is awaited.")]
    phase: Annotated[str, Meta(description="What is being decided.")]
    paused: bool
    seat: Annotated[int | None, Meta(description="The seat whose view this is; null: nobody's.")]
    yours: Annotated[bool, Meta(description="Whether your decision is awaited.")]
    view: Annotated[dict[str, Any] | None, Meta(description="The position as you may know it.")]
    actions: Annotated[list[Action], Meta(description="What you may do now.")]
    undo_asked_by: Annotated[int | None, Meta(description="The seat that asks for an undo.")]
    deadline: Annotated[int | None, Meta(description="Milliseconds since 1970; null: no clock.")]
    talk: list[Said]
    result: Annotated[Result | None, Meta(description="Null until the game is over.")]
    next: Annotated[str, Meta(description="The table at which the same people go on.")]
    commitment: Annotated[str, Meta(description="The hash of the table's secret seed.")]


class TableSummary(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    state: State
    yours: Annotated[bool, Meta(description="Whether your decision is awaited.")]
    names: Annotated[list[str], Meta(description="Who sits there; empty for a free seat.")]


Turns = Annotated[
    list[int],
    Meta(description="For each event the seat whose turn it belongs to; -1 for nobody's."),
]


class TableMessage(Struct, frozen=True):
    """One message of a table's stream: what happened, and the table as it is now."""

    event: Literal["table", "played", "undone", "changed"]
    events: Annotated[
        list[dict[str, Any]], Meta(description="What happened in the game since the last message.")
    ]
    table: Table
    turns: Turns = field(default_factory=list)


class AccountMessage(Struct, frozen=True):
    """One message of an account's stream, which tells of all its tables."""

    event: Literal["hello", "invited", "turn", "over"]
    table: Annotated[Table | None, Meta(description="Null for `hello`.")]


class ServerSentEvent(Struct, frozen=True):
    """A message as a server-sent event."""

    event: str
    data: Annotated[
        str,
        Meta(
            description="The message as JSON: the same as a line of the stream by lines.",
            extra_json_schema={"contentMediaType": "application/json"},
        ),
    ]
    id: Annotated[str, Meta(description="The version of the table, if there is one.")] = ""


class Account(Struct, frozen=True):
    """Who you are."""

    name: str
    kind: Literal["person", "bot"]
    handle: Annotated[str, Meta(description="The name by which a bot is invited; empty otherwise.")]
    scopes: list[Scope]


class Step(Struct, frozen=True):
    """A moment of a game, as it was seen then."""

    step: Annotated[int, Meta(description="After so many decisions.")]
    steps: Annotated[int, Meta(description="Decisions in all.")]
    decided_by: Annotated[int | None, Meta(description="The seat that took this decision.")]
    action: Annotated[str | None, Meta(description="The decision, if you may know it.")]
    events: list[dict[str, Any]]
    view: dict[str, Any]
    turns: Turns = field(default_factory=list)


class AnalysisProgress(Struct, frozen=True):
    """An analysis of a finished game, or how far it is."""

    done: Annotated[int, Meta(description="Decisions that were judged.")]
    total: Annotated[int, Meta(description="Decisions to judge; 0 before it has begun.")]
    analysis: Annotated[
        dict[str, Any] | None,
        Meta(description="What `veillee analyse --json` writes; null until it is done."),
    ]


class Webhook(Struct, frozen=True):
    """An address that is called when something happens."""

    id: str
    url: str
    events: list[HookEvent]
    failures: Annotated[int, Meta(description="Calls in a row that were given up.")]


class NewWebhook(Webhook, frozen=True):
    """A webhook, with the secret that signs its calls. The secret is told only once."""

    secret: str


class Problem(Struct, frozen=True):
    """Why a request was refused (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, Meta(description="For programs.")]
    clause: Annotated[str, Meta(description="The rule that forbids it, or the like.")] = ""


# ------------------------------------------------------------ what is sent to the server


class Empty(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing is to be said."""


class TableRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened. With every seat taken the game begins at once."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=40)]],
        Meta(
            min_length=2,
            max_length=12,
            description="For each seat `me`, `open`, or one of our bots: a level, a strength such "
            "as `1500`, a character with one of them such as `bold@teller`, or `random`.",
        ),
    ]
    options: dict[str, Any] = {}
    variant: Annotated[
        str, Meta(max_length=3000, description="A variant, as its link carries it: `variant=…`.")
    ] = ""
    listed: Annotated[bool, Meta(description="Whether strangers may join.")] = False
    watching: Annotated[bool, Meta(description="Whether others may watch the game.")] = True
    timing: TimingName = "untimed"
    pace: Annotated[PaceName, Meta(description="How fast our bots play.")] = "normal"
    nonce: Nonce | None = None


class SitRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Join: take a seat."""

    seat: Annotated[SeatNumber | None, Meta(description="Null for the first free one.")] = None
    nonce: Nonce | None = None


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat that is meant."""

    seat: SeatNumber


class BotRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Put one of our bots on a seat."""

    seat: SeatNumber
    level: Level = ""


class SwapRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Swap two seats."""

    one: SeatNumber
    other: SeatNumber


class StartRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin. Bots take the free seats, or these are dropped."""

    free: Literal["bots", "drop"] = "bots"


class PlayRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a decision."""

    action: Notation
    moment: Moment


class TalkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Say a phrase, which everybody reads in their language."""

    phrase: Phrase


class PaceRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Let our bots play faster or slower."""

    pace: PaceName


class NextRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Go on with the same people."""

    marathon: Annotated[bool, Meta(description="The second game of a Lumarathon.")] = False


class InviteRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Invite a bot to one's table."""

    bot: Annotated[str, Meta(min_length=1, max_length=24, description="The bot's handle.")]


class WebhookRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Have an address called."""

    url: Annotated[str, Meta(max_length=500, pattern="^https?://[^ ]+$")]
    events: Annotated[list[HookEvent], Meta(min_length=1, max_length=2)] = field(
        default_factory=lambda: ["turn", "over"]
    )
