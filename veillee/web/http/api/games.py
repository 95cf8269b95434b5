"""The games that can be played here."""

from __future__ import annotations

from veillee.client import types
from veillee.engine.i18n import Words
from veillee.engine.registry import games
from veillee.web.http.api.operations import reads


@reads("/games", "Games", scope=None, operation_id="listGames", summary="List the games")
async def list_games(words: Words) -> list[types.Game]:
    """Every game, with the numbers of players it takes and its options."""
    return [
        types.Game(
            game=spec.name,
            rules=spec.version,
            title=words(f"{spec.name}.title"),
            players=list(spec.player_counts),
            minutes=spec.minutes,
            options=[
                types.Option(
                    option.name,
                    option.default,
                    list(option.choices),
                    words(f"{spec.name}.option.{option.name}.help"),
                )
                for option in spec.options.OPTIONS
            ],
        )
        for spec in sorted(games().values(), key=lambda spec: spec.rank)
    ]


HANDLERS = [list_games]
