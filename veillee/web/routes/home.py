"""Home, and setting a table."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from veillee.engine.library import games
from veillee.engine.refusal import Refusal
from veillee.engine.words import Words
from veillee.web import acts
from veillee.web.desk import Desk, Req, desk, setting
from veillee.web.entries import PACES
from veillee.web.pages import MARATHON, has_marathon, level_names, marathon_seats, shelf, summary
from veillee.web.people import Person, new_id, tidy_name
from veillee.web.table import Table

USUAL_SEATS = {"nomads": 4, "captain": 5, "lumens": 4}
TIMINGS = {
    "untimed": ("untimed", 0),
    "clock10": ("clock", 10),
    "clock30": ("clock", 30),
    "days1": ("days", 1),
    "days3": ("days", 3),
}


@get("/")
async def home(request: Req) -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    words = Words(d.language(request, person))
    running: list[dict[str, Any]] = []
    finished: list[dict[str, Any]] = []
    if person.known:
        for state, items in (("playing", running), ("gathering", running), ("over", finished)):
            for table_id in await d.house.tables_of(person.id, state):
                with contextlib.suppress(Refusal):
                    items.append(_item(d, await d.house.glimpse(table_id), words, person))
    opened = []
    for table_id in await d.house.open_tables():
        with contextlib.suppress(Refusal):
            table = await d.house.table(table_id)
            if person.id not in table.people:
                opened.append(_item(d, table, words, person))
    return d.page(
        request,
        person,
        "home.html",
        shelf=[_on_shelf(name, words) for name in shelf()]
        + ([_marathon_on_shelf(words)] if has_marathon() else []),
        running=running,
        open=opened,
        finished=finished,
    )


def _on_shelf(name: str, words: Words) -> dict[str, Any]:
    contract = games()[name]
    key = f"{name}.about"
    about = words(key) if key in words else next(iter(summary(contract, words)), "")
    return {
        "name": name,
        "rules": name,
        "title": words(f"{name}.title"),
        "fewest": min(contract.seats),
        "most": max(contract.seats),
        "minutes": contract.minutes,
        "about": about,
    }


def _marathon_on_shelf(words: Words) -> dict[str, Any]:
    return {
        "name": MARATHON,
        "rules": "captain",
        "title": words("web.marathon"),
        "fewest": min(marathon_seats()),
        "most": max(marathon_seats()),
        "minutes": games()["captain"].minutes + games()["nomads"].minutes,
        "about": words("web.marathon.about"),
    }


def _item(d: Desk, table: Table, words: Words, person: Person) -> dict[str, Any]:
    names = d.house.names_at(table, words("web.someone"))
    return {
        "id": table.id,
        "game": table.plan.game,
        "names": ", ".join(n for n, s in zip(names, table.seats, strict=True) if not s.free),
        "free": sum(seat.free for seat in table.seats),
        "yours": table.deciding in table.seats_of(person.id),
    }


@post("/play", status_code=303)
async def play_now(request: Req) -> Response[Any]:
    """One click: a table with bots that begins at once, or one that waits for friends."""
    d, person, form = await setting(request)
    person = await d.keep(person, d.language(request, person))
    marathon = form.get("game") == MARATHON
    name = "captain" if marathon else form.get("game", "")
    seats = USUAL_SEATS.get(name, 0) or (max(games()[name].seats) if name in games() else 2)
    if marathon:
        seats = max(marathon_seats())
    with_bots = form.get("with") == "bots"
    table_id = d.house.seal.open("table", form.get("ticket", "")) or new_id()
    nonce = acts.nonce(form)
    mine = d.house.first_to_decide(table_id, name, seats, nonce) if with_bots else 0
    bots = [d.serving.level if with_bots and seat != mine else "" for seat in range(seats)]
    table = await d.house.set_table(
        person,
        name,
        bots,
        sit={mine: ""},
        nonce=nonce,
        table_id=table_id,
        pace=d.serving.pace,
        marathon=table_id if marathon else "",
    )
    return Redirect(f"/t/{table.id}", status_code=303)


@get("/new")
async def new_table(request: Req, game: str = "") -> Response[str]:
    d = desk(request)
    person = await d.person(request)
    words = Words(d.language(request, person))
    return _setting_page(d, request, person, words, game, request.query_params.get("with", ""))


def _setting_page(
    d: Desk, request: Req, person: Person, words: Words, game: str, kind: str, said: str = ""
) -> Response[str]:
    name = "captain" if game == MARATHON else game
    if name not in games() or (game == MARATHON and not has_marathon()):
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    contract = games()[name]
    seats = marathon_seats() if game == MARATHON else list(contract.seats)
    other = {"screen": "screen", "friends": "friend"}.get(kind, f"bot:{d.serving.level}")
    usual = min(3, max(seats)) if kind == "screen" else USUAL_SEATS.get(name, min(seats))
    usual = max(min(seats), min(usual, max(seats)))
    rows = ["me", *[other] * (usual - 1), *["none"] * (max(seats) - usual)]
    options = []
    for option in contract.options:
        if option.shown:
            key = f"{name}.option.{option.name}"
            options.append(
                {
                    "name": option.name,
                    "flag": isinstance(option.default, bool),
                    "default": option.default,
                    "title": words(key) if key in words else option.name,
                    "about": words(f"{key}.about") if f"{key}.about" in words else "",
                    "choices": [
                        (msgspec.json.encode(v).decode(), _value(words, key, v))
                        for v in option.choices
                    ],
                }
            )
    options = [o for o in options if o["flag"] or o["choices"]]
    level_list = level_names(words)
    return d.page(
        request,
        person,
        "new.html",
        status=422 if said else 200,
        said=said,
        here=f"/new?game={game}",
        game=game,
        title=words("web.marathon") if game == MARATHON else words(f"{name}.title"),
        fewest=min(seats),
        most=max(seats),
        rows=rows,
        row_names=[
            (person.name or words("web.traveller")) if i == 0 else "" for i in range(len(rows))
        ],
        levels=level_list,
        options=options,
        timings=list(TIMINGS),
    )


def _value(words: Words, key: str, value: Any) -> str:
    return words(f"{key}.{value}") if f"{key}.{value}" in words else str(value)


@post("/new", status_code=303)
async def set_table(request: Req) -> Response[Any]:
    d, person, form = await setting(request)
    words = Words(d.language(request, person))
    game = form.get("game", "")
    marathon = game == MARATHON
    name = "captain" if marathon else game
    if name not in games() or (marathon and not has_marathon()):
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    bots: list[str] = []
    sit: dict[int, str] = {}
    for row in range(max(games()[name].seats)):
        who = form.get(f"seat{row}", "none")
        if who == "none":
            continue
        typed = tidy_name(form.get(f"name{row}", ""))
        if who == "me":
            if "" in sit.values():
                who = "screen"
            else:
                if typed and typed != person.name:
                    person = msgspec.structs.replace(person, name=typed)
                    person = await d.store_person(person)
                sit[len(bots)] = ""
        if who == "screen":
            sit[len(bots)] = typed or words("veillee.seat", n=len(bots) + 1)
        bots.append(who[4:] if who.startswith("bot:") else "")
    person = await d.keep(person, d.language(request, person))
    timing, amount = TIMINGS.get(form.get("timing", ""), TIMINGS["untimed"])
    pace = PACES.get(form.get("pace", ""), d.serving.pace)
    table_id = d.house.seal.open("table", form.get("ticket", "")) or new_id()
    try:
        if marathon and len(bots) not in marathon_seats():
            games()["nomads"].template(len(bots))
        table = await d.house.set_table(
            person,
            name,
            bots,
            _options(name, form),
            sit=sit,
            nonce=acts.nonce(form),
            table_id=table_id,
            listed=form.get("listed") == "1",
            watching=form.get("watching") == "1",
            timing=timing,
            amount=amount,
            pace=pace,
            marathon=table_id if marathon else "",
        )
    except Refusal as refusal:
        said = words(refusal.text, **refusal.facts)
        return _setting_page(d, request, person, words, game, "", said)
    return Redirect(f"/t/{table.id}", status_code=303)


def _options(name: str, form: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for option in games()[name].options:
        given = form.get(f"option.{option.name}")
        if not option.shown:
            continue
        if isinstance(option.default, bool):
            value: Any = given == "true"
        elif given is None:
            continue
        else:
            try:
                value = msgspec.json.decode(given)
            except msgspec.DecodeError:
                value = given
        if value != option.default:
            found[option.name] = value
    return found
