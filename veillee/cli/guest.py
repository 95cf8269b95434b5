"""`veillee bot --server …`: one of our bots as a guest of a server."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import typer

from veillee.bots.external import Sitter
from veillee.engine.extras import require

if TYPE_CHECKING:
    from veillee.client.types import Table


def play_as_guest(
    server: str, token: str, level: str, seed: int, language: str, games: int
) -> None:
    """Play at all tables of a token until a number of games are finished; 0: for ever."""
    require("httpx", "client")
    import httpx

    from veillee.bots.bot import WARM_UPS
    from veillee.client import ApiError
    from veillee.engine.precompile import compile_with_bars

    compile_with_bars(None, WARM_UPS)  # it may be invited to any of them

    try:
        asyncio.run(_play(server, token, Sitter(level, seed, language), language, games))
    except (ApiError, httpx.HTTPError, httpx.InvalidURL) as error:
        typer.echo(f"{server}: {error}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        pass


async def _play(server: str, token: str, sitter: Sitter, language: str, games: int) -> None:
    from veillee.client import AsyncClient

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as thinking:  # a bot keeps its tree from one decision to the next

        async def choose(table: Table) -> str:
            chosen = await loop.run_in_executor(thinking, sitter.choose, table.view or {})
            return str(chosen["text"])

        async with AsyncClient(server, token, language) as client:
            typer.echo(f"{(await client.account()).name} is ready")
            await client.play_all(choose, games=games or None)
