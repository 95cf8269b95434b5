"""Oh Captain!: the position in words, for those who can't see the picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from operator import or_, sub

from veillee.engine.game_spec import Names, Section
from veillee.engine.i18n import Words
from veillee.games.captain.core.names import ADVENTURERS, CARDS
from veillee.games.captain.core.rules import found, tool_of
from veillee.games.captain.core.state import KINDS, UNKNOWN, Answer, Fate, Phase, State
from veillee.games.captain.text import saying


def outline(words: Words, s: State, names: Names, seat: int | None) -> list[Section]:
    """Return the middle, who says what, and what each player has."""
    middle = [
        words(
            "captain.outline.middle",
            cave=s.size - s.drawn,
            discard=s.discards,
            reserve=s.reserve,
        )
    ]
    middle.append(words("captain.outline.hidden", cards=_cards(words, not_shown(s))))
    said = saying(words, s, names)
    if said:
        middle.append(said)
    if seat is not None and s.phase not in (Phase.ADVENTURER, Phase.OVER):
        if s.turn == seat and s.phase in (Phase.ANNOUNCE, Phase.CHOICE) and found(s) != UNKNOWN:
            middle.append(words("captain.board.found", card=_card(words, found(s))))
        if s.captain == seat:
            cards = _cards(words, s.discard.tolist())
            middle.append(words("captain.outline.discard", cards=cards))
    sections = [Section(words("captain.outline.table"), middle)]
    sections += [_player(words, s, names, other, other == seat) for other in range(s.players)]
    return sections


def _card(words: Words, card: int) -> str:
    return words(f"captain.card.{CARDS[card].replace(' ', '_')}")


def _cards(words: Words, cards: Sequence[int]) -> str:
    there = [f"{_card(words, card)} × {cards[card]}" for card in range(KINDS) if cards[card] > 0]
    return ", ".join(there) or words("veillee.none")


def _player(words: Words, s: State, names: Names, seat: int, mine: bool) -> Section:
    title = words("veillee.you") if mine else names[seat]
    if s.adventurer[seat]:
        title += f" ({words(f'captain.adventurer.{ADVENTURERS[s.adventurer[seat] - 1]}')})"
    lines = [words("captain.coins", n=s.coins[seat])]
    if s.captain == seat and s.phase != Phase.ADVENTURER:
        lines.insert(0, words("captain.captain"))
    lines.append(words("captain.outline.up", cards=_cards(words, s.up.tolist()[seat])))
    if mine:
        lines.append(words("captain.outline.own", cards=_cards(words, s.down.tolist()[seat])))
    else:
        lines.append(words("captain.outline.down", n=s.hidden[seat]))
    lies, truths = announced(s)[seat]
    lines.append(f"{words('captain.seen.lies', n=lies)}, {words('captain.seen.truths', n=truths)}")
    return Section(title, lines)


def not_shown(s: State) -> list[int]:
    """Return how many cards of each kind nobody shows: at the end, those not in any loot."""
    shown = s.up.tolist()[: s.players]
    if s.phase == Phase.OVER:
        shown += s.down.tolist()[: s.players]
    return list(map(sub, s.total, map(sum, zip(*shown, strict=True))))


def announced(s: State) -> list[tuple[int, int]]:
    """Return how many lies and truths of each seat everybody has seen."""
    bought, accused = map(Fate.BOUGHT.__eq__, s.fate), map(Answer.ACCUSED.__eq__, s.answer)
    told = zip(s.finder, s.told, s.cave.tolist()[s.laid :], strict=False)
    return _announced(s.players, tuple(compress(told, map(or_, bought, accused))))


@lru_cache(1024)
def _announced(players: int, shown: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Count them in the rows of the history whose cards were turned up."""
    counts = [0] * (2 * players)
    for finder, told, card in shown:
        counts[2 * finder + (tool_of(card) == told - 1)] += 1
    return list(zip(counts[::2], counts[1::2], strict=True))
