"""The set-up of the server from options and environment variables, checked before it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from veillee.bots.levels import BotName
from veillee.engine.extras import require
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games

if TYPE_CHECKING:
    from veillee.web.config import ServerConfig

EXAMPLE = "https://games.example.org"
LOCAL_REDIS = "redis://localhost"
POSTGRESQL = ("postgresql", "postgres")
REDIS = ("redis", "rediss", "unix")


def server_config(given: dict[str, Any]) -> ServerConfig:
    """Return the options given, and for the others the environment's or the defaults.

    Raises:
        Refusal: If a value can't be, or a library that it needs is not installed.
    """
    require("litestar", "web")
    from veillee.bots.characters import RANDOM
    from veillee.web.config import ServerConfig

    try:
        config = ServerConfig.from_environment()
    except msgspec.ValidationError as error:
        raise Refusal("option", "veillee.serve.variable", why=str(error)) from None
    config = msgspec.structs.replace(config, **given)
    if config.level != RANDOM:
        level = BotName.parse(config.level)
        for spec in games().values():
            level.budget_for(spec)
    if config.address and not _is_address(config.address):
        raise Refusal(
            "option", "veillee.serve.address", address=config.address[:80], example=EXAMPLE
        )
    if urlsplit(config.database).scheme in POSTGRESQL:
        require("asyncpg", "postgresql")
    if config.bus:
        if urlsplit(config.bus).scheme not in REDIS:
            raise Refusal("option", "veillee.serve.bus", bus=config.bus[:80], example=LOCAL_REDIS)
        require("redis", "redis")
    return config


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and " " not in text
    except ValueError:
        return False
