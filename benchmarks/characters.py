"""`python -m benchmarks.characters GAME`: do characters differ in style at equal strength?

    python -m benchmarks.characters nomads --level teller --players 3 --blocks 30

One bot with a character plays among bots of the same level without one, a deal in every seat, as in
`veillee lab match`. Prints its share of the wins with the interval over deals, and for every habit
its own mean beside that of the others at the same tables.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from veillee.bots.characters import characters, joined
from veillee.engine.game import Game, game_class
from veillee.engine.registry import game as spec_named
from veillee.games.captain.core.rules import found, tool_of
from veillee.games.captain.core.state import Phase
from veillee.games.lumens.core.heuristics import FEATURES, Feature, features
from veillee.games.lumens.core.rules import central_room
from veillee.games.lumens.core.state import FACES, NO_TOKEN
from veillee.games.nomads.core.actions import SING, WRITE
from veillee.games.nomads.core.state import CARDS, MOST_WILDS
from veillee.lab.match import Result, Terms
from veillee.lab.players import player

Habit = tuple[str, float]


def captain(game: Game, action: int) -> Iterator[Habit]:
    """Oh Captain!: announcements, answers, purchases and mutinies."""
    s, at = game.state, game.legal_numbers().index(action)
    if s.phase == Phase.ANNOUNCE and (tool := tool_of(found(s))) >= 0:
        yield "tools announced truly", float(tool == at)
    elif s.phase == Phase.ANSWER:
        yield "accuses", float(at == 1)
    elif s.phase == Phase.CHOICE:
        yield "buys", float(at == 0)
    elif s.phase == Phase.RICH:
        yield "mutinies", float(at == 0)


def lumens(game: Game, action: int) -> Iterator[Habit]:
    """Lumens: where a token goes, and what it leaves open."""
    s, square = game.state, action // FACES
    if action % FACES >= 0 and s.room[square]:
        token = s.top[square]
        yield "covers another", float(token != NO_TOKEN and (token - 1) // FACES != game.seat)
        yield "in the middle", float(s.room[square] == central_room(s))


def lumens_after(game: Game, seat: int) -> Iterator[Habit]:
    out: Any = [0] * 256
    features(game.spec.twin(game.states.copy()), out)
    yield "rooms left open to others", float(out[seat * FEATURES + Feature.EXPOSED])


def nomads(game: Game, action: int) -> Iterator[Habit]:
    """Nomads: what the tiles are spent on."""
    if WRITE <= action < SING:
        card = (action - WRITE) // (MOST_WILDS + 1)
        yield "price of a card", float(game.state.value[card // CARDS, card % CARDS])
    elif action >= SING:
        yield "tiles left when singing", float(sum(game.state.tiles[at] for at in range(8)))


def nomads_end(game: Game, seat: int) -> Iterator[Habit]:
    s = game.state
    yield "Songs", float(s.song[seat] > 0)
    yield "Moons", float(s.moons[seat])
    yield "legends", float(sum(s.legend[seat, kind] != 0 for kind in range(7)))


NOTHING: Callable[[Game, int], Iterator[Habit]] = lambda *_: iter(())  # noqa: E731
HABITS = {
    "captain": (captain, NOTHING, NOTHING),
    "lumens": (lumens, lumens_after, NOTHING),
    "nomads": (nomads, NOTHING, nomads_end),
}
"""For each game what is counted before an action, after it, and at the end for every seat."""
Counts = dict[tuple[str, bool], list[float]]


def measure(name: str, character: str, level: str, players: int, blocks: int, seed: int) -> Any:
    """Play; return the match, and the values of every habit: of the character, and of the rest."""
    spec = spec_named(name)
    before, after, at_end = HABITS[name]
    challenger = joined(character, level)
    result = Result(Terms(name, players, challenger, level, seed))
    counts: Counts = defaultdict(list)
    for number in range(blocks):
        won = 0.0
        for own in range(players):
            game = game_class(spec)(players, f"{seed}:{number}", compiled=True)
            choose = [
                player(spec, players, challenger if at == own else level, number * players + at)
                for at in range(players)
            ]
            while not game.over:
                seat = game.seat
                action = choose[seat](game.seen_by(seat))
                for habit, value in before(game, action):
                    counts[habit, seat == own].append(value)
                game.play(action)
                if not game.over:
                    for habit, value in after(game, seat):
                        counts[habit, seat == own].append(value)
            for seat in range(players):
                for habit, value in at_end(game, seat):
                    counts[habit, seat == own].append(value)
            won += (own in game.winners) / len(game.winners)
        result.shares.append(won / players)
    return result, counts


def main() -> None:
    ask = argparse.ArgumentParser(prog="python -m benchmarks.characters", description=__doc__)
    ask.add_argument("game", choices=list(HABITS))
    ask.add_argument("characters", nargs="*")
    ask.add_argument("--level", default="teller")
    ask.add_argument("--players", type=int, default=3)
    ask.add_argument("--blocks", type=int, default=30)
    ask.add_argument("--seed", type=int, default=1)
    asked = ask.parse_args()
    for character in asked.characters or characters(spec_named(asked.game)):
        result, counts = measure(
            asked.game, character, asked.level, asked.players, asked.blocks, asked.seed
        )
        low, high = result.interval
        habits = [
            f"{habit} {mean(counts[habit, True])} ({mean(counts[habit, False])})"
            for habit in dict.fromkeys(habit for habit, _ in counts)
        ]
        games = asked.blocks * asked.players
        share = f"{result.mean:.3f} | {low:.2f}–{high:.2f}"
        print(f"| {character} | {asked.level} | {games} | {share} | {'; '.join(habits)} |")


def mean(values: list[float]) -> str:
    return f"{sum(values) / len(values):.2f}" if values else "never"


if __name__ == "__main__":
    main()
