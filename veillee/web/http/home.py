"""Home, and opening a table."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from veillee import lumarathon
from veillee.bots.characters import drawn, shared
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.options import Option
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.variant import Variant, player_counts, variant_text
from veillee.web.bot_pool import levels, strengths
from veillee.web.clock import now
from veillee.web.database import queries
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import (
    Caller,
    Form,
    limit,
    meet,
    payer_of,
    require_welcome,
    table_to_open,
)
from veillee.web.http.history import FOR_EVER, History
from veillee.web.http.pages import Pages
from veillee.web.http.rules import summary
from veillee.web.http.shelf import (
    chosen_variant,
    facts,
    game_of,
    has_marathon,
    seat_counts,
    title_of,
)
from veillee.web.people import Person, new_id, tidy_name
from veillee.web.tables.commands import nonce
from veillee.web.tables.lessons import lesson_plan
from veillee.web.tables.log import PACES, Timing
from veillee.web.tables.plans import TablePlan, first_seat, open_table
from veillee.web.tables.table import MS_PER_DAY, Table
from veillee.web.templating import MARATHON

MOST_OWN = 24
MOST_FINISHED = 5
MOST_LISTED = 12
MOST_READ = 60
"""Listed tables that are looked at to find those whose host is there."""
TIMINGS: dict[str, tuple[Timing, int]] = {
    "untimed": ("untimed", 0),
    "clock10": ("clock", 10),
    "clock30": ("clock", 30),
    "days1": ("days", 1),
    "days3": ("days", 3),
}


# ------------------------------------------------------------ home


@get("/")
async def home(
    context: AppContext, caller: Caller, pages: Pages, person: Person, words: Words
) -> Response[str]:
    limit(context, context.limits.asking, caller.network)
    running: list[dict[str, Any]] = []
    finished: list[dict[str, Any]] = []
    if person.known:
        finished = await History(context, person, words).page(False, FOR_EVER, MOST_FINISHED)
        for state in ("playing", "gathering"):
            for own in await queries.tables_of(context.store, person.id, state, MOST_OWN):
                with contextlib.suppress(Refusal):
                    table = await context.tables.glimpse(own.id)
                    awaited = own.awaited
                    if awaited is None and state == "playing":
                        awaited = (await context.tables.current(own.id)).awaited
                    running.append(_item(context, table, words, awaited == person.id))
        running.sort(key=lambda item: not item["yours"])
    shelf = [_on_shelf(spec, words) for spec in sorted(games().values(), key=lambda g: g.rank)]
    return pages.render(
        "home.html",
        social=pages.social("Veillée", "home", "/"),
        shelf=shelf + ([_marathon_on_shelf(words)] if has_marathon() else []),
        running=running,
        open=await _listed(context, words, person),
        finished=finished,
    )


async def _listed(context: AppContext, words: Words, person: Person) -> list[dict[str, Any]]:
    """The open tables at which somebody waits for others."""
    found: list[dict[str, Any]] = []
    for table_id in await queries.listed_tables(context.store, now() - MS_PER_DAY, MOST_READ):
        if len(found) == MOST_LISTED:
            break
        with contextlib.suppress(Refusal):
            table = await context.tables.glimpse(table_id)
            waits = not context.presence.is_away(table, table.plan.host)
            if waits and person.id not in table.people:
                found.append(_item(context, table, words))
    return found


def _on_shelf(spec: GameSpec, words: Words) -> dict[str, Any]:
    key = f"{spec.name}.about"
    return {
        "name": spec.name,
        "title": words(f"{spec.name}.title"),
        "lesson": spec.name if spec.lesson else "",
        **facts(spec.name),
        "about": words(key) if key in words else next(iter(summary(spec, words)), ""),
    }


def _marathon_on_shelf(words: Words) -> dict[str, Any]:
    return {
        "name": MARATHON,
        "title": words("web.marathon"),
        "lesson": lumarathon.FIRST if games()[lumarathon.FIRST].lesson else "",
        **facts(MARATHON),
        "about": words("web.marathon.about"),
    }


def _item(context: AppContext, table: Table, words: Words, yours: bool = False) -> dict[str, Any]:
    names = context.tables.names_at(table, words("web.someone"))
    free = sum(seat.free for seat in table.seats)
    return {
        "id": table.id,
        "game": table.plan.game,
        "part": table.part,
        "variant": table.plan.variant.get("name", ""),
        "names": ", ".join(n for n, s in zip(names, table.seats, strict=True) if not s.free),
        "free": free,
        "waiting": words("web.status.gathering", n=free) if free else "",
        "yours": yours,
    }


# ------------------------------------------------------------ opening a table


@post("/play", status_code=303)
async def play_now(
    context: AppContext, caller: Caller, person: Person, form: Form
) -> Response[Any]:
    """One click: a table with bots that begins at once, or one that waits for friends."""
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, person)
    choice = form.get("game", "")
    spec, variant = game_of(choice), chosen_variant(choice, form.get("variant", ""))
    counts = seat_counts(choice) if variant is None else player_counts(variant)
    person = await meet(context, caller, person)
    seats = max(counts) if choice == MARATHON else _nearest(counts, spec.usual_players)
    with_bots = form.get("with") == "bots"
    table_id = await table_to_open(context, form)
    seed, own_nonce = context.seeds.seed(table_id), nonce(form)
    own = first_seat(spec.name, seats, seed, own_nonce, variant) if with_bots else 0
    bots = [context.config.level if with_bots and seat != own else "" for seat in range(seats)]
    plan = TablePlan(
        spec.name,
        drawn(games_of(choice), bots, {}),
        {own: ""},
        own_nonce,
        pace=context.config.pace,
        marathon=table_id if choice == MARATHON else "",
        variant=variant,
    )
    payer = payer_of(context, caller)
    table = await open_table(context.tables, table_id, seed, person.id, plan, payer)
    return Redirect(f"/t/{table.id}", status_code=303)


@post("/learn", status_code=303)
async def learn(context: AppContext, caller: Caller, person: Person, form: Form) -> Response[Any]:
    """A guided first game: the one that the person left, or a new one."""
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, person)
    spec = game_of(form.get("game", ""))
    if spec.lesson is None:
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    for own in await queries.tables_of(context.store, person.id, "playing", MOST_OWN):
        begun = await context.tables.glimpse(own.id)
        if begun.plan.guided and begun.plan.game == spec.name and not begun.closed:
            return Redirect(f"/t/{own.id}", status_code=303)
    person = await meet(context, caller, person)
    seed, plan = lesson_plan(spec, spec.lesson, context.config.level, context.config.pace)
    payer = payer_of(context, caller)
    table = await open_table(context.tables, new_id(), seed, person.id, plan, payer)
    return Redirect(f"/t/{table.id}", status_code=303)


@get("/new")
async def new_table(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    words: Words,
    game: str = "",
) -> Response[str]:
    variant = chosen_variant(game, caller.asks("variant"))
    return _form_page(context, pages, person, words, game, caller.asks("with"), variant=variant)


def _nearest(counts: Sequence[int], usual: int) -> int:
    """The number of players that is offered first, of those that can play."""
    return min(counts, key=lambda n: (abs(n - usual), n))


def _form_page(
    context: AppContext,
    pages: Pages,
    person: Person,
    words: Words,
    choice: str,
    kind: str,
    said: str = "",
    variant: Variant | None = None,
) -> Response[str]:
    """The form for a new table, with a sentence on it if something was refused."""
    spec = game_of(choice)
    seats = seat_counts(choice) if variant is None else player_counts(variant)
    other = {"screen": "screen", "friends": "friend"}.get(kind, f"bot:{context.config.level}")
    usual = min(3, max(seats)) if kind == "screen" else spec.usual_players
    usual = _nearest(seats, usual)
    rows = ["me", *[other] * (usual - 1), *["none"] * (max(seats) - usual)]
    options = [
        _option(part, option, words, field, max(seats))
        for part in games_of(choice)
        for field, option in offered(choice, part)
        if variant is None or option.name not in variant.values
    ]
    own_name = person.name or words("web.traveller")
    return pages.render(
        "new.html",
        status=422 if said else 200,
        said=said,
        here=f"/new?game={choice}",
        variant=variant,
        variant_text=variant_text(variant) if variant else "",
        variants=choice != MARATHON,
        game=choice,
        title=title_of(choice, words),
        fewest=min(seats),
        most=max(seats),
        rows=rows,
        row_names=[own_name, *[""] * (len(rows) - 1)],
        levels=[
            (level, words(f"bots.level.{level}"), words(f"bots.level.{level}.help"))
            for level in levels()
        ],
        strengths=strengths(*games_of(choice)),
        characters=[
            (found.id, found.name, words(f"{spec.name}.character.{found.id}"))
            for found in shared(games_of(choice))
        ],
        options=options,
        timings=list(TIMINGS),
    )


def games_of(choice: str) -> list[GameSpec]:
    """Return the games whose options the form offers: for the Lumarathon, both."""
    if choice == MARATHON:
        return [games()[lumarathon.FIRST], games()[lumarathon.SECOND]]
    return [game_of(choice)]


def offered(choice: str, spec: GameSpec) -> list[tuple[str, Option]]:
    """Return the options of a game that the form offers, with the names of their fields."""
    decided = spec.series.takes if choice == MARATHON and spec.series else {}
    prefix = f"{spec.name}." if choice == MARATHON else ""
    return [
        (f"option.{prefix}{option.name}", option)
        for option in spec.options.OPTIONS
        if option.shown and option.name not in decided
    ]


CHOSEN = "chosen"
"""The value of an option that each player chooses for themselves."""


def _option(spec: GameSpec, option: Option, words: Words, field: str, seats: int) -> dict[str, Any]:
    """Describe an option for the form."""
    key = f"{spec.name}.option.{option.name}"
    choices = [(_json(value), _value(words, key, value)) for value in option.choices]
    if option.is_seat:
        choices = [("null", words("web.new.drawn"))]
        choices += [(str(seat), words("veillee.seat", n=seat + 1)) for seat in range(seats)]
    if option.each:
        choices.append((CHOSEN, words("web.new.chosen")))
    return {
        "name": field,
        "flag": isinstance(option.default, bool),
        "default": option.default,
        "title": words(key) if key in words else option.name,
        "about": words(f"{key}.about") if f"{key}.about" in words else "",
        "choices": choices,
        "each": [(_json(value), _value(words, key, value)) for value in option.each],
    }


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _value(words: Words, key: str, value: Any) -> str:
    return words(f"{key}.{value}") if f"{key}.{value}" in words else str(value)


@post("/new", status_code=303)
async def set_table(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    words: Words,
    form: Form,
) -> Response[Any]:
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, person)
    choice = form.get("game", "")
    variant = chosen_variant(choice, form.get("variant", ""))
    table_id = await table_to_open(context, form)
    own_name, plan = _plan(context, form, choice, table_id, words, variant)
    if plan.listed:
        limit(context, context.limits.listing, caller.network)
    try:
        plan.check()
        if choice == MARATHON:
            games()[lumarathon.SECOND].template(len(plan.bots), plan.later)
        if own_name and own_name != person.name:
            person = msgspec.structs.replace(person, name=own_name, known=False)
        person = await meet(context, caller, person)
        seed = context.seeds.seed(table_id)
        payer = payer_of(context, caller)
        table = await open_table(context.tables, table_id, seed, person.id, plan, payer)
    except Refusal as refusal:
        why = refusal.why(words)
        return _form_page(context, pages, person, words, choice, "", why, variant)
    return Redirect(f"/t/{table.id}", status_code=303)


def _plan(
    context: AppContext,
    form: Form,
    choice: str,
    table_id: str,
    words: Words,
    variant: Variant | None,
) -> tuple[str, TablePlan]:
    """Read a form: the host's name, if it was typed, and the plan."""
    spec = game_of(choice)
    own_name = ""
    bots: list[str] = []
    chosen: dict[int, str] = {}
    sit: dict[int, str] = {}
    rows: list[int] = []
    for row in range(max(spec.player_counts)):
        who = form.get(f"seat{row}", "none")
        if who == "none":
            continue
        rows.append(row)
        typed = tidy_name(form.get(f"name{row}", ""))
        if who == "me" and "" not in sit.values():
            own_name = typed
            sit[len(bots)] = ""
        elif who in ("me", "screen"):
            sit[len(bots)] = typed or words("veillee.seat", n=len(bots) + 1)
        if character := form.get(f"character{row}", ""):
            chosen[len(bots)] = character
        bots.append(who[4:] if who.startswith("bot:") else "")
    timing, amount = TIMINGS.get(form.get("timing", ""), TIMINGS["untimed"])
    return own_name, TablePlan(
        spec.name,
        drawn(games_of(choice), bots, chosen),
        sit,
        nonce(form),
        _options(choice, spec, form, rows),
        listed=form.get("listed") == "1",
        watching=form.get("watching") == "1",
        timing=timing,
        amount=amount,
        pace=PACES.get(form.get("pace", ""), context.config.pace),
        marathon=table_id if choice == MARATHON else "",
        later=_options(choice, games_of(choice)[-1], form, rows) if choice == MARATHON else {},
        variant=variant,
    )


def _options(choice: str, spec: GameSpec, form: Form, rows: list[int]) -> dict[str, Any]:
    """Return the options that differ from their defaults. `rows` are the seats of the form."""
    found: dict[str, Any] = {}
    for field, option in offered(choice, spec):
        given = form.get(field)
        if isinstance(option.default, bool):
            value: Any = given == "true"
        elif given is None:
            continue
        elif given == CHOSEN:
            value = [_decoded(form.get(f"{field}.{row}", "")) for row in rows]
        else:
            value = _decoded(given)
        if value != option.default:
            found[option.name] = value
    return found


def _decoded(given: str) -> Any:
    try:
        return msgspec.json.decode(given)
    except msgspec.DecodeError:
        return given


HANDLERS = [home, play_now, learn, new_table, set_table]
