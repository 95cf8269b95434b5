"""A point in a game's tree. Positions never change, so copying one copies nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from veillee.adapters import kernel
from veillee.adapters.compiled import compiled, copied, row_length
from veillee.adapters.games import setting
from veillee.engine import chance
from veillee.engine.contract import Contract
from veillee.engine.record import OVER, States
from veillee.engine.seed import Row, fast_row

CHANCE = -1
TERMINAL = -4
"""OpenSpiel's numbers for these two in place of a player."""

MOST_DEALS = 20_000
"""With more ways to deal than this, a deal is drawn by its seed."""
MOST_TRIES = 400_000
MANY_DRAWS = 3
"""From so many draws at once on, the ways are kept: finding them takes long."""
KEPT = 64
MOST_WAYS = 256
LONGEST_SCRIPT = 2_000
SEED_DIGITS = 4
DIGIT = 256
REMEMBERED = 200_000

Odds = npt.NDArray[np.float64]
CERTAIN: Odds = np.ones(1)


@cache
def rules_of(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> Rules:
    """The one `Rules` of a game, so many players and these options."""
    contract, count, chosen = setting(name, players, dict(options))
    return Rules(contract, count, chosen, (name, players, options))


class Rules:
    """A game with its number of players and options, and the memory to work in."""

    def __init__(
        self, contract: Contract, players: int, options: Mapping[str, Any], key: tuple[Any, ...]
    ) -> None:
        self.key = key
        self.contract = contract
        self.players = players
        self.size = row_length(contract)
        self.kernel = compiled(contract)
        self.template = contract.template(players, options)
        self._script = np.zeros(chance.FIRST_DRAW + 2 * LONGEST_SCRIPT, np.int64)
        self._scratch = np.zeros(contract.actions, np.int16)
        self._places = np.zeros(players, np.float64)
        self._texts: dict[bytes, str] = {}
        self._kept: dict[tuple[bytes, int], tuple[States, Odds, bool]] = {}
        self._make_room(MOST_DEALS)
        self.deals = self.ways(self.template, kernel.DEAL, MOST_TRIES)
        self._make_room(MOST_WAYS)

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_of, self.key

    def _make_room(self, ways: int) -> None:
        self._found = np.zeros(ways + 1, self.contract.dtype)
        self._raw = self._found.view(np.uint8).reshape(ways + 1, -1)
        self._marks = np.zeros(ways + 1, np.int64)
        self._odds = np.zeros(ways + 1, np.float64)

    def ways(self, before: States, action: int, tries: int) -> tuple[States, Odds, bool] | None:
        """The states that an action can lead to with their odds, and whether chance was asked."""
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
        """The deal of a seed."""
        seed = 0
        for digit in digits:
            seed = seed * DIGIT + digit
        states = copied(self.template)
        self.contract.compiled.setup_at(states, 0, fast_row(seed), self._scratch, None)
        return states

    def legal(self, states: States) -> list[int]:
        n = self.contract.compiled.legal_at(states, 0, self._scratch)
        return sorted(self._scratch[:n].tolist())

    def returns(self, states: States) -> list[float]:
        """What each wins: -1 for who loses, and winners share what the others lose."""
        self.kernel.reward_at(states, 0, self._places)
        return [float(share) * (self.players - 1) for share in self._places]

    def seen(self, states: States, seats: int) -> States:
        found = copied(states)
        self.contract.compiled.view_at(found, 0, seats)
        return found

    def resampled(self, states: States, player: int, row: Row) -> States:
        found = copied(states)
        self.contract.compiled.resample_at(found, 0, 1 << player, row)
        return found

    def text(self, seen: States) -> str:
        """A position as JSON."""
        key = seen.tobytes()
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) >= REMEMBERED:
                self._texts.clear()
            found = json.dumps(self.contract.write(self.contract.twin(seen)))
            self._texts[key] = found
        return found


class Position:
    """`player` is who decides, or `CHANCE`, or `TERMINAL`."""

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
        """Before the deal."""
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
            raise RuntimeError(f"more than {MOST_WAYS} ways for chance to go")
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
        """A hash of all that a player has seen and done up to here."""
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
        """The position as a player (None: a watcher) sees it, as JSON."""
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
        """Another position that the player can't tell from this one."""
        if self.player == CHANCE:
            raise ValueError("a position is dealt anew when somebody is to decide")
        states = self.rules.resampled(self.states, player, row)
        found = Position(self.rules, states, self._parent, self._action)
        found._keys[player] = self.key(player)
        return found


def reached(rules: Rules, path: list[int]) -> Position:
    """The position that actions and outcomes lead to."""
    at = Position.root(rules)
    for action in path:
        at = at.after(action)
    return at
