"""Whether a decision may simply be taken back: only if nobody learned anything by it."""

from __future__ import annotations

from veillee.engine.game import Game

WORLDS = 12


def revealed(game: Game) -> bool:
    """Whether the last decision showed anyone something that was hidden or not yet drawn.

    The state before it is dealt anew, several times, in ways that the one who decided and a reader
    together could not tell apart, and the decision is taken again in each. If that reader then
    sees something else than what is to be seen, chance or a secret spoke.
    """
    step = game.steps[-1]
    before = game.copy()
    before.undo()
    for reader in range(game.players):
        seen = game.seen_by(reader).tobytes()
        for world in range(1, WORLDS + 1):
            other = before.resample(step.seat, reader, seed=world)
            other.seed = type(game.seed).of(world)
            events = other.play(step.action)
            told = [event.seen_by(1 << reader) for event in events]
            if told != [event.seen_by(1 << reader) for event in step.events]:
                return True
            if other.seen_by(reader).tobytes() != seen:
                return True
    return False
