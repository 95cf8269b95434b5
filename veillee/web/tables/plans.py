"""Opening a table: what was chosen, checked, and turned into the first log entries."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from veillee import lumarathon
from veillee.engine.game import Game, game_class, view_position
from veillee.engine.options import checked
from veillee.engine.refusal import Refusal
from veillee.engine.registry import game as spec_named
from veillee.engine.seed import Seed
from veillee.engine.variant import Variant
from veillee.web.bot_pool import check_level
from veillee.web.clock import now
from veillee.web.database import Statement, queries
from veillee.web.people import new_id
from veillee.web.tables import log
from veillee.web.tables.registry import TableRegistry
from veillee.web.tables.table import COMPILED, Table


@dataclass(frozen=True)
class TablePlan:
    """The choices for a new table."""

    game: str
    bots: Sequence[str]
    """The bot level of each seat, "" for seats of people."""
    sit: dict[int, str]
    """The seats on the host's screen: a name for each further player, "" for the host."""
    nonce: str
    """The host's part in the seed."""
    options: dict[str, Any] = field(default_factory=dict)
    listed: bool = False
    watching: bool = True
    timing: log.Timing = "untimed"
    amount: int = 0
    pace: int = 1200
    marathon: str = ""
    later: dict[str, Any] = field(default_factory=dict)
    """Options of the second game of a Lumarathon."""
    guided: bool = False
    variant: Variant | None = None
    """Its values are not among the options yet."""
    position: dict[str, Any] | None = None
    origin: str = ""

    @property
    def rules(self) -> int:
        """The version of the rules: the position's, else the newest."""
        if self.position is not None:
            return int(self.position["rules"])
        return spec_named(self.game).version

    @property
    def all_options(self) -> dict[str, Any]:
        """The options and the variant's values, or a refusal of an option that both set."""
        return self.variant.options(self.game, self.options) if self.variant else self.options

    def check(self) -> None:
        """Refuse what can't be played."""
        spec = spec_named(self.game, self.rules)
        spec.template(
            len(self.bots),
            checked(spec.name, spec.options.OPTIONS, len(self.bots), self.all_options),
        )
        later = [spec_named(lumarathon.SECOND)] if self.marathon else []
        for level in self.bots:
            check_level(level, spec, *later)
        if all(self.bots):
            raise Refusal("illegal", "web.act.nobody", "web.act.nobody")

    def opening(self, host: str, network: str = "") -> tuple[list[log.Entry], list[Statement]]:
        """The first entries, and the statements that store the names of further players.

        With every seat taken the game begins at once.
        """
        entries: list[log.Entry] = [
            log.Open(
                self.game,
                self.rules,
                host,
                list(self.bots),
                self.all_options,
                self.listed,
                self.watching,
                self.timing,
                self.amount,
                self.pace,
                self.marathon,
                self.later,
                variant=self.variant.label if self.variant else {},
                position=self.position,
                origin=self.origin,
                guided=self.guided,
                network=network,
            )
        ]
        guests: list[Statement] = []
        for seat, name in self.sit.items():
            guest = "g" + new_id() if name else ""
            if name:
                guests.append(queries.insert_guest(guest, host, name, now()))
            entries.append(log.Sit(seat, host, self.nonce or secrets.token_hex(16), guest))
        if len(self.sit) + sum(map(bool, self.bots)) == len(self.bots):
            entries.append(log.Start())
        return entries, guests


async def open_table(
    tables: TableRegistry,
    table_id: str,
    seed: Seed,
    host: str,
    plan: TablePlan,
    network: str = "",
) -> Table:
    """Open a table. A second click finds the table that the first one opened.

    `network` is a digest of the client's network, on whose account bots play.
    """
    plan.check()
    entries, guests = plan.opening(host, network)
    return await tables.create(table_id, seed, entries, *guests)


def first_seat(
    game: str, seats: int, seed: Seed, nonce: str, variant: Variant | None = None
) -> int:
    """The seat that begins in a game of one person with bots."""
    spec, mixed = spec_named(game), seed.mixed([bytes.fromhex(nonce)])
    return game_class(spec)(seats, mixed, compiled=spec in COMPILED, variant=variant).seat


def position_at(game: Game, moment: int, seat: int) -> dict[str, Any]:
    """Return a moment of a game as a seat knew it, for another game to go on from."""
    last = moment >= len(game.steps)
    state = game.states.tobytes() if last else game.steps[moment].before
    seen = np.frombuffer(bytearray(state), game.spec.dtype)
    game.redact(seen, 1 << seat)
    return view_position(game.spec, game.spec.twin(seen), seat)
