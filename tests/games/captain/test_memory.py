"""captain.know.memory: what seats remember, in scenes small enough to work out by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.games.captain.scene import asked, down, play, rich, scene
from tests.games.captain.worlds import TANGLED, is_set_up, lies, played, read_as, story
from veillee.engine.seed import fast_row
from veillee.games.captain import SPEC, Game

MANY = 600
SAMPLES = 500


def places(game: Game, seat: int, n: int = MANY) -> Counter[tuple[str, ...]]:
    """What lies face down with each seat, and in the discard, in games resampled for a seat."""
    found: Counter[tuple[str, ...]] = Counter()
    rng = fast_row(7).data
    for _ in range(n):
        states = game.states.copy()
        SPEC.plain.resample(SPEC.twin(states), 1 << seat, rng)
        s = SPEC.twin(states)
        loot, discard = lies(s)
        found[tuple(spelt(place) for place in (*loot, discard))] += 1
    return found


def spelt(place: tuple[int, ...]) -> str:
    kinds = ("lantern3", "lantern2", "egg", "hook", "lizard", "pistol", "purse")
    return " ".join(kind for kind, n in zip(kinds, place, strict=True) for _ in range(n))


def share(found: Counter[tuple[str, ...]], place: int, card: str) -> float:
    return sum(n for loot, n in found.items() if card in loot[place].split()) / found.total()


def test_captain_know_memory_starting_purses_are_known() -> None:
    game = Game(3, 1, captain=0, adventurers=["lys", "moon", "red"])
    for loot in places(game, 1, 20):
        assert loot[:3] == ("", "purse", "purse")


def test_captain_know_memory_a_card_that_moved_is_followed_by_its_chances() -> None:
    """Seat 3 knows the Lizard to be among three cards of seat 2. One of them is shot, a card that
    nobody else knows is added, and seat 1 takes one of the three: 1/3, 2/9 and 4/9."""
    few = {"lantern 3": 3, "lantern 2": 4, "egg": 7, "hook": 5, "lizard": 1, "pistol": 5}
    game = scene(
        "lys nostromo moon ulrich",
        turn=2,
        card="egg",
        coins={0: 9},
        down={1: "", 2: "pistol", 3: "lizard"},
        cave="egg egg egg egg egg",
        options={"cards": few, "six": True},
    )
    play(game, "announce hook", "leave", "accept")
    assert down(game, 2) == "egg lizard pistol"
    play(game, "announce pistol", "leave", "accept")
    play(game, "announce lizard", "leave", "target 2", "accept")
    play(game, "announce lizard", "leave", "target 3", "accept")
    play(game, "announce lizard", "leave", "target 1", "accept")
    play(game, "announce hook", "leave", "target 2", "accept")
    found = places(game, 3, 3000)
    assert abs(share(found, 4, "lizard") - 1 / 3) < 0.04
    assert abs(share(found, 1, "lizard") - 2 / 9) < 0.04
    assert abs(share(found, 2, "lizard") - 4 / 9) < 0.04


def test_captain_know_memory_a_stolen_card_stays_known_to_who_lost_it() -> None:
    game = scene("lys nostromo red moon", card="egg", down={2: "lizard", 3: ""})
    play(game, "announce hook", "leave", "accept")
    for seat, sure in ((2, True), (1, True), (0, False), (3, False)):
        found = places(game, seat, 80)
        assert (share(found, 1, "lizard") == 1.0) == sure


def test_captain_know_memory_an_old_captain_remembers_the_discard() -> None:
    game = rich("lys red moon", discard="lizard egg egg")
    play(game, "mutiny")
    for seat, sure in ((0, True), (1, True), (2, False)):
        found = places(game, seat, 60)
        assert ({loot[3] for loot in found} == {"egg egg lizard"}) == sure


def test_captain_know_memory_what_nostromo_took_is_as_likely_as_any() -> None:
    game = rich("lys nostromo moon", discard="lizard egg egg")
    play(game, "mutiny", "fish lizard")
    found = places(game, 0)
    assert {loot[1] for loot in found} == {"lizard purse", "egg purse"}
    assert abs(share(found, 1, "lizard") - 1 / 3) < 0.08
    assert {loot[1] for loot in places(game, 1, 20)} == {"lizard purse"}


def test_captain_know_memory_who_comes_after_nostromo_sees_what_he_left() -> None:
    game = rich("lys nostromo moon red", coins={0: 1, 1: 2, 2: 4}, discard="lizard egg egg")
    play(game, "mutiny", "fish egg", "mutiny")
    assert asked(game) == (3, "announce")
    assert game.view(2)["now"]["discard"] == {"egg": 1, "lizard": 1}
    assert game.view(2)["now"]["took"] is None
    assert game.view(0)["now"]["discard"] is None
    assert game.view(1)["now"]["discard"] == {"egg": 2, "lizard": 1}
    assert {loot[4] for loot in places(game, 2, 40)} == {"egg lizard"}
    assert {loot[1] for loot in places(game, 0, 40)} == {"lizard purse", "egg purse"}
    both = game.spec.twin(game.seen_by(0, 2))
    assert game.spec.position.write(both)["now"]["discard"] == {"egg": 1, "lizard": 1}
    dealt = game.resample(0, 2, seed=1)
    assert down(dealt, 1) == "egg purse", "the old and the new Captain together know what he took"


@pytest.mark.parametrize("card", ["lantern 3", "lantern 2", "egg", "hook", "lizard", "pistol"])
def test_captain_know_memory_whatever_nostromo_took_is_missing_for_who_comes_after(
    card: str,
) -> None:
    short = card.replace(" ", "")
    game = rich(
        "lys nostromo moon red",
        coins={0: 1, 1: 2, 2: 4},
        discard=f"{short} {short} lantern2 pistol",
    )
    full = game.position["discard"]
    left = {kind: n - (kind == card) for kind, n in full.items()}
    play(game, "mutiny", f"fish {card}", "mutiny")
    seen = [game.view(seat)["now"]["discard"] for seat in range(4)]
    assert seen == [None, full, left, None]
    both = game.spec.position.write(game.spec.twin(game.seen_by(1, 2)))
    assert (both["now"]["discard"], both["now"]["took"]) == (full, card)
    for loot in places(game, 1, 10):
        assert Counter(loot[1].split()) == {short: 1, "purse": 1}


def test_captain_know_memory_who_was_captain_before_nostromo_does_not_see_what_he_took() -> None:
    game = rich("lys red nostromo moon", coins={0: 1, 1: 2, 2: 4}, discard="lizard egg egg")
    play(game, "mutiny", "mutiny", "fish egg")
    seen = [game.view(seat)["now"] for seat in range(4)]
    assert [now["took"] for now in seen] == [None, None, "egg", None]
    full = {"egg": 2, "lizard": 1}
    assert [now["discard"] for now in seen] == [None, full, full, None]
    assert {loot[2] for loot in places(game, 1, 40)} == {"egg purse", "lizard purse"}


def test_captain_know_memory_where_nostromo_took_nothing_each_captain_saw_the_same() -> None:
    game = rich("lys nostromo moon red", coins={0: 1, 1: 2, 2: 4}, discard="lizard egg egg")
    play(game, "mutiny", "pass", "mutiny")
    full = {"egg": 2, "lizard": 1}
    seen = [game.view(seat)["now"]["discard"] for seat in range(4)]
    assert seen == [None, full, full, None]
    assert {loot[4] for loot in places(game, 2, 30)} == {"egg egg lizard"}
    assert {loot[1] for loot in places(game, 2, 30)} == {"purse"}


def test_captain_know_memory_siana_gives_no_egg() -> None:
    game = scene("lys red siana moon", card="lizard", down={2: "hook egg", 3: "", 1: ""})
    play(game, "announce pistol", "leave", "accept", "give hidden hook")
    shot = {loot[4] for loot in places(game, 1, 200)}
    assert "hook" in shot
    assert "egg" not in shot
    assert "egg" in {loot[2] for loot in places(game, 1, 200)}


def test_captain_know_memory_nothing_but_eggs_is_learnt_by_all() -> None:
    game = scene("lys red siana moon", card="lizard", down={2: "egg egg", 3: "", 1: ""})
    play(game, "announce pistol", "leave", "accept")
    for loot in places(game, 1, 20):
        assert (loot[2], loot[4]) == ("egg", "egg")


def test_captain_know_memory_nothing_but_eggs_is_known_while_the_attacker_chooses() -> None:
    game = scene("lys red siana moon", card="egg", up={2: "egg"}, down={2: "egg egg"})
    play(game, "announce pistol", "leave", "target 2", "accept")
    assert asked(game) == (1, "card")
    for loot in places(game, 1, 20):
        assert loot[2] == "egg egg"


def test_captain_know_memory_a_card_that_the_captain_took_lies_with_the_captain() -> None:
    game = scene("lys red moon nostromo", card="hook", down={2: "lizard egg"})
    play(game, "announce hook", "buy", "target 2")
    for loot in places(game, 3, 20):
        assert [len(cards.split()) for cards in loot] == [1, 1, 1, 1, 0]


def test_captain_know_memory_what_moon_turned_down_stays_known() -> None:
    game = scene(card="egg", up={1: "lizard"}, down={1: "", 2: ""})
    play(game, "announce pistol", "leave", "turn lizard")
    assert share(places(game, 2, 40), 1, "lizard") == 1.0
    game = scene(card="egg", up={2: "lizard"}, down={2: "", 1: ""})
    play(game, "announce pistol", "leave", "accept")
    assert share(places(game, 1, 40), 3, "lizard") == 1.0


def test_captain_know_memory_plain_rules_deal_as_likely_as_it_is() -> None:
    """The exact chances of every world, against the rules as Python runs them."""
    total, freedom, checked = 0.0, 0, 0
    for players, seed in ((3, 1), (3, 5), (4, 2), (5, 0), (4, 9), (3, 12)):
        for number, (game, events) in enumerate(played(players, seed, **TANGLED)):
            if not is_set_up(game) or ((number + seed) % 9 and not game.over):
                continue
            seats = (1 << number % players) | (number % 4 == 0)
            tables = read_as(game, events, seats).tables
            if not 1 < len(tables) < 400:
                continue
            weight = float(sum(tables.values()))
            found: Counter[tuple[int, ...]] = Counter()
            rng = fast_row(number, seed).data
            for _ in range(SAMPLES):
                states = game.states.copy()
                SPEC.plain.resample(SPEC.twin(states), seats, rng)
                found[story(SPEC.twin(states))] += 1
            assert set(found) <= {table.told for table in tables}
            for table, chance in tables.items():
                expected = float(chance) / weight * SAMPLES
                if expected >= 5:
                    total += (found[table.told] - expected) ** 2 / expected
                    freedom += 1
            checked += 1
    assert checked >= 12
    assert freedom > 30
    assert abs(total - freedom) < 4 * (2 * freedom) ** 0.5


def test_nobody_need_listen() -> None:
    states = SPEC.template(3, {"adventurers": ["lys", "nostromo", "moon"]})
    scratch: Any = [0] * SPEC.actions
    rng: Any = fast_row(3).data
    s = SPEC.twin(states)
    SPEC.plain.setup(s, rng, scratch, None)
    decisions = SPEC.plain.playout(s, rng, scratch)
    assert decisions > 20
    assert s.seat == -1
