"""A bot that plays as a guest on a server: it accepts every invitation and plays at random.

    python examples/guest_bot.py https://games.example.org TOKEN [GAMES]

Make the token on the server's page /programs, with a name for the bot. With GAMES it stops after
so many finished games.
"""

from __future__ import annotations

import random
import sys

from veillee.client import Client
from veillee.client.types import Action, Table


def choose(table: Table) -> Action:
    """Return one of the actions. `table.view` is what the bot may know of the game."""
    return random.choice(table.actions)


def main() -> None:
    address, token, *games = sys.argv[1:]
    with Client(address, token) as client:
        print(f"{client.account().name} is ready", flush=True)
        client.play_all(choose, games=int(games[0]) if games else None)


if __name__ == "__main__":
    main()
