"""Nomads: discs keep their names when they are sown."""

from __future__ import annotations

from typing import Any

import veillee
from veillee.engine.i18n import Words
from veillee.games.nomads.picture import board, follow


def watched(game: veillee.engine.game.Game) -> Any:
    return game.spec.twin(game.seen_by())


def test_a_sown_pile_keeps_its_discs_in_order() -> None:
    game = veillee.nomads.Game(players=2, seed=4, quick=True)
    ids = follow(None, watched(game), [])
    sow = next(a for a in game.legal if str(a).startswith("sow") and len(str(a).split()) == 3)
    space = int(str(sow).split()[1]) - 1
    pile = list(ids["piles"][space])
    events = game.play(sow)
    after = follow(ids, watched(game), events)
    step = 1 if "left" in str(sow) else -1
    for i, disc in enumerate(pile, 1):
        assert disc in after["piles"][(space + step * i) % 8]
    others = {disc for at, there in enumerate(ids["piles"]) if at != space for disc in there}
    for at, there in enumerate(ids["piles"]):
        if at != space:
            assert after["piles"][at][: len(there)] == there
    assert {d for p in after["piles"] for d in p} == others | set(pile)


def test_a_tile_taken_keeps_its_name_in_front_of_its_owner() -> None:
    game = veillee.nomads.Game(players=3, seed=4, quick=True)
    ids = follow(None, watched(game), [])
    for _ in range(6):
        events = game.play(next(a for a in game.legal if str(a).startswith(("sow", "lys", "keep"))))
        ids = follow(ids, watched(game), events)
    kept = [tile for hand in ids["hands"] for tiles in hand for tile in tiles]
    assert kept
    assert all(tile.startswith("tile-") for tile in kept)
    drawn = "".join(board(Words("en"), watched(game), game.names, ids=ids).parts)
    assert all(f'id="{tile}"' in drawn for tile in kept)


def test_after_an_undo_pieces_are_named_anew() -> None:
    game = veillee.nomads.Game(players=3, seed=4, quick=True)
    first = follow(None, watched(game), [])
    events = game.play(game.legal[0])
    ids = follow(first, watched(game), events)
    game.undo()
    assert follow(ids, watched(game), []) == first
