"""The requests that both clients send, each with the type of its answer.

Every function here is a method of `Client` and, awaited, of `AsyncClient`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.client import types
from veillee.client.connection import ROOT, Call

Table = types.Table | str
"""A table, or its id."""
ACCOUNT_STREAM = f"{ROOT}/stream.ndjson"


def table_stream(table: Table) -> str:
    return f"{ROOT}{_path(table)}/stream.ndjson"


def _path(table: Table) -> str:
    return f"/tables/{_id(table)}"


def _id(table: Table) -> str:
    return table if isinstance(table, str) else table.id


# ------------------------------------------------------------ looking


def games() -> Call[list[types.Game]]:
    """Return the games that can be played."""
    return Call("GET", "/games", list[types.Game])


def account() -> Call[types.Account]:
    """Return who the token acts for."""
    return Call("GET", "/account", types.Account)


def tables(state: types.State = "playing") -> Call[list[types.TableSummary]]:
    """Return your tables in a state."""
    return Call("GET", f"/tables?in_state={state}", list[types.TableSummary])


def open_tables() -> Call[list[types.TableSummary]]:
    """Return the listed tables that wait for players."""
    return Call("GET", "/tables/open", list[types.TableSummary])


def table(table: Table) -> Call[types.Table]:
    """Return a table as you may know it now."""
    return Call("GET", _path(table), types.Table)


def step(table: Table, number: int) -> Call[types.Step]:
    """Return a moment of a game as you saw it then."""
    return Call("GET", f"{_path(table)}/steps/{number}", types.Step)


def record(table: Table) -> Call[dict[str, Any]]:
    """Return the record of a finished game, which `Game.replay` reads."""
    return Call("GET", f"{_path(table)}/record", dict[str, Any])


def analyse(table: Table) -> Call[types.AnalysisProgress]:
    """Have a finished game analysed in the background."""
    return Call("POST", f"{_path(table)}/analysis", types.AnalysisProgress)


def analysis(table: Table) -> Call[types.AnalysisProgress]:
    """Return the analysis of a game, or how far it is."""
    return Call("GET", f"{_path(table)}/analysis", types.AnalysisProgress)


# ------------------------------------------------------------ playing


def open_table(game: str, seats: Sequence[str], **more: Any) -> Call[types.Table]:
    """Open a table.

    Args:
        game: The game's name.
        seats: For each seat "me", "open", or a bot: a level, a strength, or a character with one of
            them ("teller", "1450", "bold@teller").
        more: Other fields of `types.TableRequest`, such as `options`.
    """
    return Call("POST", "/tables", types.Table, {"game": game, "seats": list(seats), **more})


def command(table: Table, name: str, **fields: Any) -> Call[types.Table]:
    """Do anything that the reference lists under "Playing"."""
    return Call("POST", f"{_path(table)}/{name}", types.Table, fields)


def sit(table: Table, seat: int | None = None) -> Call[types.Table]:
    """Join a table."""
    return command(table, "sit", seat=seat)


def start(table: Table) -> Call[types.Table]:
    """Begin the game; bots take the free seats."""
    return command(table, "start")


def play(table: types.Table, action: types.Action | str) -> Call[types.Table]:
    """Take a decision at the moment that the table shows."""
    text = action.text if isinstance(action, types.Action) else action
    return command(table, "play", action=text, moment=table.moment)


def undo(table: Table) -> Call[types.Table]:
    """Undo your last decision, or ask the others to agree."""
    return command(table, "undo")


def talk(table: Table, phrase: types.Phrase) -> Call[types.Table]:
    """Say a phrase."""
    return command(table, "talk", phrase=phrase)


def leave(table: Table) -> Call[types.Table]:
    """Leave a table."""
    return command(table, "leave")


def invite(table: Table, bot: str) -> Call[types.Table]:
    """Invite a bot to your table."""
    return command(table, "invite", bot=bot)


def invitations() -> Call[list[types.Table]]:
    """Return the tables to which you are invited."""
    return Call("GET", "/invitations", list[types.Table])


def accept(table: Table) -> Call[types.Table]:
    """Accept an invitation."""
    return Call("POST", f"/invitations/{_id(table)}/accept", types.Table, {})


def refuse(table: Table) -> Call[None]:
    """Refuse an invitation."""
    return Call("POST", f"/invitations/{_id(table)}/refuse", type(None))


# ------------------------------------------------------------ webhooks


def webhooks() -> Call[list[types.Webhook]]:
    """Return your webhooks."""
    return Call("GET", "/webhooks", list[types.Webhook])


def add_webhook(
    url: str, events: Sequence[types.HookEvent] = ("turn", "over")
) -> Call[types.NewWebhook]:
    """Have an address called. Keep the secret: it is told only now."""
    return Call("POST", "/webhooks", types.NewWebhook, {"url": url, "events": list(events)})


def delete_webhook(hook_id: str) -> Call[None]:
    """Have an address called no more."""
    return Call("DELETE", f"/webhooks/{hook_id}", type(None))
