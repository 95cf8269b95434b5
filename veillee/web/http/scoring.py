"""`/score/{game}`: counts the points of a printed game; the browser computes, also offline."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get
from markupsafe import Markup

from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, limit
from veillee.web.http.pages import Pages

SAID = (
    *("players", "player", "name", "more", "less", "nobody", "face", "face.how", "square"),
    *("result", "place"),
)
"""Keys of the texts that the script shows."""


def description(spec: GameSpec, words: Words) -> dict[str, Any]:
    """Return the scoring of a game for each number of players, in one language."""
    assert spec.scoring is not None
    found = {}
    for players in spec.player_counts:
        told = msgspec.to_builtins(spec.scoring(spec.twin(spec.template(players))))
        for count in told["counts"]:
            count["text"] = words(count["text"], None, **count.pop("facts", {}))
            count["entry"] = words(count["entry"]) if "entry" in count else count["text"]
        for other in (*told.get("holders", ()), *filter(None, [told.get("award")])):
            other["text"] = words(other["text"])
        told["clauses"] = {
            clause: words(clause)
            for clause in dict.fromkeys(
                [*(count["clause"] for count in told["counts"]), told["tie_clause"]]
                + ([told["award"]["clause"]] if told.get("award") else [])
            )
        }
        found[str(players)] = told
    return found


@get("/score/{name:str}")
async def scoring_page(
    context: AppContext, caller: Caller, pages: Pages, words: Words, name: str
) -> Response[str]:
    limit(context, context.limits.expensive, caller.network)
    spec = games().get(name)
    if spec is None or spec.scoring is None:
        raise Refusal("unknown", "web.table.unknown", "web.table.unknown")
    texts = {key: words(f"web.score.{key}", None, **_places(key)) for key in SAID}
    texts["sum"] = words("web.sum")
    data = {"game": name, "scorings": description(spec, words), "texts": texts}
    return pages.render(
        "score.html",
        game=name,
        title=words("web.score.title", game=words(f"{name}.title")),
        data=Markup(_safe(data)),  # noqa: S704 - JSON without markup
    )


def _places(key: str) -> dict[str, str]:
    """Places that the script fills itself."""
    filled = {"player": "number", "more": "what", "less": "what", "square": "square"}.get(key)
    return {filled: f"{{{filled}}}"} if filled else {}


def _safe(data: Any) -> str:
    """JSON that can stand in a script element."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")


HANDLERS = [scoring_page]
