"""What the pictures show of the moment: Oh Captain!'s stage, and the previews of Nomads."""

from __future__ import annotations

import random
import re

import pytest

from tests.art.scenes import EN
from tests.games.nomads.scene import scene
from veillee.engine.drawing.picture import SIZES, Shape
from veillee.engine.drawing.svg import wrap
from veillee.engine.game import Game, game_class
from veillee.engine.i18n import LANGUAGES, Words
from veillee.engine.registry import games
from veillee.games.captain.picture.layout import LAYOUTS, heap_place
from veillee.games.captain.picture.seats import draw_who
from veillee.games.nomads.picture.layout import LAYOUTS as NOMADS_LAYOUTS
from veillee.games.nomads.picture.layout import around

CAPTAIN, NOMADS = games()["captain"], games()["nomads"]


def drawn(game: Game, shape: Shape = "wide") -> str:
    assert game.spec.picture is not None
    view = game.spec.twin(game.seen_by())
    return "".join(game.spec.picture.board(EN, view, game.names, shape).parts)


def accused(honest: bool) -> Game:
    """A game in which somebody has just been accused, rightly or not."""
    chance = random.Random(4)
    for seed in range(60):
        game = game_class(CAPTAIN)(4, seed=seed)
        while not game.over:
            events = game.play(chance.choice(game.legal))
            for event in events:
                if event.name == "accuse" and bool(event.values["honest"]) == honest:
                    return game
    raise AssertionError


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("honest", [True, False])
def test_after_an_accusation_the_stage_says_true_or_lie(honest: bool, shape: Shape) -> None:
    picture = drawn(accused(honest), shape)
    assert ("True!" in picture) == honest
    assert ("A lie!" in picture) != honest
    assert " attacks " in picture


def test_the_stage_speaks_to_the_viewer() -> None:
    game = game_class(CAPTAIN)(4, seed=1, names=["Ada", "Ben", "Cleo", "Dan"], captain=3)

    def heard(viewer: int | None) -> str:
        assert CAPTAIN.picture is not None
        view = CAPTAIN.twin(game.seen_by())
        board = CAPTAIN.picture.board(EN, view, game.names, "wide", viewer)
        return " ".join(re.findall("<title>([^<]+)</title>", "".join(board.parts)))

    while game.phase != "announce":
        game.play(game.legal[0])
    finder = game.seat
    assert f"{game.names[finder]} has found something" in heard(None)
    assert "You have found something" in heard(finder)
    game.play("announce lantern")
    assert "You to the Captain: “I found a Lantern!”" in heard(finder)
    game.play("leave")
    target = next(action for action in game.legal if action.text.startswith("target"))
    other = int(target.text.split()[1])
    game.play(target)
    attacker, attacked = game.names[finder], game.names[other]
    assert f"{attacker} attacks {attacked} with a Lantern" in heard(None)
    assert f"{attacker} attacks you with a Lantern" in heard(other)
    assert f"You attack {attacked} with a Lantern" in heard(finder)


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_phones_the_stamp_does_not_cover_what_was_said(language: str) -> None:
    game = accused(honest=False)
    assert CAPTAIN.picture is not None
    view, names = game.spec.twin(game.seen_by()), ["Élodie", "Basile", "Tancrède", "Céleste"]
    picture = "".join(CAPTAIN.picture.board(Words(language), view, names, "tall").parts)
    before, stamp = picture.split('id="stamp-', 1)
    found = re.search(r'translate\(([\d.]+)[ ,].*?<rect [^>]*x="-([\d.]+)"', stamp)
    assert found
    left = float(found[1]) - float(found[2])
    headline = r'<text class="t-b" x="([\d.]+)" y="[\d.]+" font-size="([\d.]+)">([^<]+)'
    told = re.findall(headline, before)
    assert told
    for x, size, line in told:
        assert wrap(line, left - float(x), float(size), 1) == [line], line


@pytest.mark.parametrize("shape", SIZES)
def test_the_cards_that_nobody_shows_are_counted(shape: Shape) -> None:
    game = accused(honest=True)
    up = game.state.up.tolist()[: game.players]
    for card, total in enumerate(game.state.total.tolist()):
        hidden = total - sum(loot[card] for loot in up)
        assert f">{hidden}/{total}<" in drawn(game, shape)
    assert any(map(any, up))


def test_both_outcomes_of_an_accusation_are_told() -> None:
    chance = random.Random(1)
    for seed in range(40):
        game = game_class(CAPTAIN)(3, seed=seed)
        while not game.over:
            told = {
                action: CAPTAIN.outcomes(EN, game.state, action, game.names)  # type: ignore[misc]
                for action in map(game.number, (one.text for one in game.legal))
            }
            if game.phase == "answer":
                accept, accuse = told.values()
                assert len(accept) == 1
                assert accuse[0].startswith("If it is a lie")
                assert accuse[1].startswith("If it is true")
                return
            game.play(chance.choice(game.legal))
    raise AssertionError


@pytest.mark.parametrize("shape", SIZES)
def test_a_sowing_shows_both_directions_at_the_pile_and_who_gets_what(shape: Shape) -> None:
    chance = random.Random(7)
    gains = 0
    for seed in range(6):
        game = game_class(NOMADS)(3, seed=seed)
        while not game.over and len(game.steps) < 60:
            for action in game.legal:
                if not action.text.startswith("sow"):
                    continue
                assert NOMADS.picture is not None
                number = game.number(action.text)
                ghost = NOMADS.picture.ghost(EN, game.state, number, shape, game.seat)
                found = re.findall(r'data-field="direction" data-value="(\w+)"', ghost)
                assert found == ["left", "right"]
                gains += ">+1<" in ghost
            game.play(chance.choice(game.legal))
    assert gains > 10


@pytest.mark.parametrize("spec", [spec for spec in games().values() if spec.outline])
def test_the_outline_tells_what_the_seat_may_know_and_no_more(spec: object) -> None:
    """Resample what a seat may not know: its outline is the same."""
    chance = random.Random(3)
    for seed in range(3):
        game = game_class(spec)(3, seed=seed)  # type: ignore[arg-type]
        while not game.over:
            game.play(chance.choice(game.legal))
            if len(game.steps) % 7 or game.over:
                continue
            for seat in (None, 0, 1):
                known = () if seat is None else (seat,)
                other = game.resample(*known, seed=seed + 5)
                texts = [
                    game.spec.outline(EN, one.spec.twin(one.seen_by(*known)), one.names, seat)  # type: ignore[misc]
                    for one in (game, other)
                ]
                assert texts[0] == texts[1]
                assert all(section.lines for section in texts[0])


def test_the_outline_of_a_small_board_names_only_its_rooms() -> None:
    lumens = games()["lumens"]
    assert lumens.outline is not None
    game = game_class(lumens)(2, seed=1)
    rooms, *_ = lumens.outline(EN, lumens.twin(game.seen_by()), game.names, None)
    assert [line.split(" (")[0] for line in rooms.lines] == [f"Room {room}" for room in "ABCDEFGHK"]


def test_the_outline_counts_tiles_in_the_plural() -> None:
    assert NOMADS.outline is not None
    game = scene("ulrich siana", holds={"ulrich": "storm storm whale"}, piles={1: "ulrich"})
    sections = NOMADS.outline(EN, NOMADS.twin(game.seen_by()), game.names, 0)
    assert "Tiles: 1 Whale, 2 Storms" in [line for section in sections for line in section.lines]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("shape", ["wide", "square"])
def test_no_card_covers_the_record_of_lies_and_truths(players: int, shape: Shape) -> None:
    lay = LAYOUTS[shape]
    for seat in range(players):
        panel = draw_who("en", shape, False, players, seat, "Anselme", 1, False, 3, (2, 1))
        found = re.search(r'y="([\d.]+)"[^>]*>2 lies, 1 truth<', panel)
        assert found
        assert float(found[1]) + lay.small * 0.25 <= heap_place(shape, players, seat, 0)[1]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("shape", ["wide", "square"])
def test_the_bottle_does_not_cover_the_record(players: int, shape: Shape) -> None:
    """In Spanish the record is so long that it reaches below the Bottle."""
    small = LAYOUTS[shape].small
    for seat in range(players):
        panel = draw_who("es", shape, False, players, seat, "Anselme", 1, True, 3, (10, 11))
        record = re.search(r'y="([\d.]+)"[^>]*>10 mentiras, 11 verdades<', panel)
        bottle = re.search(r'id="bottle" transform="translate\(\S+ ([\d.]+)\)', panel)
        height = re.search(r'"#captain-bottle"[^>]*height="([\d.]+)"', panel)
        assert record
        assert bottle
        assert height
        assert float(bottle[1]) + float(height[1]) <= float(record[1]) - small * 0.75


@pytest.mark.parametrize("shape", SIZES)
def test_adventurers_to_choose_from_hide_no_space(shape: Shape) -> None:
    game = game_class(NOMADS)(5, seed=1)
    picture = drawn(game, shape)
    spots = re.findall(r'data-field="adventurer".*?<rect class="halo" ([^>]*)/>', picture)
    assert len(spots) == 5
    lowest = max(
        sum(float(value) for value in re.findall(r'\b(?:y|height)="([\d.]+)"', spot))
        for spot in spots
    )
    for space, (_, foot, _, middle) in enumerate(around(shape, 8)):
        tall = NOMADS_LAYOUTS[shape].tile / 2 + 7 * NOMADS_LAYOUTS[shape].edge
        assert lowest < foot, space
        assert lowest < middle - tall, space
