"""`/g/{id}/analysis`: a finished game analysed, as a panel of its replay."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from veillee.analysis.chart import NARROW, Chart
from veillee.analysis.report import costly_table, sums_table
from veillee.engine.refusal import Refusal
from veillee.web.delivery.rendering import Layout
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, limit, require_welcome
from veillee.web.people import Person
from veillee.web.tables.table import Table
from veillee.web.templating import environment


async def analysis_panel(context: AppContext, table: Table, layout: Layout, moment: int) -> Markup:
    """The panel of a replay: a button, how far the analysis is, or what it found.

    Empty while the game is played: an analysis would help those who play.
    """
    game = table.game
    if game is None or not table.finished:
        return Markup()
    words = layout.words
    names = context.tables.names_at(table, words("web.someone"))
    progress = await context.analyses.of(table)
    found = progress.analysis if progress else None
    values: dict[str, Any] = {"t": words, "table": table, "progress": progress, "analysis": found}
    if found is not None:
        chart = Chart(found, words, names, NARROW).draw(moment)
        told, mortem = [costly_table(found, game, words, names)], game.spec.post_mortem
        if mortem is not None and found.post_mortem is not None:
            told += mortem.tell(words, found.post_mortem, names)
        values |= {
            "chart": Markup(chart),  # noqa: S704 - drawn by us
            "sums": sums_table(found, words, names),
            "reports": [report for report in told if report.rows],
        }
    return Markup(  # noqa: S704 - from a template that escapes
        environment().get_template("part_analysis.html").render(**values)
    )


@get("/g/{table_id:str}/analysis")
async def analysis(
    context: AppContext, caller: Caller, table: Table, layout: Layout
) -> Response[Any]:
    """The panel, for the script; others are sent to the replay."""
    limit(context, context.limits.asking, caller.network)
    at = caller.asks("at")
    if not caller.by_script:
        return Redirect(f"/g/{table.id}#analysis", status_code=303)
    panel = await analysis_panel(context, table, layout, int(at) if at.isdecimal() else 0)
    headers = {"cache-control": "no-store"}
    return Response(str(panel), media_type="text/html", headers=headers)


@post("/g/{table_id:str}/analysis", status_code=303)
async def analyse(
    context: AppContext, caller: Caller, person: Person, table: Table, layout: Layout
) -> Response[Any]:
    """Have the game analysed."""
    require_welcome(context, caller, person)
    if table.game is None or not table.finished:
        raise Refusal("illegal", "analysis.unfinished")
    if await context.analyses.of(table) is None:
        limit(context, context.limits.analysing, caller.network)
        await context.analyses.request(table)
    if not caller.by_script:
        return Redirect(f"/g/{table.id}#analysis", status_code=303)
    panel = await analysis_panel(context, table, layout, 0)
    return Response(str(panel), media_type="text/html", status_code=200)


HANDLERS = [analysis, analyse]
