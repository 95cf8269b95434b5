"""A bot of an older version behind the bot protocol: run it with that version's interpreter.

    OLD/.venv/bin/python benchmarks/frozen_bot.py --seconds 0.3

It plays as the older sage does, with that time or `--iterations` for each decision.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from importlib import import_module
from typing import Any


def sitter(level: str, limits: dict[str, Any]) -> Any:
    """Return the older version's side of the protocol, with other limits on thinking."""
    try:
        protocol: Any = import_module("veillee.bots.external")
    except ImportError:
        protocol = import_module("veillee.bots.program")
    levels: Any = import_module("veillee.bots.levels")
    bots: Any = import_module("veillee.bots.bot")

    def bot(spec: Any, players: int, name: str, seed: int = 0) -> Any:
        budget = levels.level_named(name).budget_for(spec)
        none = dict.fromkeys(("iterations", "each", "seconds"))
        return bots.Bot(spec, players, replace(budget, **(none | limits)), seed)

    protocol.bot = bot
    return protocol.Sitter(level)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--level", default="sage")
    ask.add_argument("--seconds", type=float)
    ask.add_argument("--iterations", type=int)
    chosen = ask.parse_args()
    limits = {name: getattr(chosen, name) for name in ("seconds", "iterations")}
    sits = sitter(chosen.level, {name: value for name, value in limits.items() if value})
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] != "over":
            # A first version wants to know nothing of whose view it is.
            request.get("view", {}).pop("seen_by", None)
            print(sits.answer(json.dumps(request)), flush=True)


if __name__ == "__main__":
    main()
