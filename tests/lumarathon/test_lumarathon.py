"""The Lumarathon, clause by clause."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import veillee
from veillee.cli.arguments import read_options
from veillee.engine.refusal import Refusal
from veillee.engine.variant import Variant
from veillee.lumarathon import CLAUSES, NAME, Marathon, carried


def played(players: int = 4, seed: int = 3, games: int = 2) -> Marathon:
    """A marathon by players who take any action, up to the end of so many games."""
    series = Marathon(players, seed)
    chance = Random(seed)
    while not series.over and not (games == 1 and len(series.games) == 2):
        series.play(chance.choice(series.legal))
    return series


@pytest.mark.parametrize("players", [3, 4, 5])
def test_lumarathon_players(players: int) -> None:
    """Three to five, and everybody keeps their seat."""
    series = Marathon(players, 1, names=["A", "B", "C", "D", "E"][:players])
    assert series.game.spec.name == "captain"
    chance = Random(0)
    while not series.over:
        series.play(chance.choice(series.legal))
    assert [game.spec.name for game in series.games] == ["captain", "nomads"]
    assert series.games[0].names == series.games[1].names


@pytest.mark.parametrize("players", [2, 6])
def test_lumarathon_players_no_others(players: int) -> None:
    with pytest.raises(Refusal) as refused:
        Marathon(players)
    assert refused.value.clause == "lumarathon.players"


def test_lumarathon_first_is_the_last_captain() -> None:
    for seed in range(5):
        first, second = played(seed=seed, games=1).games
        assert second.state.first == first.state.captain
        assert second.seat == first.state.captain


def test_lumarathon_coin_is_a_wild_of_the_winner() -> None:
    for seed in range(5):
        first, second = played(seed=seed, games=1).games
        wilds = [seat["tiles"].get("wild", 0) for seat in second.position["seats"]]
        assert wilds == [int(seat in first.winners) for seat in range(4)]


def test_lumarathon_coin_leaves_the_game_when_paid_and_costs_a_point_when_left() -> None:
    game = veillee.nomads.Game(players=3, seed=1, quick=True, first=0, coins=[1])
    assert game.scores == [0, -1, 0]
    position = game.position
    position["seats"][1]["tiles"] = {"wild": 1, "whale": 1}
    whale = next(space["tiles"] for space in position["spaces"] if "whale" in space["tiles"])
    whale.remove("whale")
    position |= {"turn": 1, "seat": 1}
    game = veillee.nomads.Game.from_position(position)
    game.play("write whale I wilds 1")
    assert game.position["gone"] == {"whale": 1, "wild": 1}


def test_lumarathon_sleepers_are_placed_by_the_last() -> None:
    for seed in range(6):
        first, second = played(seed=seed, games=1).games
        assert first.places[second.state.keeper] == max(first.places)


class Finished:
    """A game of Oh Captain! that ended as the test says."""

    def __init__(self, captain: int, places: list[int]) -> None:
        self.state: Any = SimpleNamespace(captain=captain, players=len(places))
        self.places = places


def test_lumarathon_sleepers_of_several_tied_for_last_the_furthest_from_the_first() -> None:
    assert carried(Finished(0, [1, 3, 2, 3]))["keeper"] == 3  # type: ignore[arg-type]
    assert carried(Finished(2, [1, 3, 2, 3]))["keeper"] == 1  # type: ignore[arg-type]
    assert carried(Finished(3, [1, 1, 4, 3]))["keeper"] == 2  # type: ignore[arg-type]


def test_lumarathon_coin_tied_winners_each_take_one() -> None:
    assert carried(Finished(3, [1, 1, 4, 3]))["coins"] == [0, 1]  # type: ignore[arg-type]


def test_lumarathon_lys_is_not_in_nomads() -> None:
    series = played(games=1)
    assert "lys" not in {action.text.split()[1] for action in series.legal}
    assert series.game.phase == "adventurer"


def test_lumarathon_standing_is_the_sum() -> None:
    series = played()
    first, second = series.games
    assert series.scores == [a + b for a, b in zip(first.scores, second.scores, strict=True)]
    best = max(series.scores)
    assert all(series.scores[seat] == best for seat in series.winners)


def test_lumarathon_standing_a_tie_goes_to_the_winner_of_nomads() -> None:
    series = played()
    one, two = Finished(0, [1, 2, 3]), Finished(0, [2, 1, 3])
    one.scores, two.scores = [20, 18, 5], [10, 12, 6]  # type: ignore[attr-defined]
    series.games = [one, two]  # type: ignore[list-item]
    assert series.scores == [30, 30, 11]
    assert series.places == [2, 1, 3]


def test_a_record_replays_and_is_refused_when_changed() -> None:
    series = played()
    record = json.loads(json.dumps(series.record()))
    again = Marathon.replay(record)
    assert again.game.states.tobytes() == series.game.states.tobytes()
    assert again.record() == record
    changes: list[dict[str, Any]] = [
        {"seed": "11" * 32},
        {"result": {"scores": [0] * 4, "places": [1] * 4}},
        {"games": record["games"][::-1]},
        {"games": []},
        {"options": {"chess": {}}},
        {"options": {"nomads": {"first": 1}}},
        {"format": "x"},
    ]
    for change in changes:
        with pytest.raises(Refusal):
            Marathon.replay(record | change)


def test_options_of_both_games_are_told_apart() -> None:
    """Both have an option `coins`: Oh Captain!'s can be chosen, Nomads' is decided by play."""
    options: dict[str, Any] = {"captain.coins": 20, "nomads.stacks": "about_equal"}
    series = Marathon(3, 1, **options)
    assert series.options == {"captain": {"coins": 20}, "nomads": {"stacks": "about_equal"}}
    position = series.game.position
    assert position["reserve"] + sum(seat["coins"] for seat in position["seats"]) == 20
    again = Marathon(3, 1, captain={"coins": 20}, nomads={"stacks": "about_equal"})
    assert again.game.states.tobytes() == series.game.states.tobytes()
    chance = Random(1)
    while not series.over:
        series.play(chance.choice(series.legal))
    assert series.game.position["options"]["stacks"] == "about_equal"
    assert Marathon.replay(series.record()).scores == series.scores


def test_each_game_may_have_a_variant() -> None:
    poor = Variant("captain", "Poor", {"coins": 20})
    short = Variant("nomads", "One Wild", {"wilds": 1})
    series = Marathon(3, 1, variants=[poor, short], nomads={"stacks": "about_equal"})
    chance = Random(1)
    while series.game.spec.name == "captain":
        early = series.record(reveal=True)
        series.play(chance.choice(series.legal))
    assert Marathon.replay(early).variants == {"captain": poor, "nomads": short}
    assert [game.variant for game in series.games] == [poor, short]
    assert series.game.position["options"]["wilds"] == 1
    record = series.record(reveal=True)
    assert [game["variant"]["name"] for game in record["games"]] == ["Poor", "One Wild"]
    assert Marathon.replay(record).record(reveal=True) == record


@pytest.mark.parametrize(
    ("variant", "why"),
    [
        (Variant("lumens", "Bright", {}), "Bright"),
        (Variant("captain", "Rich", {"coins": 30}), "already sets coins"),
        (Variant("nomads", "Mine", {"first": 1}), "already sets first"),
    ],
)
def test_a_variant_may_not_set_what_is_set_or_carried_over(variant: Variant, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        Marathon(3, 1, variants=[variant], captain={"coins": 20})


@pytest.mark.parametrize(
    "options",
    [
        {"coins": 20},
        {"captain.captain_cards": 1},
        {"nomads.coins": [0]},
        {"nomads": {"first": 1}},
        {"captain": 3},
        {"captain.coins": 500},
        {"nomads.quick": "yes"},
    ],
)
def test_an_option_that_is_none_of_them_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        Marathon(3, 1, **options)
    assert refused.value.code == "option"


def test_options_of_both_games_in_the_terminal() -> None:
    given = read_options(["captain.coins=20", "nomads.adventurers=deal"])
    assert Marathon(3, 1, **given).options == {
        "captain": {"coins": 20},
        "nomads": {"adventurers": "deal"},
    }


def test_one_games_seed_tells_nothing_of_the_others() -> None:
    series = Marathon(3, 8)
    first = series.game.seed
    assert first.hex != series.seed.hex
    assert series.record()["seed"] is None


def test_through_the_referee() -> None:
    from veillee.engine.referee import Referee

    referee = Referee(series={NAME: Marathon})

    def ask(**request: Any) -> Any:
        return json.loads(referee.answer(json.dumps(request)))

    options = {"captain.coins": 20, "nomads": {"quick": True}}
    assert ask(do="new", game=NAME, players=3, seed=4, options=options)["ok"]
    over, seen = False, set()
    chance = Random(2)
    while not over:
        actions = ask(do="legal")["actions"]
        answer = ask(do="act", n=chance.choice(actions)["n"])
        assert answer["ok"], answer
        seen.add(ask(do="position")["position"]["game"])
        over = answer["over"]
    assert seen == {"captain", "nomads"}
    record = ask(do="record")["record"]
    assert ask(do="verify", record=record)["verified"]
    assert ask(do="result")["winners"]
    assert not ask(do="new", game=NAME, players=3, options={"nomads": {"quick": 5}})["ok"]
    assert not ask(do="new", game=NAME, players=3, options={"x": {}})["ok"]


def test_every_clause_has_words_and_a_test() -> None:
    from veillee.engine.i18n import LANGUAGES, Words

    for clause in CLAUSES:
        assert any(name.startswith(f"test_{clause.replace('.', '_')}") for name in globals())
        for language in LANGUAGES:
            assert Words(language)(clause)


def test_the_score_sheets_of_both_games_sum_up_to_the_standing() -> None:
    series = played()
    sums = [sum(row.points for row in series.score_sheet(seat)) for seat in range(4)]
    assert sums == series.scores
