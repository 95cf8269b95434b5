"""Fireflies: a tiny game with a secret, for 2 to 4 players."""

from veillee.engine.game_spec import GameSpec

from . import picture, rules, text

SPEC = GameSpec(
    name="fireflies",
    player_counts=range(2, rules.SEATS + 1),
    minutes=2,
    hidden=True,
    state=rules.State,
    actions=rules.MOST,
    rules=rules,
    view=rules,
    resample=rules,
    notation=text.Notation(),
    events=text,
    text=text,
    forbids=lambda s, action: "fireflies.catch",
    clauses=("fireflies.setup", "fireflies.catch", "fireflies.score"),
    picture=picture.Meadow("fireflies"),
)
