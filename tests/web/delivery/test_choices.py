"""Choosing in stages: never too much at once, and every action can be reached."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from tests.games.lumens.scene import scene
from tests.games.nomads.scene import scene as camp
from tools import node
from veillee.engine.game import game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.registry import games
from veillee.web.delivery.choices import (
    MORE,
    MOST_AT_ONCE,
    Choice,
    Stage,
    choices,
    described,
    detail_of,
    label_of,
    labelled,
    questions,
    stage,
)
from veillee.web.templating import STATIC


def offers(spec: GameSpec, seeds: Sequence[int]) -> Iterator[list[Choice]]:
    """What is offered at each decision of some random games."""
    players = max(spec.player_counts)
    for seed in seeds:
        game = game_class(spec)(players, seed)
        chance = Random(seed)
        while not game.over:
            seen = spec.twin(game.seen_by(game.seat))
            yield choices(spec, Words("en"), seen, game.legal, game.names).read()
            game.play(chance.choice(game.legal))


def reached(all_: list[Choice], picked: tuple[tuple[str, str], ...] = ()) -> set[str]:
    """The actions to which some way of picking leads."""
    now = stage(all_, picked)
    if now.field is None:
        return {choice.action for choice in now.left[:1]}
    assert len(now.values) <= MOST_AT_ONCE
    found: set[str] = set()
    for value, _ in now.values:
        assert label_of(all_, now.field, value) or not value
        found |= reached(all_, (*now.picked, (now.field, value)))
    return found


@pytest.mark.parametrize("spec", games().values(), ids=games())
def test_every_action_can_be_reached_in_small_steps(spec: GameSpec) -> None:
    for all_ in offers(spec, [1, 2, 3]):
        assert reached(all_) == {choice.action for choice in all_}


def squares_of(all_: list[Choice]) -> set[str]:
    return {str(choice.parts["square"]) for choice in all_}


def test_many_squares_are_asked_by_column() -> None:
    wide = max(offers(games()["lumens"], range(30)), key=lambda all_: len(squares_of(all_)))
    squares = squares_of(wide)
    assert len(squares) > MOST_AT_ONCE
    first = stage(wide, [])
    assert first.field == "square"
    assert {value for value, _ in first.values} == {square[0] + MORE for square in squares}
    column = first.values[0][0]
    then = stage(wide, [("square", column)])
    assert {value for value, _ in then.values} == {s for s in squares if s[0] == column[0]}
    assert label_of(wide, "square", column) == column


def test_the_captain_leaves_a_card_to_its_finder_by_name() -> None:
    spec = games()["captain"]
    for names in (["Ada", "Ben", "Cleo"], ["Dora", "Emil", "Fay"]):
        game = game_class(spec)(3, seed=1, captain=0)
        while game.phase != "choice":
            game.play(game.legal[0])
        seen = spec.twin(game.seen_by(game.seat))
        offered = choices(spec, Words("en"), seen, game.legal, names).read()
        finder = names[game.state.turn]
        assert f"Let {finder} keep the card" in {choice.say for choice in offered}


def test_an_attack_names_the_player_and_moon_turns_cards_face_down() -> None:
    spec = games()["captain"]
    for language, attack, face_down in (
        ("en", "Attack Ben", "face down"),
        ("fr", "Attaquer Ben", "face cachée"),
        ("es", "Atacar a Ben", "boca abajo"),
    ):
        words = Words(language)
        assert face_down in labelled(spec, language, "do", "turn")
        state = game_class(spec)(3, seed=1).state
        target = described(spec, words, state, spec.notation.parse("target 1"), ["Ada", "Ben", "C"])
        assert (target.say, target.label["seat"]) == (attack, "Ben")


def test_a_card_is_named_by_what_it_is_worth() -> None:
    spec = games()["nomads"]
    game = camp("ulrich siana", holds={"ulrich": "storm storm storm wild"}, piles={1: "ulrich"})
    seen = spec.twin(game.seen_by(game.seat))
    offered = choices(spec, Words("es"), seen, game.legal, game.names).read()
    cards = {
        choice.parts["card"]: choice.label["card"] for choice in offered if "card" in choice.parts
    }
    assert cards == {"1": "Carta de valor 2", "2": "Carta de valor 3", "3": "Carta de valor 4"}


def test_a_square_tells_its_room_and_what_lies_there() -> None:
    spec = games()["lumens"]
    game = scene({"e5": ["yellow 1"], "f5": ["green 5"]}, hands=["1/6", "3/4"])
    seen = spec.twin(game.seen_by(0))
    offered = choices(spec, Words("en"), seen, game.legal, game.names).read()
    assert detail_of(offered, "square", "f5") == "Room K, covering green 5"
    assert detail_of(offered, "square", "d5") == "Passage"
    assert detail_of(offered, "square", f"f{MORE}") == ""


def test_a_card_is_called_by_its_value() -> None:
    spec = games()["nomads"]
    state = game_class(spec)(2, seed=1).state
    for action, field, called in (
        ("write whale II", "card", "Carte de valeur 3"),
        ("sing I whale stag cedar comet", "song", "Chanson de valeur 4"),
    ):
        number = spec.notation.parse(action)
        assert described(spec, Words("fr"), state, number, ["Ada", "Bo"]).label[field] == called


def test_an_answer_that_leaves_a_field_out_has_words() -> None:
    ask = questions(games()["nomads"], "en")
    assert ask["skip"] == "Skip a space? At which step?"
    assert ask["skip.none"] == "No, skip nothing"
    assert ask[".none"] == "No"


ASK = """
import { readFileSync } from "node:fs";
const { Chooser } = await import(process.argv[1]);
const chooser = new Chooser({}, { addEventListener() {} }, {}, {});
const answers = JSON.parse(readFileSync(0, "utf-8")).map(([all, picks]) => {
    Object.assign(chooser, { choices: { all }, picks });
    const next = chooser.next();
    return [next?.field ?? null, next?.values ?? [], chooser.left().map((one) => one.action)];
});
console.log(JSON.stringify(answers));
"""


def some_stages(spec: GameSpec, chance: Random) -> Iterator[tuple[list[Choice], Stage]]:
    """Stages on the way to random actions."""
    for all_ in offers(spec, [4, 5]):
        now = stage(all_, [])
        while now.field is not None:
            yield all_, now
            value = chance.choice(now.values)[0]
            now = stage(all_, [*now.picked, (now.field, value)])
        yield all_, now


@pytest.mark.parametrize("spec", games().values(), ids=games())
def test_the_script_asks_the_same(spec: GameSpec, tmp_path: Path) -> None:
    """The stages of `choose.js` are those of the page without script."""
    script = tmp_path / "choose.mjs"  # so that Node knows that it is a module
    shutil.copy(STATIC / "choose.js", script)
    stages = list(some_stages(spec, Random(1)))
    cases = msgspec.json.encode([(all_, now.picked) for all_, now in stages])
    answered = subprocess.run(
        [*node.get().node, "--input-type=module", "--eval", ASK, script.as_uri()],
        input=cases,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    for (_, now), (field, values, left) in zip(stages, json.loads(answered), strict=True):
        assert field == now.field
        assert values == [value for value, _ in now.values]
        if field is not None:
            assert left == [choice.action for choice in now.left]
