"""A table: its page, what is done there, and what belongs to it."""

from __future__ import annotations

import contextlib
import secrets
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from veillee.engine.game import game_of
from veillee.engine.refusal import Refusal
from veillee.engine.svg import Canvas
from veillee.engine.tally import lines, signed
from veillee.engine.words import Words
from veillee.web import acts
from veillee.web import looks as seeing
from veillee.web.bots import RANDOM, levels
from veillee.web.choices import Stage, fits, label_of, questions, stage
from veillee.web.desk import Desk, Req, desk, look_of, qr, scripted, setting
from veillee.web.house import CARRIED
from veillee.web.marathon import carried, standing
from veillee.web.people import Person
from veillee.web.table import Table

MOST_FRAMES = 60


@get("/t/{table_id:str}")
async def table_page(request: Req, table_id: str) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    table = await d.seen(table_id, person)
    d.house.present(table, person.id)
    return await _table_page(d, request, person, table)


async def _table_page(
    d: Desk, request: Req, person: Person, table: Table, said: str = "", status: int = 200
) -> Response[str]:
    look = look_of(d, request, person)
    words = look.words
    names = d.house.names_at(table, words("web.someone"))
    mine = table.seats_of(person.id)
    shared: dict[str, Any] = {
        "table": table,
        "names": names,
        "mine": mine,
        "host": table.plan.host == person.id,
        "said": said,
        "status": status,
        "here": f"/t/{table.id}",
    }
    if table.game is None:
        link = d.link(request, f"/t/{table.id}")
        free = sum(seat.free for seat in table.seats)
        return d.page(
            request,
            person,
            "gather.html",
            **shared,
            link=link,
            qr=qr(link),
            local=urlsplit(link).hostname in ("localhost", "127.0.0.1", "::1"),
            free=free,
            taken=len(table.seats) - free,
            may_drop=len(table.seats) - free in table.contract.seats,
            host_name=d.house.names.get(table.plan.host) or words("web.someone"),
        )
    shows = request.query_params.get("look", "")
    seat = int(shows) if shows.isdigit() and int(shows) in mine else None
    own = seeing.mine(table, look, person.id, seat, names)
    gone = d.house.gone(table)
    game = table.game
    bits = 1 << own.seat if own.seat >= 0 else 0
    told = seeing.lines_of(table, words, names, bits, range(len(game.steps) + 1))
    picked = [
        (key[5:], value) for key, value in request.query_params.items() if key.startswith("pick.")
    ]
    facts = d.pages.panel_facts(table, person.id, gone)
    awaited = own.status or d.pages.status(table, words, names)
    offered = own.choices.read() if own.choices else []
    return d.page(
        request,
        person,
        "table.html",
        **shared,
        own=own,
        shows=seat,
        tall=look.tall,
        top=Markup(d.pages.top(table, look, names, d.pages.top_facts(table, gone), awaited)),  # noqa: S704 - from our template
        panel=Markup(d.pages.panel(table, look, person.id, names, facts)),  # noqa: S704 - from our template
        picture=Markup("".join(d.broadcast.public(table, look, names))),  # noqa: S704 - drawn by us
        overlay=Markup(own.overlay or ""),  # noqa: S704 - drawn by us
        lines=told,
        stage=stage(offered, picked) if offered else None,
        label=partial(label_of, offered),
        ask=questions(table.contract, look.language),
        query=lambda picks: _query(picks, seat),
        single=_single,
        token=secrets.token_urlsafe(12),
        **(await _end(d, table, words, names) if game.over else {}),
    )


def _query(picks: list[tuple[str, str]], shows: int | None) -> str:
    shown = [("look", str(shows))] if shows is not None else []
    return urlencode([*shown, *((f"pick.{field}", value) for field, value in picks)])


def _single(now: Stage, value: str) -> Any:
    """The one action that a value leaves, if it is one."""
    assert now.field is not None
    left = [choice for choice in now.left if fits(choice, now.field, value)]
    return left[0] if len(left) == 1 else None


async def _end(d: Desk, table: Table, words: Words, names: list[str]) -> dict[str, Any]:
    game = table.game
    assert game is not None
    scores, places = game.scores, game.places
    order = sorted(range(game.players), key=lambda seat: places[seat])
    counted = lines([game.tally(seat) for seat in order])
    return {
        "podium": [
            {
                "place": places[seat],
                "name": names[seat],
                "score": signed(scores[seat]),
                "points": words("web.points", n=scores[seat]),
            }
            for seat in order
        ],
        "sheet": [(line[0].said(words), [row.counted() for row in line]) for line in counted],
        "clauses": [(key, words(key)) for key in dict.fromkeys(line[0].clause for line in counted)],
        "over": _carried(table, words, names),
        "standing": await standing(d.house, table, names),
    }


def _carried(table: Table, words: Words, names: list[str]) -> str:
    """What the first game of a Lumarathon brings into the second, in words."""
    if not table.plan.marathon or table.plan.game != CARRIED:
        return ""
    along = carried(table)
    return words(
        "lumarathon.first.over",
        name=names[along["first"]],
        coins=", ".join(names[seat] for seat in along["coins"]),
        keeper=names[along["keeper"]],
    )


@post("/t/{table_id:str}/{act:str}", status_code=200)
async def act_at_table(request: Req, table_id: str, act: str) -> Response[Any]:
    """Everything that a person does at a table by form; the script's way is in `lane.py`."""
    d = desk(request)
    person = await d.person(request)
    form = await d.form(request, person)
    try:
        table = await d.act(person, d.language(request, person), table_id, act, form)
    except Refusal as refusal:
        return await _refused(d, request, person, table_id, refusal)
    if scripted(request):
        return Response({"ok": True, "number": table.number}, media_type="application/json")
    shows = f"?look={form['look']}" if form.get("look", "").isdigit() else ""
    return Redirect(f"/t/{table.id}{shows}", status_code=303)


async def _refused(
    d: Desk, request: Req, person: Person, table_id: str, refusal: Refusal
) -> Response[Any]:
    status, told = d.refused(refusal, d.language(request, person), at_table=True)
    if scripted(request):
        return Response(told, media_type="application/json", status_code=status)
    table = d.house.tables.get(table_id)
    if table is None:
        raise refusal
    return await _table_page(d, request, person, table, told["refused"], status)


@post("/t/{table_id:str}/hint", status_code=200)
async def hint(request: Req, table_id: str) -> Response[Any]:
    """What a bot would do in the person's place."""
    d = desk(request)
    person = await d.person(request)
    await d.form(request, person)
    d.limit(d.acting, person.id)
    table = await d.seen(table_id, person)
    game = table.game
    if game is None or table.deciding not in table.seats_of(person.id):
        return await _refused(d, request, person, table_id, acts.no("web.act.turn"))
    seat, moment = table.deciding, table.moment
    level = RANDOM if d.serving.level == RANDOM else levels()[-2]
    view = game.seen_by(seat)
    number = await d.house.thinkers.choose(table.contract, view, level)
    words = Words(d.language(request, person))
    said = table.contract.say(words, table.contract.twin(view), number)
    if scripted(request):
        return Response(
            {"action": table.contract.text(number), "say": said, "moment": moment},
            media_type="application/json",
        )
    return await _table_page(d, request, person, table, words("web.js.hint.says") + " " + said)


@get("/t/{table_id:str}/ghost")
async def ghost(request: Req, table_id: str, action: str, moment: int) -> Response[Any]:
    """What an action would do, drawn from what the seat may know."""
    d = desk(request)
    person = await d.person(request)
    d.limit(d.asking, person.id)
    table = await d.seen(table_id, person)
    game = table.game
    seat = table.deciding
    if game is None or table.moment != moment or seat not in table.seats_of(person.id):
        return Response("", status_code=204)
    try:
        number = game.number(action[:200])
    except Refusal:
        return Response("", status_code=204)
    drawn = seeing.ghost(
        table.contract, look_of(d, request, person), seeing.views(game, (seat,)), number
    )
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-store"})


async def _looked_up(request: Req, table_id: str) -> tuple[Desk, Person, Table]:
    """Who asks, not too often, and the table, if they may look at it."""
    d = desk(request)
    person = await d.person(request)
    d.limit(d.acting, person.id)
    return d, person, await d.seen(table_id, person)


@get("/t/{table_id:str}/why")
async def why(request: Req, table_id: str) -> Response[Any]:
    """Why something that was tapped can't be chosen: the clause, in words."""
    d, person, table = await _looked_up(request, table_id)
    words = Words(d.language(request, person))
    game = table.game
    if game is None or game.over or table.deciding not in table.seats_of(person.id):
        return Response({"why": words("web.act.turn")}, media_type="application/json")
    contract = table.contract
    seen = seeing.views(game, (table.deciding,))
    wanted = [(k[5:], v) for k, v in request.query_params.items() if k.startswith("pick.")]
    allowed = set(game._legal_numbers())
    clause = ""
    for number in range(contract.actions):
        if number not in allowed:
            parts = {k: _texts(v) for k, v in contract.describe(seen, number).items()}
            if all(v in parts.get(k, ()) for k, v in wanted):
                clause = contract.forbids(seen, number)
                break
    text = words(clause) if clause and clause in words else words("web.why.not")
    return Response({"why": text, "clause": clause}, media_type="application/json")


def _texts(value: Any) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list) else [str(value)]


@get("/t/{table_id:str}/since")
async def since(request: Req, table_id: str) -> Response[Any]:
    """What happened since the person's last decision: a picture and words for each step."""
    d, person, table = await _looked_up(request, table_id)
    game = table.game
    if game is None:
        return Response([], media_type="application/json")
    look = look_of(d, request, person)
    names = d.house.names_at(table, look.words("web.someone"))
    mine = table.seats_of(person.id)
    back = min((table.last_decision_of(seat) or MOST_FRAMES for seat in mine), default=8)
    first = max(0, len(game.steps) - min(back, MOST_FRAMES))
    frames: list[dict[str, Any]] = []
    canvas = Canvas()
    bits = 1 << mine[0] if len(mine) == 1 else 0
    pieces = d.broadcast.pieces(table)
    for step in range(first, len(game.steps) + 1):
        s = seeing.views(game, (), seeing.state_after(game, step))
        seeing.draw(canvas, table.contract, look, s, names, pieces.at(game, step))
        lines = seeing.lines_of(table, look.words, names, bits, [step]) if step > first else []
        drawn: dict[str, Any] = {"changes": seeing.changes(canvas)}
        if step == first:
            drawn = {"picture": [*canvas.parts]}
        frames.append({**drawn, "lines": lines})
    return Response(frames, media_type="application/json")


@post("/t/{table_id:str}/next", status_code=303)
async def next_table(request: Req, table_id: str) -> Response[Any]:
    """The same people again: a rematch, or the Lumarathon's second game."""
    d, person, form = await setting(request)
    table = await d.seen(table_id, person)
    try:
        following = await d.house.follow_up(
            table, person, carried(table) if form.get("what") == "marathon" else None
        )
    except Refusal as refusal:
        return await _refused(d, request, person, table_id, refusal)
    return Redirect(f"/t/{following}", status_code=303)


@get("/t/{table_id:str}/verify")
async def verify(request: Req, table_id: str) -> Response[str]:
    d, person, table = await _looked_up(request, table_id)
    over = table.state == "over"
    good = False
    names = d.house.names_at(table, Words(d.language(request, person))("web.someone"))
    if over:
        record = table.record(names)
        mixed = table.mixed_seed()
        with contextlib.suppress(Refusal):
            replayed = game_of(table.contract).replay(record)
            good = replayed.over and replayed.seed.hex == mixed.hex == record["seed"]
    return d.page(
        request,
        person,
        "verify.html",
        table=table,
        over=over,
        good=good,
        names=names,
        entries=table.moment,
        here=f"/t/{table.id}/verify",
    )


@get("/t/{table_id:str}/record")
async def record(request: Req, table_id: str) -> Response[Any]:
    """The finished game as a file."""
    d = desk(request)
    person = await d.person(request)
    table = await d.seen(table_id, person)
    if table.state != "over":
        raise Refusal("illegal", "web.verify.later", "web.verify.later")
    names = d.house.names_at(table, Words(d.language(request, person))("web.someone"))
    return Response(
        table.record(names),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="veillee-{table.id[:6]}.json"'},
    )


@get("/t/{table_id:str}/invite")
async def invite(request: Req, table_id: str) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    table = await d.seen(table_id, person)
    words = Words(d.language(request, person))
    link = d.link(request, f"/t/{table.id}")
    return d.page(
        request,
        person,
        "link.html",
        table=table,
        title=words("web.watch.link"),
        how=words("web.watch.how"),
        link=link,
        qr=qr(link),
        here=f"/t/{table.id}/invite",
    )


@get("/t/{table_id:str}/move")
async def move_page(request: Req, table_id: str) -> Response[str]:
    """On the old device: a link for the new one. On the new one: the button that moves the seat."""
    d = desk(request)
    person = await d.person(request)
    table = await d.house.table(table_id)
    words = Words(d.language(request, person))
    ticket = request.query_params.get("ticket", "")
    shared: dict[str, Any] = {"table": table, "title": words("web.move"), "here": f"/t/{table.id}"}
    if ticket:
        how = words("web.move.take")
        return d.page(request, person, "link.html", **shared, how=how, ticket=ticket)
    mine = table.seats_of(person.id)
    if not mine:
        raise Refusal("illegal", "web.act.watcher", "web.act.watcher")
    seat = table.deciding if table.deciding in mine else mine[0]
    sealed = d.house.seal.seal("move", f"{table.id}:{seat}:{person.id}:{table.seats[seat].moves}")
    link = d.link(request, f"/t/{table.id}/move?{urlencode({'ticket': sealed})}")
    return d.page(
        request, person, "link.html", **shared, how=words("web.move.how"), link=link, qr=qr(link)
    )
