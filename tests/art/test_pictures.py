"""What every game's pictures keep: sound SVG, nothing inline, nothing told that is secret."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.art.scenes import DRAWN, EN, NAMES, Scene, played, scenes
from veillee.engine.drawing.picture import SIZES, Shape, standalone, stylesheet
from veillee.engine.drawing.svg import Canvas
from veillee.engine.game import game_class
from veillee.engine.i18n import LANGUAGES, Words

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 64_000
SMALLEST_TARGET = 24
"""In the tall layout a unit is a pixel of a phone 390 pixels wide."""
SMALLEST_TEXT = 13.45
"""So much that it is 11 pixels high where the tall layout is 320 pixels wide."""
BUTTONS_ONLY = {"wilds", "value"}
"""Fields that are chosen by button, or follow from the others."""
IN_GHOST = {"double", "skip", "direction"}
"""Fields whose spots a ghost shows: the directions at the pile, the steps of the way."""


@pytest.fixture(params=DRAWN, ids=lambda spec: spec.name)
def spec(request: pytest.FixtureRequest) -> Any:
    return request.param


def layers(scene: Scene, shape: Shape, words: Words = EN) -> list[str]:
    """All that is drawn of a position."""
    drawn = [scene.board(shape, words)]
    drawn += [scene.private(seat, shape, words) for seat in range(scene.game.players)]
    drawn += [scene.ghost(action, shape, words) for action in scene.game.legal[::9]]
    return drawn


@pytest.mark.parametrize("shape", SIZES)
def test_is_sound_and_nothing_is_inline(spec: Any, shape: Shape) -> None:
    width, height = SIZES[shape]
    for scene in scenes(spec):
        for drawn in layers(scene, shape):
            root = ET.fromstring(drawn)
            assert root.tag == f"{SVG}svg"
            assert root.get("viewBox") == f"0 0 {width} {height}"
            for element in root.iter():
                assert element.tag not in (f"{SVG}script", f"{SVG}style", f"{SVG}foreignObject")
                assert "style" not in element.attrib
                assert not any(name.startswith("on") for name in element.attrib)
                assert element.get("href", "#").startswith("#")
            assert "nan" not in drawn.lower().replace("nant", "")
            assert len(drawn.encode()) < LARGEST


@pytest.mark.parametrize("shape", SIZES)
def test_ids_are_unique_and_symbols_exist(spec: Any, shape: Shape) -> None:
    for scene in scenes(spec):
        for seat in range(scene.game.players):
            over = [scene.private(seat, shape)]
            over += [scene.ghost(action, shape) for action in scene.game.legal[:1]]
            together = "".join([scene.board(shape), *over])
            ids = Counter(re.findall(r' id="([^"]+)"', together))
            assert [name for name, n in ids.items() if n > 1] == []
            used = set(re.findall(r'href="#([^"]+)"', together))
            used |= set(re.findall(r"url\(#([^)]+)\)", together))
            assert used <= set(ids)


def test_names_are_escaped(spec: Any) -> None:
    players = max(spec.player_counts)
    scene = next(played(spec, players, 3))
    drawn = scene.board()
    assert "<b>" not in drawn
    assert "\u0000" not in drawn
    assert "&lt;b&gt;&amp;&#x27;&quot;" in drawn


@pytest.mark.parametrize("shape", SIZES)
def test_whatever_an_action_asks_for_can_be_pointed_at(spec: Any, shape: Shape) -> None:
    for scene in scenes(spec, every=3):
        if scene.game.over:
            continue
        game = scene.game
        shown = spots(scene.board(shape)) | spots(scene.private(game.seat, shape))
        for action in game.legal:
            data = game.spec.notation.describe(game.state, action)
            for field, value in data.items():
                if field in BUTTONS_ONLY or field == "do":
                    continue
                there = (
                    spots(scene.ghost(plain(scene, data), shape)) if field in IN_GHOST else shown
                )
                for one in value if isinstance(value, list) else [value]:
                    assert (field, str(one)) in there, (data, field)


def plain(scene: Scene, data: dict[str, Any]) -> int:
    """The same action without its power."""
    bare = {key: value for key, value in data.items() if key not in ("double", "skip")}
    game = scene.game
    return next(a for a in game.legal if game.spec.notation.describe(game.state, a) == bare)


def spots(drawn: str) -> set[tuple[str, str]]:
    """The fields and values that a picture offers."""
    return {
        (element.get("data-field", ""), element.get("data-value", ""))
        for element in ET.fromstring(drawn).iter()
        if element.get("data-field") is not None
    }


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("players", [3, 4])
def test_what_is_left_as_it_was_is_as_if_drawn_anew(spec: Any, shape: Shape, players: int) -> None:
    """On a canvas only what changed is drawn: after each decision all of it is right."""
    words = Words("es")
    for seed in range(3):
        game = game_class(spec)(players, seed, names=NAMES[:players])
        chance = Random(seed)
        canvas, ids, told = Canvas(), None, game.opening
        changes = 0
        while True:
            s = spec.twin(game.seen_by(*(range(players) if game.over else ())))
            ids = spec.picture.follow(ids, s, [event.seen_by(0) for event in told])
            before = [*canvas.parts]
            spec.picture.board(words, s, game.names, shape, None, ids, canvas)
            fresh = spec.picture.board(words, s, game.names, shape, None, ids).parts
            assert canvas.parts == fresh
            changes += len(canvas.changed)
            if before:
                now = [i for i, part in enumerate(fresh) if part != before[i]]
                assert canvas.changed == now
            if game.over:
                break
            told = game.play(chance.choice(game.legal))
        assert changes < len(fresh) * len(game.steps), "not all is drawn each time"


def test_a_private_layer_is_the_same_while_what_it_depends_on_is(spec: Any) -> None:
    """It is not drawn again then: a key that leaves something out would show an old hand."""
    if spec.private_keys is None:
        pytest.skip("the game draws every private layer after each decision")
    again = 0
    for seed in range(8):
        players = spec.player_counts[seed % len(spec.player_counts)]
        game = game_class(spec)(players, seed)
        chance, drawn = Random(seed), dict[Any, str]()
        while True:
            keys = spec.private_keys(game.state)
            assert len(keys) == players
            for seat, key in enumerate(keys):
                view = game.seen_by(*(range(players) if game.over else (seat,)))
                layer = spec.picture.private(Words("en"), spec.twin(view), seat, "wide")
                again += (seat, key) in drawn
                assert drawn.setdefault((seat, key), layer) == layer
            if game.over:
                break
            game.play(chance.choice(game.legal))
    assert again > 500


def test_every_spot_has_a_title_and_something_to_touch(spec: Any) -> None:
    for scene in scenes(spec, every=11):
        touched, all_ = set(), set()
        for element in ET.fromstring(scene.board()).iter():
            classes = element.get("class", "").split()
            if "spot" in classes:
                assert element.find(f"{SVG}title") is not None
                meant = element.get("data-field"), element.get("data-value")
                all_.add(meant)
                inside = (child.get("class", "") for child in element)
                if "halo" in classes or "halo" in inside:
                    touched.add(meant)
        assert touched == all_


def test_targets_on_a_phone_fit_a_finger(spec: Any) -> None:
    for scene in scenes(spec):
        for drawn in layers(scene, "tall"):
            for target in ET.fromstring(drawn).iterfind(f".//{SVG}rect[@class='halo']"):
                size = min(float(target.get("width", 0)), float(target.get("height", 0)))
                assert size >= SMALLEST_TARGET, ET.tostring(target)


def test_text_on_a_phone_can_be_read(spec: Any) -> None:
    for scene in scenes(spec, every=3):
        board = scene.board("tall")
        symbols = {one.get("id", ""): one for one in ET.fromstring(board).iter()}
        for drawn in layers(scene, "tall", Words("fr")):
            sizes = [*text_sizes(ET.fromstring(drawn), symbols)]
            assert all(size >= SMALLEST_TEXT for _, size in sizes), min(sizes, key=lambda s: s[1])


def text_sizes(
    element: Any, symbols: dict[str, Any], scale: float = 1
) -> Iterator[tuple[str, float]]:
    """Yield every text that is drawn, also by way of symbols, with the size of its letters."""
    found = re.search(r"scale\(([\d.]+)\)", element.get("transform", ""))
    scale *= float(found[1]) if found else 1
    if element.tag == f"{SVG}text":
        yield element.text, float(element.get("font-size")) * scale
    if element.tag == f"{SVG}use":
        symbol = symbols[element.get("href").removeprefix("#")]
        if symbol.tag == f"{SVG}symbol":
            _, _, width, _ = map(float, symbol.get("viewBox").split())
            scale *= float(element.get("width")) / width
        yield from text_sizes(symbol, symbols, scale)
    for child in element:
        if child.tag != f"{SVG}defs":
            yield from text_sizes(child, symbols, scale)


@pytest.mark.parametrize("shape", SIZES)
def test_pictures_tell_no_more_than_their_reader_may_know(spec: Any, shape: Shape) -> None:
    for i, scene in enumerate(scenes(spec, every=5)):
        game = scene.game
        if game.over:
            continue
        other = Scene(game.resample(seed=i), scene.ids)
        assert other.board(shape) == scene.board(shape)
        for seat in range(game.players):
            other = Scene(game.resample(seat, seed=i), scene.ids)
            assert other.private(seat, shape) == scene.private(seat, shape)
            assert other.board(shape) == scene.board(shape)
        other = Scene(game.resample(game.seat, seed=i), scene.ids)
        for action in game.legal[::5]:
            assert other.ghost(action, shape) == scene.ghost(action, shape)


def test_ids_can_be_followed_through_a_game(spec: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No event loses track of a piece: nothing is ever named anew."""
    pieces = sys.modules.get(f"{spec.package}.pieces")
    for players in spec.player_counts:
        with monkeypatch.context() as watch:
            for scene in played(spec, players, players):
                assert scene.draw.follow(scene.ids, scene.seen_by(), []) == scene.ids
                if pieces is not None:
                    watch.setattr(pieces, "named", lost)


def lost(s: Any) -> Any:
    raise AssertionError("the ids don't fit the position")


def test_pieces_say_where_they_are(spec: Any) -> None:
    for scene in islice(scenes(spec), 12):
        for element in ET.fromstring(scene.board()).iter():
            if "piece" in element.get("class", "").split():
                assert element.get("id")
                assert re.fullmatch(r"translate\(-?[\d.]+ -?[\d.]+\)", element.get("transform", ""))


def test_is_drawn_in_every_language(spec: Any) -> None:
    for language in LANGUAGES:
        for scene in scenes(spec, every=25):
            for drawn in layers(scene, "tall", Words(language)):
                ET.fromstring(drawn)


def test_stands_alone_with_its_stylesheet(spec: Any) -> None:
    scene = next(played(spec, min(spec.player_counts), 1))
    root = ET.fromstring(standalone(scene.board()))
    styles = root.findall(f"{SVG}style")
    assert len(styles) == 1
    assert "#2a1c10" in str(styles[0].text)
    game = game_class(spec)(players=min(spec.player_counts), seed=1)
    assert str(game._repr_svg_()).startswith("<svg")
    ET.fromstring(game.picture("fr", seat=0, shape="tall"))


def test_icon_is_square(spec: Any) -> None:
    root = ET.fromstring(spec.picture.icon())
    _, _, width, height = map(int, root.get("viewBox", "").split())
    assert width == height


def test_classes_are_those_of_the_stylesheet(spec: Any) -> None:
    known = set(re.findall(r"\.([a-z][\w-]*)", stylesheet()))
    hooks = {"spot", "piece", "disc", "card", "coin", "token", "kept", "board", spec.name}
    for scene in islice(scenes(spec), 6):
        for drawn in layers(scene, "wide"):
            for classes in re.findall(r' class="([^"]+)"', drawn):
                assert set(classes.split()) <= known | hooks, classes


def test_long_names_are_cut(spec: Any) -> None:
    scene = next(played(spec, max(spec.player_counts), 1))
    assert f">{NAMES[1]}<" not in scene.board(shape="tall")


def test_what_is_remembered_is_what_would_be_drawn(spec: Any) -> None:
    """A part drawn before, for another moment or another table, is the one that belongs here."""
    for seed in (1, 2):
        remembered = [scene.parts() for scene in scenes(spec, every=3, seed=seed)]
        for before, scene in zip(remembered, scenes(spec, every=3, seed=seed), strict=True):
            for drawing in vars(spec.picture).values():
                if hasattr(drawing, "cache_clear"):
                    drawing.cache_clear()
            assert before == scene.parts()


def test_a_document_hides_what_the_script_would_show(spec: Any) -> None:
    """Few programs beside browsers know `:not()`: what is for the viewer is hidden without it."""
    document = next(played(spec, max(spec.player_counts), 1)).game.picture(seat=1)
    assert ":not(.shown)" not in document
    assert "display: none" in document


def test_as_many_parts_at_every_moment(spec: Any) -> None:
    for shape in SIZES:
        for players in spec.player_counts:
            counts = {len(scene.parts(shape)) for scene in played(spec, players, 3)}
            assert len(counts) == 1
