"""OpenSpiel's own search as a player: its Python ISMCTSBot on our rules, through our adapter."""

from __future__ import annotations

import time

import numpy as np

from veillee.engine.game_spec import GameSpec
from veillee.engine.jit.layout import States
from veillee.engine.seed import fast_row

EXPLORATION = 2.0


class Peer:
    """ISMCTS with a time budget and one random playout in each simulation."""

    def __init__(self, spec: GameSpec, players: int, seconds: float, seed: int) -> None:
        import pyspiel
        from open_spiel.python.algorithms import ismcts, mcts

        from veillee.adapters.open_spiel import PREFIX, resampled

        self.seconds = seconds
        self.simulations = 0
        """How many the last decision took."""
        self._row = fast_row(seed)
        self._chance = np.random.RandomState(seed)
        self._game = pyspiel.load_game(f"{PREFIX}{spec.name}(players={players})")
        playouts = mcts.RandomRolloutEvaluator(1, self._chance)
        self._bot = ismcts.ISMCTSBot(
            self._game, playouts, EXPLORATION, 1, random_state=self._chance
        )
        self._bot.set_resampler(lambda state, seat: resampled(state, seat, self._chance.uniform))

    def choose(self, view: States) -> int:
        """The action that it went to most."""
        from veillee.adapters.open_spiel.position import Position
        from veillee.adapters.open_spiel.state import State

        end = time.perf_counter() + self.seconds
        rules = self._game.rules
        dealt = rules.resampled(view, int(view[0]["seat"]), self._row)
        state = State(self._game, Position(rules, dealt, None, 0))
        if len(state.legal_actions()) == 1:
            return int(state.legal_actions()[0])
        self._bot.reset()
        node = self._bot.create_new_node(state)
        self.simulations = 0
        while self.simulations < 2 or time.perf_counter() < end:
            self._bot.run_simulation(self._bot.sample_root_state(state))
            self.simulations += 1
        actions, odds = zip(*self._bot.get_final_policy(state, node), strict=True)
        return int(self._chance.choice(actions, p=odds))
