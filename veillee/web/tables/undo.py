"""Decide whether an undo needs consent: only if somebody learned something by the decision."""

from __future__ import annotations

from veillee.engine.game import Game

WORLDS = 12


def reveals(game: Game) -> bool:
    """Whether the last decision showed anyone something that was hidden or not yet drawn.

    The state before it is resampled several times, in ways that the one who decided and an observer
    together could not tell apart, and the decision is taken again in each world. If the observer
    then sees anything else, the decision revealed something.
    """
    step = game.steps[-1]
    before = game.copy()
    before.undo()
    for observer in range(game.players):
        view = game.seen_by(observer).tobytes()
        told = [event.seen_by(1 << observer) for event in step.events]
        for world in range(1, WORLDS + 1):
            other = before.resample(step.seat, observer, seed=world)
            other.seed = type(game.seed).of(world)
            events = other.play(step.action)
            if [event.seen_by(1 << observer) for event in events] != told:
                return True
            if other.seen_by(observer).tobytes() != view:
                return True
    return False
