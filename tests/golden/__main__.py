"""Write the stored games, playthroughs and perft counts anew."""

from __future__ import annotations

import json

from tests.golden import (
    FOLDER,
    golden_game,
    perft,
    playthrough,
    playthrough_file,
    record_file,
    tables,
)

counts = {}
for contract, players in tables():
    game = golden_game(contract, players)
    record_file(contract, players).write_text(json.dumps(game.record(), indent=1) + "\n", "utf-8")
    playthrough_file(contract, players).write_text(playthrough(game), "utf-8")
    counts[f"{contract.name}-{players}"] = perft(contract, players)
(FOLDER / "perft.json").write_text(json.dumps(counts, indent=1) + "\n", "utf-8")
