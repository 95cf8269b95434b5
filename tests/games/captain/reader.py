"""A second opinion on what seats may know, from the events they were told and nothing else.

Every table that could lie there is kept with its weight: each shuffle and each random pick as
likely as chance makes it, each card chosen in secret as likely as any other that it may be. Slow
and plain; shares no line with the rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from veillee.engine.events import Event

KINDS = ("lantern 3", "lantern 2", "egg", "hook", "lizard", "pistol", "purse")
EGG = KINDS.index("egg")
PURSE = KINDS.index("purse")
FACE_UP, GIVEN = 1, 3

Cards = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """One way the cards may lie: how many of each kind, in each place."""

    loot: tuple[Cards, ...]
    discard: Cards
    cave: Cards
    fresh: int
    """The card drawn last."""
    told: tuple[int, ...]
    """Every card that moved, in order."""


def add(cards: Cards, card: int, n: int = 1) -> Cards:
    return (*cards[:card], cards[card] + n, *cards[card + 1 :])


class Reader:
    """Reads events as some seats are told them; `given` follows one story only."""

    def __init__(self, players: int, cards: Cards, given: tuple[int, ...] | None = None) -> None:
        self.players = players
        self.given = given
        nothing = (0,) * len(KINDS)
        start = Table((nothing,) * players, nothing, (*cards, 0), -1, ())
        self.tables: dict[Table, Fraction] = {start: Fraction(1)}
        self.looks: list[int] = []
        self.shows: dict[int, dict[int, int]] | None = None

    def read(self, events: Iterable[Event]) -> None:
        pending = False
        for event in events:
            if pending and event.name != "look":
                self._looked()
                pending = False
            pending = pending or event.name == "look"
            getattr(self, f"_{event.name}", self._nothing)(**event.values)
        if pending:
            self._looked()
        if self.shows is not None:
            self._shown()

    def _nothing(self, **_: Any) -> None: ...

    def _every(self, follow: Callable[[Table], Iterator[tuple[Table, Fraction]]]) -> None:
        found: dict[Table, Fraction] = defaultdict(Fraction)
        for table, weight in self.tables.items():
            for after, chance in follow(table):
                if chance and (self.given is None or self.given[: len(after.told)] == after.told):
                    found[after] += weight * chance
        self.tables = found

    def _bottle(self, captain: int) -> None:
        def follow(t: Table) -> Iterator[tuple[Table, Fraction]]:
            loot = tuple(
                cards if seat == captain else add(cards, PURSE) for seat, cards in enumerate(t.loot)
            )
            yield replace(t, loot=loot), Fraction(1)

        self._every(follow)

    def _discard(self, cards: int) -> None:
        def follow(t: Table) -> Iterator[tuple[Table, Fraction]]:
            for laid, chance in layings(t.cave, cards):
                cave, discard = t.cave, t.discard
                for card in laid:
                    cave, discard = add(cave, card, -1), add(discard, card)
                yield replace(t, cave=cave, discard=discard, told=laid), chance

        self._every(follow)

    def _look(self, seat: int, card: int | None) -> None:
        if card is not None:
            self.looks.append(card)

    def _looked(self) -> None:
        looks, self.looks = self.looks, []
        if looks:
            seen = tuple(looks.count(card) for card in range(len(KINDS)))
            self._keep(lambda t: t.discard == seen)

    def _keep(self, agrees: Callable[[Table], bool]) -> None:
        self._every(lambda t: iter([(t, Fraction(1))] if agrees(t) else []))

    def _fish(self, seat: int, card: int | None) -> None:
        def follow(t: Table) -> Iterator[tuple[Table, Fraction]]:
            for kind, chance in picks(t.discard, card, False):
                yield (
                    replace(
                        t,
                        discard=add(t.discard, kind, -1),
                        loot=changed(t.loot, seat, kind, 1),
                        told=(*t.told, kind),
                    ),
                    chance,
                )

        self._every(follow)

    def _draw(self, seat: int, card: int | None) -> None:
        def follow(t: Table) -> Iterator[tuple[Table, Fraction]]:
            for kind, chance in picks(t.cave, card, False):
                cave = add(t.cave, kind, -1)
                yield replace(t, cave=cave, fresh=kind, told=(*t.told, kind)), chance

        self._every(follow)

    def _buy(self, card: int, **_: Any) -> None:
        self._keep(lambda t: t.fresh == card)

    def _leave(self, captain: int, seat: int) -> None:
        self._every(
            lambda t: iter([(replace(t, loot=changed(t.loot, seat, t.fresh, 1)), Fraction(1))])
        )

    def _accuse(self, target: int, attacker: int, card: int, honest: int) -> None:
        self._keep(lambda t: t.fresh == card)
        self._every(
            lambda t: iter([(replace(t, loot=changed(t.loot, attacker, card, -1)), Fraction(1))])
        )

    def _eggs(self, seat: int) -> None:
        self._keep(lambda t: t.loot[seat][EGG] == sum(t.loot[seat]))

    def siana_chooses(self, seat: int, position: dict[str, Any]) -> None:
        """What the phase tells everybody: she has a card to give that is no Egg."""
        shown = set(position["seats"][seat]["up"]) - {"egg"}
        if not shown or position["now"]["announced"] == "lantern":
            self._keep(lambda t: t.loot[seat][EGG] < sum(t.loot[seat]))

    def _light(self, target: int, card: int, how: int) -> None:
        self._hit(target, None, card, how)

    def _hook(self, attacker: int, target: int, card: int | None, how: int) -> None:
        if how != FACE_UP:
            self._hit(target, attacker, card, how)

    def _shoot(self, attacker: int, target: int, card: int | None, how: int) -> None:
        if how != FACE_UP:
            self._hit(target, self.players, card, how)
        else:
            assert card is not None
            self._every(lambda t: iter([(replace(t, discard=add(t.discard, card)), Fraction(1))]))

    def _hit(self, target: int, to: int | None, card: int | None, how: int) -> None:
        def follow(t: Table) -> Iterator[tuple[Table, Fraction]]:
            for kind, chance in picks(t.loot[target], card, how == GIVEN):
                after = replace(t, loot=changed(t.loot, target, kind, -1), told=(*t.told, kind))
                if to == self.players:
                    after = replace(after, discard=add(t.discard, kind))
                elif to is not None:
                    after = replace(after, loot=changed(after.loot, to, kind, 1))
                yield after, chance

        self._every(follow)

    def _turn(self, seat: int, card: int) -> None:
        self._every(
            lambda t: iter([(replace(t, loot=changed(t.loot, seat, card, 1)), Fraction(1))])
        )

    def _nomads(self, seat: int) -> None:
        self.shows = {seat: {} for seat in range(self.players)}

    def _show(self, seat: int, card: int, cards: int) -> None:
        assert self.shows is not None
        self.shows[seat][card] = cards

    def _shown(self) -> None:
        assert self.shows is not None
        loot = tuple(
            tuple(self.shows[seat].get(card, 0) for card in range(len(KINDS)))
            for seat in range(self.players)
        )
        self._keep(lambda t: t.loot == loot)


def changed(loot: tuple[Cards, ...], seat: int, card: int, n: int) -> tuple[Cards, ...]:
    return (*loot[:seat], add(loot[seat], card, n), *loot[seat + 1 :])


def picks(cards: Cards, seen: int | None, no_egg: bool) -> Iterator[tuple[int, Fraction]]:
    """The kinds that one card out of these may be, each card as likely."""
    for kind, n in enumerate(cards):
        if n and (seen is None or seen == kind) and not (no_egg and kind == EGG):
            yield kind, Fraction(n, sum(cards))


@cache
def layings(cave: Cards, n: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every n cards that may be laid from the top, and how likely."""
    pile = [card for card, many in enumerate(cave) for _ in range(many)]
    ways = Counter(combinations(pile, n))
    return [(laid, Fraction(many, ways.total())) for laid, many in ways.items()]
