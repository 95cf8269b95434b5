"""Tables: open, look, act, look back. Commands are those of the page (`tables/commands.py`)."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any

import msgspec
from litestar import Response
from litestar.params import Parameter
from msgspec import Struct, structs

from veillee.client import types
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.web.analyses import Progress
from veillee.web.clock import now
from veillee.web.database import queries
from veillee.web.delivery.table_data import step_data, table_data
from veillee.web.http.actions import carry_out
from veillee.web.http.api.operations import IdempotencyKey, TableId, options, reads, writes
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, Form, limit, payer_of
from veillee.web.http.home import TIMINGS
from veillee.web.http.shelf import chosen_variant, game_of
from veillee.web.people import Person, new_id
from veillee.web.tables import series
from veillee.web.tables.commands import refuse
from veillee.web.tables.log import PACES
from veillee.web.tables.plans import TablePlan, open_table
from veillee.web.tables.table import MS_PER_DAY, Table
from veillee.web.templating import MARATHON

MOST_LISTED = 50
ME, OPEN = "me", "open"
TABLES, PLAYING, BACK = "Tables", "Playing", "Looking back"


def shown(context: AppContext, table: Table, person: Person, words: Words) -> types.Table:
    """A table as a person may know it."""
    names = context.tables.names_at(table, words("web.someone"))
    return table_data(table, person.id, names, context.presence.away_seats(table), words)


# ------------------------------------------------------------ opening and finding


@writes(
    "/tables",
    TABLES,
    status=201,
    operation_id="openTable",
    summary="Open a table",
)
async def open_new(
    context: AppContext,
    caller: Caller,
    person: Person,
    words: Words,
    data: types.TableRequest,
    idempotency_key: IdempotencyKey = "",
) -> Response[types.Table]:
    """Open a table. Others join with its id, or by the link to its page, `/t/{id}`."""
    limit(context, context.limits.opening, caller.network)
    if data.listed:
        limit(context, context.limits.listing, caller.network)
    table_id = new_id()
    if idempotency_key:
        table_id = context.seeds.next_id(f"{person.id}\0{idempotency_key}")
    seed, payer = context.seeds.seed(table_id), payer_of(context, caller)
    plan = _plan(data, table_id)
    table = await open_table(context.tables, table_id, seed, person.id, plan, payer)
    return Response(
        shown(context, table, person, words), headers={"location": f"/api/v1/tables/{table.id}"}
    )


def _plan(data: types.TableRequest, table_id: str) -> TablePlan:
    own = [number for number, who in enumerate(data.seats) if who == ME]
    if len(own) > 1:
        raise refuse("web.act.sitting")
    timing, amount = TIMINGS[data.timing]
    return TablePlan(
        game_of(data.game).name,
        ["" if who in (ME, OPEN) else who for who in data.seats],
        dict.fromkeys(own, ""),
        data.nonce or "",
        data.options,
        listed=data.listed,
        watching=data.watching,
        timing=timing,
        amount=amount,
        pace=PACES[data.pace],
        marathon=table_id if data.game == MARATHON else "",
        variant=chosen_variant(data.game, data.variant),
    )


@reads("/tables", TABLES, operation_id="listTables", summary="List your tables")
async def list_own(
    context: AppContext, person: Person, words: Words, in_state: types.State = "playing"
) -> list[types.TableSummary]:
    """Your tables in a state, those that changed last first."""
    own = await queries.tables_of(context.store, person.id, in_state, MOST_LISTED)
    return await _summaries(context, [each.id for each in own], in_state, person, words)


@reads("/tables/open", TABLES, operation_id="listOpenTables", summary="List open tables")
async def list_open(context: AppContext, person: Person, words: Words) -> list[types.TableSummary]:
    """The listed tables that wait for players."""
    found = await queries.listed_tables(context.store, now() - MS_PER_DAY, MOST_LISTED)
    return await _summaries(context, found, "gathering", person, words)


async def _summaries(
    context: AppContext, ids: list[str], state: types.State, person: Person, words: Words
) -> list[types.TableSummary]:
    found: list[types.TableSummary] = []
    for table_id in ids:
        with contextlib.suppress(Refusal):
            in_play = state == "playing"
            read = context.tables.current if in_play else context.tables.glimpse
            table = await read(table_id)
            names = context.tables.names_at(table, words("web.someone"))
            found.append(
                types.TableSummary(
                    id=table.id,
                    game=table.plan.game,
                    state=state,
                    yours=table.deciding in table.seats_of(person.id),
                    names=["" if s.free else n for s, n in zip(table.seats, names, strict=True)],
                )
            )
    return found


@reads("/tables/{table_id:str}", TABLES, operation_id="getTable", summary="Look at a table")
async def look(context: AppContext, person: Person, words: Words, table: Table) -> types.Table:
    """A table as you may know it, with the actions that you may take now."""
    return shown(context, table, person, words)


# ------------------------------------------------------------ commands


def command(name: str, body: type[Struct], summary: str, about: str) -> Any:
    """Return the operation of a command."""

    async def handle(
        context: AppContext,
        caller: Caller,
        person: Person,
        words: Words,
        table_id: TableId,
        data: Any,
        idempotency_key: IdempotencyKey = "",
    ) -> types.Table:
        form = _form(data) | ({"token": idempotency_key} if idempotency_key else {})
        table = await carry_out(context, caller, person, table_id, name, form)
        return shown(context, table, person, words)

    handle.__name__ = name
    handle.__doc__ = about
    handle.__annotations__ = {
        "context": AppContext,
        "caller": Caller,
        "person": Person,
        "words": Words,
        "table_id": TableId,
        "data": body,
        "idempotency_key": IdempotencyKey,
        "return": types.Table,
    }
    path = f"/tables/{{table_id:str}}/{name}"
    return writes(path, PLAYING, operation_id=name, summary=summary)(handle)


def _form(data: Struct) -> Form:
    """A request as the form of the page's command."""
    return {key: str(value) for key, value in structs.asdict(data).items() if value is not None}


E_, S_ = types.Empty, types.SeatRequest
COMMANDS = [
    command("sit", types.SitRequest, "Join", "Take a free seat before the game."),
    command("stand", E_, "Stand up", "Free your seat before the game."),
    command("bot", types.BotRequest, "Seat a bot", "The host puts one of our bots on a seat."),
    command("remove", S_, "Remove", "The host frees a seat, or replaces somebody who is away."),
    command("swap", types.SwapRequest, "Swap seats", "The host swaps two seats before the game."),
    command("start", types.StartRequest, "Start", "The host begins the game."),
    command(
        "play",
        types.PlayRequest,
        "Act",
        "Take a decision: one of the table's `actions`, for the `moment` at which it was offered.",
    ),
    command(
        "undo",
        E_,
        "Undo",
        "Undo your last decision; if somebody learned something since, ask the others first.",
    ),
    command("agree", E_, "Agree to an undo", "Agree to the undo that somebody asks for."),
    command("decline", E_, "Decline an undo", "Decline the undo that somebody asks for."),
    command("talk", types.TalkRequest, "Talk", "Say one of the phrases."),
    command("pause", E_, "Pause", "The host pauses the game, or lets it go on."),
    command("pace", types.PaceRequest, "Set the pace", "The host sets how fast our bots play."),
    command("vote", S_, "Vote for a bot", "Vote for a bot in the seat of somebody who is away."),
    command("leave", E_, "Leave", "Leave; in a running game one of our bots takes your place."),
    command("back", E_, "Come back", "Take your seat back from the bot."),
]


@writes(
    "/tables/{table_id:str}/next",
    PLAYING,
    operation_id="next",
    summary="Play again",
)
async def play_again(
    context: AppContext,
    caller: Caller,
    person: Person,
    words: Words,
    table: Table,
    data: types.NextRequest,
) -> types.Table:
    """After the end: open the next table for the same people, or find it. Returns that table."""
    limit(context, context.limits.opening, caller.network)
    following = await series.follow_up(
        context.tables, context.seeds, table, person.id, marathon=data.marathon
    )
    return shown(context, await context.tables.get(following), person, words)


# ------------------------------------------------------------ looking back


@reads(
    "/tables/{table_id:str}/steps/{step:int}",
    BACK,
    operation_id="getStep",
    summary="Look at a moment",
)
async def look_back(
    person: Person,
    table: Table,
    step: Annotated[int, Parameter(ge=0, le=100_000, description="Decisions before it.")],
) -> types.Step:
    """The position after so many decisions as you saw it then, and what had just happened."""
    if table.game is None or step > len(table.game.steps):
        raise Refusal("unknown", "web.api.step")
    return step_data(table, person.id, step)


@reads(
    "/tables/{table_id:str}/record",
    BACK,
    operation_id="getRecord",
    summary="Get the record",
)
async def record(context: AppContext, words: Words, table: Table) -> dict[str, Any]:
    """The finished game with its seed and all actions: `veillee replay` shows it."""
    if not table.finished:
        raise Refusal("hidden", "web.verify.later")
    return table.record(context.tables.names_at(table, words("web.someone")))


@reads(
    "/tables/{table_id:str}/analysis",
    BACK,
    operation_id="getAnalysis",
    summary="Get the analysis",
)
async def analysis(context: AppContext, table: Table) -> types.AnalysisProgress:
    """What decisions of a finished game were worth, once somebody has asked for it."""
    progress = await context.analyses.of(table)
    if progress is None or not table.finished:
        raise Refusal("unknown", "web.api.analysis")
    return _progress(progress)


@writes(
    "/tables/{table_id:str}/analysis",
    BACK,
    status=202,
    operation_id="analyse",
    summary="Ask for an analysis",
)
async def analyse(context: AppContext, caller: Caller, table: Table) -> types.AnalysisProgress:
    """Have a finished game analysed in the background."""
    if await context.analyses.of(table) is None:
        limit(context, context.limits.analysing, caller.network)
        await context.analyses.request(table)
    return _progress(await context.analyses.of(table))


def _progress(progress: Progress | None) -> types.AnalysisProgress:
    if progress is None:
        return types.AnalysisProgress(0, 0, None)
    found = progress.analysis
    data = msgspec.to_builtins(found) if found is not None else None
    return types.AnalysisProgress(progress.done, progress.total, data)


HANDLERS = [
    options("/tables", "GET", "POST"),
    options("/tables/{table_id:str}/analysis", "GET", "POST"),
    open_new,
    list_own,
    list_open,
    look,
    *COMMANDS,
    play_again,
    look_back,
    record,
    analysis,
    analyse,
]
