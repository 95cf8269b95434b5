"""The picture of the game: see `engine/drawing/picture.py` for what each layer is."""

from __future__ import annotations

from veillee.games.nomads.picture.board import board, private
from veillee.games.nomads.picture.icon import icon
from veillee.games.nomads.picture.piece_ids import follow
from veillee.games.nomads.picture.preview import ghost

__all__ = ["board", "follow", "ghost", "icon", "private"]
