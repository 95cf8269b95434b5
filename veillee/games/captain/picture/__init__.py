"""The picture of the game: see `engine/drawing/picture.py` for what each layer is."""

from __future__ import annotations

from veillee.games.captain.picture.board import board
from veillee.games.captain.picture.hand import private
from veillee.games.captain.picture.icon import icon
from veillee.games.captain.picture.piece_ids import follow
from veillee.games.captain.picture.preview import ghost

__all__ = ["board", "follow", "ghost", "icon", "private"]
