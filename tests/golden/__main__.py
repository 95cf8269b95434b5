"""Write the stored games, playthroughs, digests of deals and perft counts anew."""

from __future__ import annotations

import json

from tests.golden import (
    DEALS,
    FOLDER,
    deals,
    golden_game,
    label,
    perft,
    playthrough,
    playthrough_file,
    record_file,
    tables,
)

counts, digests = {}, {}
for spec, players in tables():
    game = golden_game(spec, players)
    record_file(spec, players).write_text(json.dumps(game.record(), indent=1) + "\n", "utf-8")
    playthrough_file(spec, players).write_text(playthrough(game), "utf-8")
    digests[label(spec, players)] = deals(game)
    counts[label(spec, players)] = perft(spec, players)
DEALS.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", "utf-8")
(FOLDER / "perft.json").write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", "utf-8")
