"""The part that all games share. Nothing here knows a game by name."""
