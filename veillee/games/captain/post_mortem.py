"""Oh Captain!: the bluff post-mortem of a finished game.

Every announcement beside the true card, and what each listener should have believed from what they
knew. The belief is that of the bots: deals that the listener can't tell apart (`resample`), each
weighed by how likely its cards make the announcements that were heard (`heuristics.likelihood`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from veillee.engine.game_spec import GameSpec, Names, ReportRow, ReportTable
from veillee.engine.i18n import Words
from veillee.engine.jit.layout import States
from veillee.engine.seed import fast_row
from veillee.games.captain.core.heuristics import Weight, honesty, is_revealed
from veillee.games.captain.core.names import CARDS, TOOLS
from veillee.games.captain.core.rules import tool_of
from veillee.games.captain.core.state import NOBODY, Answer, Card, Fate
from veillee.games.captain.core.state import TOOLS as TOOL_COUNT

SAMPLES = 4000
"""Deals for each listener: the standard error of a percentage is at most about 1."""
EVEN = 50
"""Percent: below it an announcement is more likely false than true."""

Floats = npt.NDArray[np.float64]
_TOOL_OF = np.array([tool_of(card) for card in Card])


def find(spec: GameSpec, states: States, weights: Any, seed: int) -> list[dict[str, Any]]:
    """Return all announcements of a game, in order."""
    last = spec.twin(states[-1:].copy())
    announcements = []
    for row in range(last.row + 1):
        if not last.told[row]:
            continue
        step = int(np.flatnonzero((states["row"] == row) & (states["told"][:, row] > 0))[0])
        card = last.cave[last.laid + row]
        listeners = [seat for seat in range(last.players) if seat != last.finder[row]]
        announcements.append(
            {
                "step": step - 1,
                "finder": last.finder[row],
                "captain": last.chief[row],
                "told": last.told[row] - 1,
                "card": card,
                "true": bool(tool_of(card) == last.told[row] - 1),
                "bought": bool(last.fate[row] == Fate.BOUGHT),
                "target": last.target[row] - 1 if last.answer[row] != Answer.NONE else None,
                "accused": bool(last.answer[row] == Answer.ACCUSED),
                "belief": {
                    str(seat): round(
                        100 * belief(spec, states[step : step + 1], seat, weights, seed)
                    )
                    for seat in listeners
                },
            }
        )
    return announcements


def belief(
    spec: GameSpec, state: States, seat: int, weights: Any, seed: int, samples: int = SAMPLES
) -> float:
    """Return how likely the announcement of the current row is true, to a seat that heard it."""
    deals = np.repeat(state, samples)
    spec.compiled.view_all(deals, 1 << seat)
    rng = fast_row(seed, int(state[0]["row"]) * int(state[0]["players"]) + seat)
    spec.compiled.resample_all(deals, 1 << seat, rng)
    s = spec.twin(state.copy())
    weight = likelihoods(s, deals, weights)
    true = _TOOL_OF[deals["cave"][:, s.laid + s.row]] == s.told[s.row] - 1
    return float(weight[true].sum() / weight.sum())


def likelihoods(s: Any, deals: States, weights: Any) -> Floats:
    """Return `heuristics.likelihood` of many deals that agree with `s` on all that is public."""
    chance = np.ones(len(deals))
    for row in range(s.row + 1):
        if s.told[row] and not is_revealed(s, row):
            honest = honesty(s, s.finder[row], weights[Weight.TRUST, 0])
            by_tool = np.full(TOOL_COUNT + 1, (1.0 - honest) / 3)
            by_tool[s.told[row] - 1] = honest
            by_tool[NOBODY] = 0.25
            chance *= by_tool[_TOOL_OF[deals["cave"][:, s.laid + row]]]
    return chance


# ---------------------------------------------------------------- in words


def tell(words: Words, found: Sequence[dict[str, Any]], names: Names) -> list[ReportTable]:
    """Return two tables: the announcements, and the players' tendencies."""
    return [_announcements(words, found, names), _tendencies(words, found, names)]


def _announcements(words: Words, found: Sequence[dict[str, Any]], names: Names) -> ReportTable:
    heads = ("who", "told", "card", "belief", "outcome")
    rows = [
        ReportRow(
            [
                names[each["finder"]],
                words(f"captain.some.{TOOLS[each['told']]}", n=1),
                words(f"captain.some.{CARDS[each['card']].replace(' ', '_')}", n=1),
                ", ".join(
                    f"{names[int(seat)]} {words.percent(percent / 100)}"
                    for seat, percent in each["belief"].items()
                ),
                " ".join(words(key, name=names[seat]) for seat, key in outcomes(each)),
            ],
            each["step"],
        )
        for each in found
    ]
    return ReportTable(
        words("captain.post_mortem.announcements"),
        [words(f"captain.post_mortem.{head}") for head in heads],
        rows,
    )


def outcomes(announcement: dict[str, Any]) -> list[tuple[int, str]]:
    """Return who did what about an announcement: seat and key of the sentence.

    A Captain buys for the card as much as for the announcement, so only the player under attack can
    be fooled. Whoever was wrong and could have known, from what was more likely, is told so.
    """
    each = announcement
    truth = "true" if each["true"] else "lie"
    if each["bought"]:
        return [(each["captain"], f"captain.post_mortem.bought.{truth}")]
    told = [(each["captain"], "captain.post_mortem.left")]
    if each["target"] is not None:
        key = f"captain.post_mortem.{'accused' if each['accused'] else 'accepted'}.{truth}"
        likely = each["belief"][str(each["target"])] >= EVEN
        if each["accused"] and each["true"] and likely:
            key += ".suspicious"
        if not each["accused"] and not each["true"] and not likely:
            key += ".trusting"
        told.append((each["target"], key))
    return told


def _tendencies(words: Words, found: Sequence[dict[str, Any]], names: Names) -> ReportTable:
    heads = ("who", "honest", "uncaught", "bought", "accused", "fooled", "trusting", "suspicious")
    return ReportTable(
        words("captain.post_mortem.tendencies"),
        [words(f"captain.post_mortem.tendency.{head}") for head in heads],
        [
            ReportRow([names[seat], *(_of(words, *part) for part in tendencies(found, seat))])
            for seat in range(len(names))
        ],
    )


def _of(words: Words, part: int, whole: int) -> str:
    return words("captain.post_mortem.of", part=part, whole=whole) if whole else "–"


def tendencies(found: Sequence[dict[str, Any]], seat: int) -> list[tuple[int, int]]:
    """Return a seat's tendencies, each as how often of how many times.

    Tools announced as what they are; lies that nobody uncovered; cards bought; attackers accused;
    lies believed, of those that were an attack; answers that were too trusting or too suspicious.
    """
    own = [each for each in found if each["finder"] == seat]
    tools = [each for each in own if each["card"] != Card.EGG]
    lies = [each for each in own if not each["true"]]
    offered = [each for each in found if each["captain"] == seat]
    attacked = [each for each in found if each["target"] == seat]
    keys = [key for each in found for who, key in outcomes(each) if who == seat]
    attacked_by_lie = [each for each in attacked if not each["true"]]
    return [
        (sum(each["true"] for each in tools), len(tools)),
        (sum(not each["bought"] and not each["accused"] for each in lies), len(lies)),
        (sum(each["bought"] for each in offered), len(offered)),
        (sum(each["accused"] for each in attacked), len(attacked)),
        (sum(not each["accused"] for each in attacked_by_lie), len(attacked_by_lie)),
        (sum(key.endswith(".trusting") for key in keys), len(attacked)),
        (sum(key.endswith(".suspicious") for key in keys), len(attacked)),
    ]
