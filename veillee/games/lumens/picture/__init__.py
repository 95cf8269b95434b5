"""The picture of the game: see `engine/drawing/picture.py` for what each layer is."""

from __future__ import annotations

from veillee.games.lumens.picture.board import board
from veillee.games.lumens.picture.hand import private
from veillee.games.lumens.picture.icon import icon
from veillee.games.lumens.picture.piece_ids import follow
from veillee.games.lumens.picture.preview import ghost

__all__ = ["board", "follow", "ghost", "icon", "private"]
