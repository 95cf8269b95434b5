"""The workshop: pages that make a variant, carry it in a link, and show its report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.response import Redirect

from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.options import Option
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.variant import (
    LONGEST_DATA,
    LONGEST_NAME,
    LONGEST_TEXT,
    Variant,
    parse_variant,
    player_counts,
    variant_in,
    variant_of,
    variant_text,
)
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, Form, limit
from veillee.web.http.pages import Pages
from veillee.web.http.security import REPORT_POLICY
from veillee.web.reports import StudyReport, report_of, reports
from veillee.web.tables.table import Table

FIELD = "value"
"""Begins the names of the fields of values: `value.songs.cost.2`."""
REST = "rest"
"""The field of values that the form has no fields for, as JSON."""
LINKS = ("text", "share", "table", "report")
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
PRINTED = "printed"
"""What a study calls the printed game."""
SHARES = ("seats", "roles")
SINGLE = (
    *("length", "turns", "choices", "forced", "margin", "tie", "lead changes", "decided", "behind"),
)
PERCENT = ("forced", "tie", "decided", "behind")
SKILL = ("players", "variant", "stronger", "weaker", "share", "interval", "fair")
MIX = "+"
"""Between the levels of a mixed table."""


def spec_of(name: str) -> GameSpec:
    if name not in games():
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    return games()[name]


def editable(spec: GameSpec) -> list[Option]:
    """The options of a game that the form edits, a board first."""
    found = [option for option in spec.options.OPTIONS if option.editable]
    return sorted(found, key=lambda option: option.board is None)


# ------------------------------------------------------------ pages


@get("/variants")
async def workshop(
    context: AppContext, caller: Caller, pages: Pages, words: Words
) -> Response[str]:
    """All games to make variants of, and all variants with a report."""
    limit(context, context.limits.asking, caller.network)
    shown = sorted((spec for spec in games().values() if editable(spec)), key=lambda s: s.rank)
    return pages.render(
        "variants.html",
        shelf=[(spec.name, words(f"{spec.name}.title")) for spec in shown],
        reports=[
            report for report in reports(context.config.reports) if report.plan.game in games()
        ],
    )


@get("/variants/{name:str}")
async def edit(
    context: AppContext, caller: Caller, pages: Pages, words: Words, name: str
) -> Response[str]:
    """The form for a variant: of the printed game, or of a variant that a link carries."""
    limit(context, context.limits.asking, caller.network)
    spec, text = spec_of(name), caller.asks("variant")
    if not text:
        return _page(context, pages, words, spec, {}, "")
    try:
        variant = variant_in(text)
        variant.options(name, {})
    except Refusal as refusal:
        return _page(context, pages, words, spec, {}, "", said=refusal.why(words))
    return _page(context, pages, words, spec, variant.values, variant.name, variant)


@post("/variants/{name:str}", status_code=200)
async def check(
    context: AppContext, caller: Caller, pages: Pages, words: Words, form: Form, name: str
) -> Response[Any]:
    """Check the form, or a text that was pasted: for the script as data, else as a page."""
    limit(context, context.limits.asking, caller.network)
    spec = spec_of(name)
    if "text" in form:
        return _pasted(context, pages, words, spec, form["text"])
    values, said, variant = read_values(spec, form), "", None
    where: dict[str, Any] = {}
    try:
        variant = variant_of({"game": spec.name, "name": form.get("name", ""), "values": values})
        if len(variant_text(variant)) > LONGEST_TEXT:
            raise Refusal("unreadable", "veillee.variant.link")
    except Refusal as refusal:
        said, variant = refusal.why(words), None
        where = {k: refusal.facts[k] for k in ("name", "line", "column") if k in refusal.facts}
    if not caller.by_script:
        title = form.get("name", "")[:LONGEST_NAME]
        return _page(context, pages, words, spec, values, title, variant, said)
    answer: dict[str, Any] = {"ok": variant is not None, "said": said, **where}
    if variant is not None:
        answer |= _links(context, pages, variant) | {"said": _playable(words, variant)}
    return Response(answer, media_type="application/json", headers={"cache-control": "no-store"})


def _pasted(
    context: AppContext, pages: Pages, words: Words, spec: GameSpec, text: str
) -> Response[Any]:
    """Open the form with a variant that was pasted as TOML or JSON, or as a link."""
    text = text.strip()
    try:
        if len(text.encode()) > LONGEST_DATA:
            raise Refusal("unreadable", "veillee.variant.link")
        if "variant=" in text and "\n" not in text:
            variant = variant_in(text.partition("variant=")[2].partition("&")[0])
        else:
            pasted = words("web.variants.pasted")
            variant = parse_variant(text, pasted, text.startswith("{"))
    except Refusal as refusal:
        return _page(context, pages, words, spec, {}, "", said=refusal.why(words), pasted=text)
    return Redirect(f"/variants/{variant.game}?variant={variant_text(variant)}", status_code=303)


@get("/variants/{name:str}/{code:str}")
async def report_page(
    context: AppContext, caller: Caller, pages: Pages, words: Words, name: str, code: str
) -> Response[str]:
    """A variant with its report, beside what it was compared with."""
    limit(context, context.limits.asking, caller.network)
    spec = spec_of(name)
    report, page = _found(context, name, code)
    studied = report.variant
    variant = Variant(studied.game, studied.name, studied.values)
    return pages.render(
        "variant_report.html",
        game=name,
        title=words(f"{name}.title"),
        report=report,
        levels=[(level, _level(words, level)) for level in reversed(report.plan.levels)],
        caution=report.cautions.get(words.language, ""),
        changes=_changes(spec, words, variant),
        tables=_tables(spec, words, report),
        skill_heads=[words(f"lab.head.{head}") for head in SKILL],
        skill=_skill(words, report),
        whole=f"/variants/{name}/{code}/report" if page else "",
        variant_text=variant_text(variant) if variant.values else "",
    )


@get("/variants/{name:str}/{code:str}/report")
async def whole_report(
    context: AppContext, caller: Caller, name: str, code: str
) -> Response[bytes]:
    """The report as the study wrote it: one page with its charts, which needs nothing else."""
    limit(context, context.limits.asking, caller.network)
    spec_of(name)
    _, page = _found(context, name, code)
    if page is None:
        raise HTTPException(status_code=404)
    return Response(
        page.read_bytes(),
        media_type="text/html; charset=utf-8",
        headers={"content-security-policy": REPORT_POLICY, "cache-control": "no-cache"},
    )


@get("/t/{table_id:str}/variant")
async def of_table(table: Table) -> Redirect:
    """The variant that is played at a table."""
    if table.variant is None:
        raise HTTPException(status_code=404)
    text = variant_text(table.variant)
    return Redirect(f"/variants/{table.plan.game}?variant={text}", status_code=303)


def _page(
    context: AppContext,
    pages: Pages,
    words: Words,
    spec: GameSpec,
    values: Mapping[str, Any],
    name: str,
    variant: Variant | None = None,
    said: str = "",
    pasted: str = "",
) -> Response[str]:
    fields = [field_of(spec, option, words, values) for option in editable(spec)]
    known = {option.name for option in editable(spec)}
    return pages.render(
        "variant.html",
        status=422 if said else 200,
        said=said,
        here=f"/variants/{spec.name}",
        game=spec.name,
        title=words(f"{spec.name}.title"),
        name=name or words("web.variants.mine"),
        longest=LONGEST_NAME,
        fields=fields,
        rest=_json({key: value for key, value in values.items() if key not in known}),
        others=[words(f"{spec.name}.option.{key}") for key in values if key not in known],
        playable=_playable(words, variant) if variant else "",
        links=_links(context, pages, variant) if variant else dict.fromkeys(LINKS, ""),
        pasted=pasted,
    )


def _links(context: AppContext, pages: Pages, variant: Variant) -> dict[str, str]:
    """Return the links that open, share and play a variant."""
    text = variant_text(variant)
    found = report_of(context.config.reports, variant.game, variant.hash)
    return {
        "text": text,
        "share": pages.link(f"/variants/{variant.game}?variant={text}"),
        "table": f"/new?game={variant.game}&variant={text}",
        "report": f"/variants/{variant.game}/{variant.hash}" if found else "",
    }


def _playable(words: Words, variant: Variant) -> str:
    counts = ", ".join(map(str, player_counts(variant)))
    return words("web.variants.playable", players=counts)


def _found(context: AppContext, game: str, code: str) -> tuple[StudyReport, Path | None]:
    found = report_of(context.config.reports, game, code)
    if found is None:
        raise HTTPException(status_code=404)
    return found


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


# ------------------------------------------------------------ the form


def field_of(
    spec: GameSpec, option: Option, words: Words, values: Mapping[str, Any]
) -> dict[str, Any]:
    """Describe an option for the form: numbers, rows of numbers, names to tick, or a board."""
    key, value = f"{spec.name}.option.{option.name}", values.get(option.name, option.default)
    field: dict[str, Any] = {
        "name": option.name,
        "field": f"{FIELD}.{option.name}",
        "title": words(key),
        "low": option.low,
        "high": option.high,
        "changed": option.name in values,
    }
    if option.board is not None:
        board = option.board
        counts = list(spec.player_counts)
        sides = range(board.smallest, board.largest + 1, 2)
        return field | {
            "kind": "board",
            "text": value or "",
            "sides": list(sides),
            "players": counts,
            "data": _json(
                {
                    "printed": {n: board.printed(n) for n in counts},
                    "starts": {n: {s: board.starts(n, s) for s in sides} for n in counts},
                }
            ),
        }
    if option.among:
        ticked = value or []
        return field | {
            "kind": "names",
            "open": option.default is None,
            "names": [
                (each, _word(words, at), each in ticked) for each, at in option.among.items()
            ],
        }
    if isinstance(option.default, dict):
        rows = [
            _row(
                f"{FIELD}.{option.name}.{entry}", _word(words, label), value.get(entry, 0), default
            )
            for (entry, default), label in zip(option.default.items(), option.entries, strict=True)
        ]
        return field | {"kind": "rows", "rows": rows}
    if isinstance(option.default, list):
        rows = [
            _row(f"{FIELD}.{option.name}.{i}", _word(words, label), value[i], option.default[i])
            for i, label in enumerate(option.entries)
        ]
        return field | {"kind": "rows", "rows": rows}
    return field | {"kind": "number", "value": value, "printed": option.default}


def _row(field: str, label: str, value: Any, printed: Any) -> dict[str, Any]:
    """A row of the form: one number, or several."""
    if not isinstance(value, list):
        return {"label": label, "cells": [(field, label, value, printed)]}
    cells = [
        (f"{field}.{i}", f"{label} {ROMAN[i]}", one, printed[i]) for i, one in enumerate(value)
    ]
    return {"label": label, "cells": cells}


def _word(words: Words, key: str) -> str:
    return words(key) if "." in key and key in words else key


def read_values(spec: GameSpec, form: Form) -> dict[str, Any]:
    """Return the values of a form that differ from the printed game."""
    try:
        rest = msgspec.json.decode(form.get(REST, "{}"))
    except msgspec.DecodeError:
        rest = {}
    values: dict[str, Any] = rest if isinstance(rest, dict) else {}
    for option in editable(spec):
        field = f"{FIELD}.{option.name}"
        value: Any
        if option.board is not None:
            value = "\n".join(form.get(field, "").split()) or None
            value = f"{value}\n" if value else None
        elif option.among:
            ticked = [each for each in option.among if form.get(f"{field}.{each}")]
            value = ticked or (None if option.default is None else [])
        else:
            value = _numbers(form, field, option.default)
        if value != option.default:
            values[option.name] = value
    return values


def _numbers(form: Form, field: str, like: Any) -> Any:
    """Return the numbers under a field, in the shape of the default."""
    if isinstance(like, dict):
        return {key: _numbers(form, f"{field}.{key}", each) for key, each in like.items()}
    if isinstance(like, list):
        return [_numbers(form, f"{field}.{i}", each) for i, each in enumerate(like)]
    given = form.get(field, str(like)).strip()
    try:
        return int(given) if len(given) < 9 else given
    except ValueError:
        return given


# ------------------------------------------------------------ the report


def _changes(spec: GameSpec, words: Words, variant: Variant) -> list[tuple[str, str, str]]:
    """The values of a variant beside the printed ones; of tables what differs."""
    options = {option.name: option for option in spec.options.OPTIONS}
    changes = []
    for name, value in variant.values.items():
        option, printed = options[name], options[name].default
        if isinstance(value, dict) and isinstance(printed, dict):
            differs = [key for key in value if value[key] != printed.get(key)]
            value = {key: value[key] for key in differs}
            printed = {key: printed[key] for key in differs if key in printed}
        title = words(f"{spec.name}.option.{name}")
        changes.append((title, _shown(words, option, printed), _shown(words, option, value)))
    return changes


def _shown(words: Words, option: Option, value: Any) -> str:
    """The value of an option in words, with the names of its entries."""
    match value:
        case None:
            return "–"
        case dict():
            names: dict[str, str] = dict(zip(option.default, option.entries, strict=False))
            return " · ".join(
                words.labelled(_word(words, names.get(key) or key), _listed(each))
                for key, each in value.items()
            )
        case list() if option.among:
            return ", ".join(_word(words, option.among.get(each, each)) for each in value)
        case list() if option.entries:
            return " · ".join(
                words.labelled(_word(words, key), _listed(each))
                for key, each in zip(option.entries, value, strict=False)
            )
    return _listed(value)


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _level(words: Words, level: str) -> str:
    """The name of a level in words, as the lab's reports have it."""
    if MIX in level:
        return f" {MIX} ".join(_level(words, each) for each in level.split(MIX))
    keys = (f"lab.level.{level}", f"bots.level.{level}")
    return next((words(key) for key in keys if key in words), level)


def _skill(words: Words, report: StudyReport) -> list[list[str]]:
    """Rows of what one player of a stronger level wins among weaker ones."""
    return [
        [
            str(each.players),
            _called(words, each.variant["name"]),
            _level(words, each.challenger),
            _level(words, each.against),
            words.percent(each.share, 1),
            f"{words.decimal(each.low * 100, 1)}–{words.percent(each.high, 1)}",
            words.percent(each.fair, 1),
        ]
        for each in report.skill
    ]


def _tables(spec: GameSpec, words: Words, report: StudyReport) -> list[dict[str, Any]]:
    """A table for each level and number of players, the strongest level first."""
    tables = []
    for level in reversed(report.plan.levels):
        for players in report.plan.players:
            cells = report.beside(players, level)
            if cells:
                heads = [(_called(words, cell.variant), cell.games) for cell in cells]
                tables.append(
                    {
                        "level": _level(words, level),
                        "players": players,
                        "heads": heads,
                        "rows": [*_rows(spec, words, cells)],
                    }
                )
    return tables


def _called(words: Words, variant: str) -> str:
    return words("web.variants.printed") if variant == PRINTED else variant


def _rows(spec: GameSpec, words: Words, cells: list[Any]) -> list[tuple[str, list[str]]]:
    rows: list[tuple[str, list[str]]] = []
    for quantity in (*SHARES, *SINGLE):
        columns = [cell.estimates.get(quantity, []) for cell in cells]
        for i, estimate in enumerate(columns[0]):
            if not estimate.n:
                continue
            if quantity == "seats":
                title = words("lab.share.seat", n=i + 1)
            elif quantity == "roles":
                title = words("lab.share.role", name=_role(spec, words, estimate.name))
            else:
                title = words(f"lab.quantity.{quantity.replace(' ', '_')}")
            shown = [_number(words, quantity, column[i]) for column in columns if i < len(column)]
            rows.append((title, shown))
    return rows


def _role(spec: GameSpec, words: Words, name: str) -> str:
    keys = (option.among.get(name) for option in spec.options.OPTIONS)
    return next((words(key) for key in keys if key), name)


def _number(words: Words, quantity: str, estimate: Any) -> str:
    if quantity in SHARES or quantity in PERCENT:
        mean = words.decimal(estimate.mean * 100, 1)
        return f"{mean} ± {words.percent(estimate.error * 1.96, 1)}"
    return words.decimal(estimate.mean, 1)


HANDLERS = [workshop, edit, check, report_page, whole_report, of_table]
