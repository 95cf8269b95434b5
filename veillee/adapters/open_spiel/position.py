"""A node of a game's tree. Positions are immutable, so copies share them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from veillee.adapters.build import compiled, copied, row_length
from veillee.adapters.jit import kernel
from veillee.adapters.make import setting
from veillee.engine.game_spec import GameSpec
from veillee.engine.jit import rng as chance
from veillee.engine.jit.layout import OVER, States
from veillee.engine.seed import Row, fast_row

CHANCE = -1
TERMINAL = -4
"""OpenSpiel's numbers for these two in place of a player."""

MOST_DEALS = 20_000
"""With more ways to deal than this, a deal is drawn by its seed."""
MOST_TRIES = 400_000
MANY_DRAWS = 3
"""Outcomes of at least this many draws at once are cached: finding them takes long."""
KEPT = 64
MOST_WAYS = 256
LONGEST_SCRIPT = 2_000
SEED_DIGITS = 4
DIGIT = 256
REMEMBERED = 200_000

Odds = npt.NDArray[np.float64]
CERTAIN: Odds = np.ones(1)


@cache
def rules_of(name: str, players: int, options: str) -> Rules:
    """Return the `Rules` of a game, a number of players and options as JSON; one for each."""
    spec, count, chosen = setting(name, players, json.loads(options))
    return Rules(spec, count, chosen, (name, players, options))


class Rules:
    """A game with a number of players and options, and the memory to work in.

    `longest` is an upper bound of the number of decisions in a game.
    """

    def __init__(
        self,
        spec: GameSpec,
        players: int,
        options: Mapping[str, Any],
        key: tuple[str, int, str],
    ) -> None:
        self.key = key
        self.spec = spec
        self.players = players
        self.size = row_length(spec)
        self.kernel = compiled(spec)
        self.template = spec.template(players, options)
        self.longest = spec.longest(spec.twin(self.template))
        self._script = np.zeros(chance.FIRST_DRAW + 2 * LONGEST_SCRIPT, np.int64)
        self._scratch = np.zeros(spec.actions, np.int16)
        self._places = np.zeros(players, np.float64)
        self._texts: dict[bytes, str] = {}
        self._kept: dict[tuple[bytes, int], tuple[States, Odds, bool]] = {}
        self._make_room(MOST_DEALS)
        self.deals = self.ways(self.template, kernel.DEAL, MOST_TRIES)
        self._make_room(MOST_WAYS)

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_of, self.key

    def _make_room(self, ways: int) -> None:
        self._found = np.zeros(ways + 1, self.spec.dtype)
        self._raw = self._found.view(np.uint8).reshape(ways + 1, -1)
        self._marks = np.zeros(ways + 1, np.int64)
        self._odds = np.zeros(ways + 1, np.float64)

    def ways(self, before: States, action: int, tries: int) -> tuple[States, Odds, bool] | None:
        """Return the states that an action can lead to, their odds, and whether chance plays."""
        key = (before.tobytes(), action)
        if key in self._kept:
            return self._kept[key]
        n = self.kernel.every_way(
            before,
            action,
            self._script,
            self._scratch,
            self._found,
            self._raw,
            self._marks,
            self._odds,
            tries,
        )
        if n < 0:
            return None
        if n == 1 and not self._script[chance.ASKED]:
            return copied(self._found[:1]), CERTAIN, False
        found = copied(self._found[:n]), self._odds[:n].copy(), True
        if self._script[chance.ASKED] >= MANY_DRAWS:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[key] = found
        return found

    def dealt(self, digits: tuple[int, ...]) -> States:
        """Return the state that is dealt from a seed."""
        seed = 0
        for digit in digits:
            seed = seed * DIGIT + digit
        states = copied(self.template)
        self.spec.compiled.setup_at(states, 0, fast_row(seed), self._scratch, None)
        return states

    def legal(self, states: States) -> list[int]:
        n = self.spec.compiled.legal_at(states, 0, self._scratch)
        return sorted(self._scratch[:n].tolist())

    def returns(self, states: States) -> list[float]:
        """Return what each player wins: losers -1, and the winners share what the others lose."""
        self.kernel.reward_at(states, 0, self._places)
        return [float(share) * (self.players - 1) for share in self._places]

    def seen(self, states: States, seats: int) -> States:
        found = copied(states)
        self.spec.compiled.view_at(found, 0, seats)
        return found

    def resampled(self, states: States, player: int, row: Row) -> States:
        found = copied(states)
        self.spec.compiled.resample_at(found, 0, 1 << player, row)
        return found

    def text(self, seen: States) -> str:
        """Return a position as JSON."""
        key = seen.tobytes()
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) >= REMEMBERED:
                self._texts.clear()
            found = json.dumps(self.spec.position.write(self.spec.twin(seen)))
            self._texts[key] = found
        return found


class Position:
    """A node. `player` is the one who decides, or `CHANCE`, or `TERMINAL`."""

    __slots__ = (
        *("rules", "states", "player", "dealing", "digits", "ways"),
        *("_parent", "_action", "_legal", "_keys"),
    )

    def __init__(self, rules: Rules, states: States, parent: Position | None, action: int) -> None:
        self.rules = rules
        self.states = states
        self.dealing = False
        self.digits: tuple[int, ...] = ()
        self.ways: tuple[States, Odds, bool] | None = None
        self._parent = parent
        self._action = action
        self._legal: list[int] | None = None
        self._keys: dict[int, bytes] = {}
        seat = int(states["seat"][0])
        self.player = TERMINAL if seat == OVER else seat

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        path = []
        at = self
        while at._parent is not None:
            path.append(at._action)
            at = at._parent
        return reached, (self.rules, path[::-1])

    @classmethod
    def root(cls, rules: Rules) -> Self:
        """Return the position before the deal."""
        found = cls(rules, rules.template, None, kernel.DEAL)
        found.player = CHANCE
        found.dealing = True
        found.ways = rules.deals
        return found

    def outcomes(self) -> list[tuple[int, float]]:
        if self.ways is None:
            return [(digit, 1 / DIGIT) for digit in range(DIGIT)]
        return list(enumerate(self.ways[1].tolist()))

    def after(self, action: int) -> Position:
        if self.player == CHANCE:
            return self._drawn(action)
        ways = self.rules.ways(self.states, action, MOST_TRIES)
        if ways is None:
            raise RuntimeError(f"chance has more than {MOST_WAYS} outcomes")
        if not ways[2]:
            return Position(self.rules, ways[0], self, action)
        waiting = Position(self.rules, self.states, self, action)
        waiting.player = CHANCE
        waiting.ways = ways
        return waiting

    def _drawn(self, outcome: int) -> Position:
        if self.ways is not None:
            return Position(self.rules, self.ways[0][outcome : outcome + 1], self, outcome)
        digits = (*self.digits, outcome)
        if len(digits) == SEED_DIGITS:
            return Position(self.rules, self.rules.dealt(digits), self, outcome)
        waiting = Position(self.rules, self.states, self, outcome)
        waiting.player = CHANCE
        waiting.dealing = True
        waiting.digits = digits
        return waiting

    def legal(self) -> list[int]:
        if self._legal is None:
            self._legal = [] if self.player < 0 else self.rules.legal(self.states)
        return self._legal

    def key(self, player: int) -> bytes:
        """Return a hash of all that a player has seen and done up to here."""
        if player not in self._keys:
            self._keys[player] = self._new_key(player)
        return self._keys[player]

    def _new_key(self, player: int) -> bytes:
        digest = hashlib.blake2b(digest_size=8)
        if self._parent is not None:
            digest.update(self._parent.key(player))
            if self._parent.player == player:
                digest.update(self._action.to_bytes(4, "little"))
        if self.player != CHANCE:
            digest.update(self.rules.seen(self.states, 1 << player).tobytes())
        return digest.digest()

    def seen(self, player: int | None) -> str:
        """Return the position as a player, or a spectator (None), sees it, as JSON."""
        if self.dealing:
            return ""
        seats = 0 if player is None else 1 << player
        return self.rules.text(self.rules.seen(self.states, seats))

    def row(self, player: int) -> npt.NDArray[np.int8]:
        out = np.zeros(self.rules.size, np.int8)
        if not self.dealing:
            self.rules.kernel.observe_at(self.states, 0, player, out)
        return out

    def resampled(self, player: int, row: Row) -> Position:
        """Return another position that the player can't tell from this one."""
        if self.player == CHANCE:
            raise ValueError("a position can be resampled only where a player decides")
        states = self.rules.resampled(self.states, player, row)
        found = Position(self.rules, states, self._parent, self._action)
        found._keys[player] = self.key(player)
        return found


def reached(rules: Rules, path: list[int]) -> Position:
    """Return the position that actions and outcomes lead to."""
    at = Position.root(rules)
    for action in path:
        at = at.after(action)
    return at
