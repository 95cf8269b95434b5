"""Oh Captain!: the names of its things, as notation, positions and events write them."""

from __future__ import annotations

from veillee.games.captain.core.state import KINDS, Adventurer, Answer, Card, Fate, How, Phase, Tool

CARDS = tuple(card.name.lower().replace("_", " ") for card in Card)
LOOT = CARDS[:KINDS]
TOOLS = tuple(tool.name.lower() for tool in Tool)
ADVENTURERS = tuple(adventurer.name.lower() for adventurer in Adventurer)[Adventurer.LYS :]
PHASES = tuple(phase.name.lower() for phase in Phase)
FATES = tuple(fate.name.lower() for fate in Fate)
ANSWERS = tuple(answer.name.lower() for answer in Answer)
HOWS = tuple(how.name.lower().replace("_", " ") for how in How)
