"""A table's page and what belongs to it; its stream and the script's posts are elsewhere."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from veillee.bots.characters import RANDOM
from veillee.engine.drawing.svg import Canvas
from veillee.engine.game import game_class
from veillee.engine.game_spec import Section
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.score_sheet import lines as score_lines
from veillee.engine.score_sheet import signed
from veillee.web.bot_pool import Payer, levels
from veillee.web.delivery import fragments, rendering
from veillee.web.delivery.choices import (
    Stage,
    detail_of,
    fits,
    label_of,
    nearest_illegal,
    questions,
    stage,
)
from veillee.web.delivery.highlights import highlights
from veillee.web.delivery.player_view import PlayerView, player_view
from veillee.web.delivery.rendering import Layout
from veillee.web.http.actions import act
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import (
    Caller,
    Form,
    limit,
    limit_key,
    payer_of,
    require_welcome,
)
from veillee.web.http.pages import LOCAL_NAMES, Pages, qr_code
from veillee.web.http.refusals import explain
from veillee.web.http.shelf import choice_of, facts, parts_of_marathon, title_of
from veillee.web.people import Person
from veillee.web.tables import series
from veillee.web.tables.commands import LONGEST_ACTION, refuse, seat_number, seat_ticket
from veillee.web.tables.table import COMPILED, COMPILING, Table

MOST_FRAMES = 60
FRAMES_FOR_SPECTATORS = 8
JSON = "application/json"


class TablePage:
    """The page of a table for one person."""

    def __init__(
        self,
        context: AppContext,
        caller: Caller,
        pages: Pages,
        person: Person,
        table: Table,
        layout: Layout,
    ) -> None:
        self.context, self.caller, self.pages = context, caller, pages
        self.person, self.table, self.layout = person, table, layout
        self.words = layout.words
        self.names = context.tables.names_at(table, self.words("web.someone"))
        self.seats = table.seats_of(person.id)

    async def refuse(self, refused: Refusal) -> Response[Any]:
        """The page with a refusal on it; the script gets the refusal itself."""
        if self.caller.by_script:
            raise refused
        told = explain(refused, self.layout.language)
        return await self.render(told.body["refused"], told.status)

    async def render(self, said: str = "", status: int = 200) -> Response[str]:
        """The page, with a sentence for the person on it if there is one."""
        away = self.context.presence.away_seats(self.table)
        shared: dict[str, Any] = {
            "table": self.table,
            "names": self.names,
            "mine": self.seats,
            "bots": any(seat.bot for seat in self.table.seats),
            "host": self.table.plan.host == self.person.id,
            "away": away,
            "said": said,
            "status": status,
            "here": f"/t/{self.table.id}",
        }
        if self.table.game is None:
            return self._gathering(shared)
        return await self._playing(shared, away)

    def _gathering(self, shared: dict[str, Any]) -> Response[str]:
        """The lobby; for who is not in it yet, the invitation."""
        table, words = self.table, self.words
        free = sum(seat.free for seat in table.seats)
        host = self.context.people.names.get(table.plan.host) or words("web.someone")
        choice = choice_of(table)
        title = title_of(choice, words)
        invitation = words("web.join.title", name=host, game=title)
        shared |= {
            "choice": choice,
            "title": title,
            "marathon": parts_of_marathon(words),
            "social": self.pages.social(invitation, choice, f"/t/{table.id}"),
        }
        if not self.seats and free:
            return self._invitation(shared, choice)
        link = self.pages.link(f"/t/{table.id}")
        return self.pages.render(
            "gather.html",
            **shared,
            link=link,
            qr=qr_code(link),
            local=urlsplit(link).hostname in LOCAL_NAMES,
            free=free,
            taken=len(table.seats) - free,
            may_drop=table.plan.position is None
            and len(table.seats) - free in table.spec.player_counts,
            host_name=host,
        )

    def _invitation(self, shared: dict[str, Any], choice: str) -> Response[str]:
        table = self.table
        seated = zip(self.names, table.seats, strict=True)
        return self.pages.render(
            "join.html",
            **shared,
            **facts(choice),
            here_names=", ".join(name for name, seat in seated if not seat.free),
            removed=self.person.id in table.removed,
        )

    async def _playing(self, shared: dict[str, Any], away: tuple[bool, ...]) -> Response[str]:
        table, layout, names = self.table, self.layout, self.names
        game = table.game
        assert game is not None
        asked = seat_number(self.caller.asks("look"))
        shows = asked if asked in self.seats else None
        own = player_view(table, layout, self.person.id, shows, names)
        bits = 1 << own.seat if own.seat >= 0 else 0
        status = own.status or fragments.status(table, self.words, names)
        parts = self.context.broadcast.fragments
        panel = fragments.panel_state(table, self.person.id, away)
        header = fragments.header_state(table, away)
        return self.pages.render(
            "table.html",
            **shared,
            social=self.pages.social(
                title_of(choice_of(table), self.words), choice_of(table), f"/t/{table.id}"
            ),
            **self._choices(own, shows),
            own=own,
            shows=shows,
            shape=layout.shape,
            first=first_panel(table, self.person.id),
            top=Markup(parts.header(table, layout, names, header, status)),  # noqa: S704 - from our template
            panel=Markup(parts.panel(table, layout, self.person.id, names, panel)),  # noqa: S704 - from our template
            picture=Markup("".join(self.context.broadcast.picture(table, layout, names))),  # noqa: S704 - drawn by us
            overlay=Markup(own.overlay or ""),  # noqa: S704 - drawn by us
            guide=Markup(own.guide or ""),  # noqa: S704 - from our template
            log=self._log(bits),
            outline=self.outline(own.seat),
            token=secrets.token_urlsafe(12),
            **(await self._end() if game.over else {}),
        )

    def _choices(self, own: PlayerView, shows: int | None) -> dict[str, Any]:
        """The choices without script: one stage after the other."""
        offered = own.choices.read() if own.choices else []
        return {
            "stage": stage(offered, picks(self.caller)) if offered else None,
            "label": partial(label_of, offered),
            "detail": partial(detail_of, offered),
            "ask": questions(self.table.spec, self.layout.language),
            "query": lambda picked: _query(picked, shows),
            "single": _single,
        }

    def outline(self, seat: int) -> Sequence[Section] | None:
        """The position in words, as a seat may know it (-1: a spectator)."""
        table, game = self.table, self.table.game
        if game is None or table.spec.outline is None:
            return None
        view = rendering.view_of(game, [seat] if seat >= 0 else [])
        return table.spec.outline(self.words, view, self.names, seat if seat >= 0 else None)

    def _log(self, seats: int) -> list[tuple[int, list[rendering.Told]]]:
        """Return the log by turn, the last one first."""
        table, game = self.table, self.table.game
        assert game is not None
        told = rendering.log_of(
            table, self.words, self.names, seats, range(len(game.steps) + 1), table.notes
        )
        turns: list[tuple[int, list[rendering.Told]]] = []
        for one in told:
            if turns and (one.note or one.turn == turns[-1][0]):
                turns[-1][1].append(one)
            else:
                turns.append((one.turn, [one]))
        return turns[::-1]

    async def _end(self) -> dict[str, Any]:
        """Podium and score sheet."""
        game, names, words = self.table.game, self.names, self.words
        assert game is not None
        scores, places = game.scores, game.places
        order = sorted(range(game.players), key=lambda seat: places[seat])
        rows = score_lines([game.score_sheet(seat) for seat in order])
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
            "sheet": [(row[0].said(words), [cell.counted() for cell in row]) for row in rows],
            "clauses": [(key, words(key)) for key in dict.fromkeys(row[0].clause for row in rows)],
            "over": _carried_over(self.table, words, names),
            **self._verdict(),
            "moments": self._moments(),
            "replay_link": self.pages.link(f"/g/{self.table.id}"),
            "shared_title": words(
                "web.end.shared",
                game=words(f"{self.table.plan.game}.title"),
                result=fragments.status(self.table, words, names),
            ),
            "others": [
                spec.name
                for spec in sorted(games().values(), key=lambda spec: spec.rank)
                if spec.name != self.table.plan.game and game.players in spec.player_counts
            ],
            "standing": await series.standing(self.context.tables, self.table, names),
        }

    def _verdict(self) -> dict[str, Any]:
        """The person's own place; 0 if they play for several, or watch."""
        game, own = self.table.game, self._own_seat()
        assert game is not None
        if own is None:
            return {"place": 0, "verdict": ""}
        place, n = game.places[own], game.players
        key = f"web.end.place.{place}"
        verdict = self.words(key if key in self.words else "web.end.place", place=place, n=n)
        if place == 1:
            verdict = self.words("web.end.won" if len(game.winners) == 1 else "web.end.tied")
        return {"place": place, "verdict": verdict}

    def _own_seat(self) -> int | None:
        """The seat that the person played themselves, beside guests on their screen."""
        seats = self.table.seats
        own = [s for s in self.seats if not seats[s].guest or seats[s].transfers]
        return own[0] if len(own) == 1 else None

    def _moments(self) -> list[dict[str, Any]]:
        """The decisive moments, in words."""
        game, words, names = self.table.game, self.words, self.names
        assert game is not None
        return [
            {
                "step": one.step,
                "say": words(f"web.end.{one.kind}", name=names[one.seat], n=one.points),
                "line": next(iter(rendering.lines_in(game, words, names, 0, one.step)), ""),
            }
            for one in highlights(game, self._own_seat())
        ]


def provide_table_page(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    table: Table,
    layout: Layout,
) -> TablePage:
    return TablePage(context, caller, pages, person, table, layout)


@get("/t/{table_id:str}")
async def table_page(context: AppContext, caller: Caller, page: TablePage) -> Response[Any]:
    if page.table.plan.seed:  # it was imported: nobody plays here
        return Redirect(f"/g/{page.table.id}", status_code=303)
    limit(context, context.limits.expensive, caller.network)
    return await page.render()


def picks(caller: Caller) -> list[tuple[str, str]]:
    """Read the picks so far from the query string."""
    return [
        (key.removeprefix("pick."), value)
        for key, values in caller.query.items()
        if key.startswith("pick.")
        for value in values
    ]


def _query(picked: list[tuple[str, str]], shows: int | None) -> str:
    shown = [("look", str(shows))] if shows is not None else []
    return urlencode([*shown, *((f"pick.{field}", value) for field, value in picked)])


def first_panel(table: Table, person: str) -> int:
    """The seat whose panel comes first for a person: their own, unless they share a screen."""
    own = table.seats_of(person)
    return own[0] if len(own) == 1 else 0


def _single(now: Stage, value: str) -> Any:
    """The action that a value leaves, if it is only one."""
    assert now.field is not None
    left = [choice for choice in now.left if fits(choice, now.field, value)]
    return left[0] if len(left) == 1 else None


def _carried_over(table: Table, words: Words, names: list[str]) -> str:
    """Return in words what the first game of a Lumarathon hands on to the second."""
    if not series.is_first(table):
        return ""
    carried = series.carried_over(table)
    return words(
        "lumarathon.first.over",
        n=len(carried["coins"]),
        name=names[carried["first"]],
        coins=words.listed([names[seat] for seat in carried["coins"]]),
        keeper=names[carried["keeper"]],
    )


@post("/t/{table_id:str}/{command:str}", status_code=200)
async def act_by_form(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    layout: Layout,
    form: Form,
    table_id: str,
    command: str,
) -> Response[Any]:
    """Everything that a person does at a table by a plain form."""
    try:
        table = await act(context, caller, person, table_id, command, form)
    except Refusal as refused:
        found = context.tables.in_memory(table_id)
        if found is None or not found.may_watch(person.id):
            raise
        return await TablePage(context, caller, pages, person, found, layout).refuse(refused)
    if caller.by_script:
        return Response({"ok": True, "number": table.number}, media_type=JSON)
    look = seat_number(form.get("look", ""))
    return Redirect(
        f"/t/{table.id}" + (f"?look={look}" if look is not None else ""), status_code=303
    )


@post("/t/{table_id:str}/hint", status_code=200)
async def hint(context: AppContext, caller: Caller, page: TablePage) -> Response[Any]:
    """Return a hint: the action that a bot would take, and why."""
    limit(context, context.limits.acting, limit_key(context, caller))
    table, game = page.table, page.table.game
    if game is None or table.deciding not in page.seats:
        return await page.refuse(refuse("web.act.turn"))
    if table.spec in COMPILING:
        return await page.refuse(refuse("web.waking"))
    seat, moment = table.deciding, table.moment
    level = RANDOM if context.config.level == RANDOM else levels()[-2]
    view = game.seen_by(seat)
    payer = Payer(payer_of(context, caller), page.person.id)
    number, why = await context.bots.advise(
        table.spec, view, level, page.words.language, page.names, payer
    )
    said = table.spec.text.say(page.words, table.spec.twin(view), number, page.names)
    if caller.by_script:
        action = table.spec.notation.text(number)
        body = {"action": action, "say": said, "why": why, "moment": moment}
        return Response(body, media_type=JSON)
    return await page.render(f"{page.words('web.js.hint.says')} {said} {why}")


@get("/t/{table_id:str}/ghost")
async def preview(
    context: AppContext,
    caller: Caller,
    person: Person,
    table: Table,
    layout: Layout,
    action: str,
    moment: int,
) -> Response[Any]:
    """Return a preview of an action, drawn from what the seat may know."""
    limit(context, context.limits.asking, caller.network)
    game, seat = table.game, table.deciding
    if game is None or table.moment != moment or seat not in table.seats_of(person.id):
        return Response("", status_code=204)
    try:
        number = game.number(action[:LONGEST_ACTION])
    except Refusal:
        return Response("", status_code=204)
    view = rendering.view_of(game, (seat,))
    drawn = rendering.preview(table.spec, layout, view, number, first_panel(table, person.id))
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-store"})


@get("/t/{table_id:str}/outline")
async def outline(context: AppContext, caller: Caller, page: TablePage) -> Response[str]:
    """The position in words, for the person's own seat."""
    limit(context, context.limits.asking, caller.network)
    asked = seat_number(caller.asks("look"))
    shows = asked if asked in page.seats else None
    own = player_view(page.table, page.layout, page.person.id, shows, page.names)
    return page.pages.render("part_outline.html", outline=page.outline(own.seat) or [])


@get("/t/{table_id:str}/why")
async def why(
    context: AppContext, caller: Caller, person: Person, table: Table, words: Words
) -> Response[Any]:
    """Why something that was tapped can't be chosen: the clause, in words."""
    limit(context, context.limits.expensive, caller.network)
    game = table.game
    if game is None or game.over or table.deciding not in table.seats_of(person.id):
        return Response({"why": words("web.act.turn")}, media_type=JSON)
    seen = rendering.view_of(game, (table.deciding,))
    number = nearest_illegal(table.spec, seen, game.legal_numbers(), picks(caller))
    if number is None:
        return Response({"why": words("web.why.not"), "clause": ""}, media_type=JSON)
    clause = table.spec.forbids(seen, number)
    text = words(clause) if clause in words else words("web.why.not")
    shown = [[field, str(value)] for field, value in table.spec.because(seen, number)]
    return Response({"why": text, "clause": clause, "because": shown}, media_type=JSON)


@get("/t/{table_id:str}/since")
async def since(
    context: AppContext, caller: Caller, person: Person, table: Table, layout: Layout
) -> Response[Any]:
    """Return the steps since the person's last decision, each as a picture and words."""
    limit(context, context.limits.expensive, caller.network)
    game = table.game
    if game is None:
        return Response([], media_type=JSON)
    names = context.tables.names_at(table, layout.words("web.someone"))
    own = table.seats_of(person.id)
    back = min(
        (table.last_decision_of(seat) or MOST_FRAMES for seat in own),
        default=FRAMES_FOR_SPECTATORS,
    )
    first = max(0, len(game.steps) - min(back, MOST_FRAMES))
    frames: list[dict[str, Any]] = []
    canvas = Canvas()
    bits = 1 << own[0] if len(own) == 1 else 0
    pieces = rendering.PieceTracker()
    for step in range(first, len(game.steps) + 1):
        view = rendering.view_of(game, (), rendering.state_after(game, step))
        rendering.draw(canvas, table.spec, layout, view, names, pieces.at(game, step))
        lines = rendering.lines_in(game, layout.words, names, bits, step) if step > first else []
        drawn: dict[str, Any] = {"changes": canvas.changes()}
        if step == first:
            drawn = {"picture": canvas.parts}
        frames.append({**drawn, "lines": lines})
    return Response(frames, media_type=JSON)


@post("/t/{table_id:str}/next", status_code=303)
async def next_table(
    context: AppContext, caller: Caller, page: TablePage, form: Form
) -> Response[Any]:
    """The same people again: a rematch, or the Lumarathon's second game."""
    limit(context, context.limits.opening, caller.network)
    require_welcome(context, caller, page.person)
    try:
        following = await series.follow_up(
            context.tables,
            context.seeds,
            page.table,
            page.person.id,
            marathon=form.get("what") == "marathon",
            game=form.get("what", "").partition("game:")[2],
        )
    except Refusal as refused:
        return await page.refuse(refused)
    return Redirect(f"/t/{following}", status_code=303)


@get("/t/{table_id:str}/verify")
async def verify(
    context: AppContext, caller: Caller, pages: Pages, table: Table, words: Words
) -> Response[str]:
    limit(context, context.limits.expensive, caller.network)
    over = table.state == "over"
    names = context.tables.names_at(table, words("web.someone"))
    return pages.render(
        "verify.html",
        table=table,
        over=over,
        good=over and _is_verified(table, names),
        names=names,
        entries=table.moment,
        here=f"/t/{table.id}/verify",
    )


def _is_verified(table: Table, names: list[str]) -> bool:
    """Whether the finished game can be replayed from its revealed seed."""
    record, compiled = table.record(names), table.spec in COMPILED
    with contextlib.suppress(Refusal):
        replayed = game_class(table.spec).replay(record, compiled)
        return replayed.over and replayed.seed.hex == table.mixed_seed().hex == record["seed"]
    return False


@get("/t/{table_id:str}/record")
async def record(context: AppContext, caller: Caller, table: Table, words: Words) -> Response[Any]:
    """The finished game as a file."""
    limit(context, context.limits.expensive, caller.network)
    if table.state != "over":
        raise Refusal("hidden", "web.verify.later", "web.verify.later")
    return Response(
        table.record(context.tables.names_at(table, words("web.someone"))),
        media_type=JSON,
        headers={"content-disposition": f'attachment; filename="veillee-{table.id[:6]}.json"'},
    )


@get("/t/{table_id:str}/invite")
async def invite(
    context: AppContext, caller: Caller, pages: Pages, table: Table, words: Words
) -> Response[str]:
    """A link for spectators."""
    limit(context, context.limits.expensive, caller.network)
    link = pages.link(f"/t/{table.id}")
    return pages.render(
        "link.html",
        table=table,
        title=words("web.watch.link"),
        how=words("web.watch.how"),
        link=link,
        qr=qr_code(link),
        here=f"/t/{table.id}/invite",
    )


@get("/t/{table_id:str}/move")
async def move_page(
    context: AppContext,
    caller: Caller,
    pages: Pages,
    person: Person,
    words: Words,
    table_id: str,
) -> Response[str]:
    """On the old device: a link for the new one. On the new one: the button that moves the seat."""
    limit(context, context.limits.expensive, caller.network)
    table = await context.tables.current(table_id)
    shared: dict[str, Any] = {"table": table, "title": words("web.move"), "here": f"/t/{table.id}"}
    ticket = caller.asks("ticket")
    if ticket:
        return pages.render("link.html", **shared, how=words("web.move.take"), ticket=ticket)
    signed_ticket = context.signer.sign_seat(seat_ticket(table, person.id))
    link = pages.link(f"/t/{table.id}/move?{urlencode({'ticket': signed_ticket})}")
    return pages.render(
        "link.html", **shared, how=words("web.move.how"), link=link, qr=qr_code(link)
    )


HANDLERS = [
    table_page,
    act_by_form,
    hint,
    preview,
    outline,
    why,
    since,
    next_table,
    verify,
    record,
    invite,
    move_page,
]
