"""The catalogues: the same keys and places in every language, and words for all that is said."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

import veillee
from veillee.engine.game import Game, game_class
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import LANGUAGES, Words, catalogue, folders
from veillee.engine.options import Option, checked
from veillee.engine.refusal import Key, Refusal
from veillee.engine.registry import games
from veillee.engine.score_sheet import added

SOURCES = sorted(Path(str(veillee.__file__)).parent.rglob("*.py"))
FOLDERS = {part: folder for part, folder in folders().items() if folder.exists()}
SHARED = set(FOLDERS) - set(games())
IN_EVERY_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
OF_EVERY_PART = pytest.mark.parametrize("part", FOLDERS)
OF_EVERY_GAME = pytest.mark.parametrize("spec", games().values(), ids=list(games()))


# ---------------------------------------------------------------- the catalogues by themselves


def entries(part: str, language: str) -> list[Message]:
    with (FOLDERS[part] / f"{language}.po").open("rb") as file:
        return [message for message in read_po(file, locale=language) if message.id]


def key_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def texts_of(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def all_texts(language: str) -> Iterator[tuple[str, str]]:
    for part in FOLDERS:
        for message in entries(part, language):
            for text in texts_of(message):
                yield key_of(message), text


def places(message: Message) -> set[str]:
    """The names in braces; `n` may be left out where a form says the number in words."""
    found = {name for text in texts_of(message) for _, name, _, _ in Formatter().parse(text)}
    return {name for name in found if name is not None}


@OF_EVERY_PART
@IN_EVERY_LANGUAGE
def test_every_language_has_the_same_keys(part: str, language: str) -> None:
    here, there = ([key_of(m) for m in entries(part, name)] for name in (language, "en"))
    assert here == there
    assert all(key.startswith(f"{part}.") for key in here)


@OF_EVERY_PART
@IN_EVERY_LANGUAGE
def test_no_key_stands_twice(part: str, language: str) -> None:
    text = (FOLDERS[part] / f"{language}.po").read_text("utf-8")
    keys = re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)
    assert len(keys) == len(set(keys))


@OF_EVERY_PART
@IN_EVERY_LANGUAGE
def test_no_entry_is_empty_or_in_doubt(part: str, language: str) -> None:
    for message in entries(part, language):
        assert not message.fuzzy, key_of(message)
        assert all(text.strip() for text in texts_of(message)), key_of(message)
    assert len(catalogue(part, language)) == len(entries(part, language))


@OF_EVERY_PART
@IN_EVERY_LANGUAGE
def test_every_language_fills_the_same_places(part: str, language: str) -> None:
    for here, there in zip(entries(part, language), entries(part, "en"), strict=True):
        assert places(here) == places(there), key_of(here)
        assert isinstance(here.string, str) == isinstance(there.string, str), key_of(here)


@IN_EVERY_LANGUAGE
def test_apostrophes_and_quotes_are_those_of_print(language: str) -> None:
    for key, text in all_texts(language):
        assert not re.search(r"['\"]|\.\.\.", text), key


def test_french_puts_unbreakable_spaces_around_marks() -> None:
    for key, text in all_texts("fr"):
        assert not re.search(r" [:;!?»]|« ", text), f"plain space: {key}"
        assert not re.search(r"[^\u00a0\u202f][:;!?»]|«[^\u00a0\u202f]", text), f"no space: {key}"


def test_spanish_opens_what_it_closes() -> None:
    for key, text in all_texts("es"):
        rest = text.replace("Oh Captain!", "").replace("? (", "")  # a title, and a command
        assert rest.count("¿") == rest.count("?"), key
        assert rest.count("¡") == rest.count("!"), key


# ---------------------------------------------------------------- what the code asks for


SPEAKING = {"words", "_word", "Refusal", "Key", "_refusal"}
GAME_NAMES = {"game", "self.name", "cls.spec.name", "self.spec.name", "spec.name"}


def literal_keys(tree: ast.AST) -> Iterator[str]:
    """Texts that are keys: a game's anywhere, those of shared parts where they are spoken."""
    for node in ast.walk(tree):
        yield from keys_at(node, set(games()))
        for said in spoken(node):
            for part in ast.walk(said):
                yield from keys_at(part, SHARED)


def keys_at(node: ast.AST, parts: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        found = re.fullmatch(r"(\w+)(\.\w+)+", node.value)
        if found and found[1] in parts:
            yield node.value


def patterns(tree: ast.AST) -> Iterator[str]:
    """Keys that the code puts together, as patterns; a hole for the game's name is filled."""
    said = (part for node in ast.walk(tree) for found in spoken(node) for part in ast.walk(found))
    for node in said:
        if isinstance(node, ast.JoinedStr):
            texts = [
                re.escape(str(value.value))
                if isinstance(value, ast.Constant)
                else "GAME"
                if isinstance(value, ast.FormattedValue) and ast.unparse(value.value) in GAME_NAMES
                else r"[\w.]+"
                for value in node.values
            ]
            pattern = "".join(texts)
            if pattern.startswith(r"GAME\."):
                yield from (name + pattern.removeprefix("GAME") for name in games())
            elif re.match(r"(\w+)\\\.", pattern) and pattern.partition("\\")[0] in FOLDERS:
                yield pattern


def spoken(node: ast.AST) -> list[ast.expr]:
    """What a call that speaks is given, or what is set aside as its `key` or `text`."""
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("key", "text"):
        return [node.value]
    if not isinstance(node, ast.Call):
        return []
    function = node.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return [*node.args, *(k.value for k in node.keywords)] if name in SPEAKING else []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_what_the_code_says_has_words(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    for key in literal_keys(tree):
        if key not in modules:
            assert key in Words("en"), key
    for pattern in patterns(tree):
        part = pattern.partition("\\")[0]
        assert any(re.fullmatch(pattern, key) for key in catalogue(part, "en")), pattern


@OF_EVERY_GAME
def test_every_clause_has_words(spec: GameSpec) -> None:
    for key in spec.clauses:
        assert key in Words("en"), key


@OF_EVERY_GAME
def test_every_phase_and_option_has_words(spec: GameSpec) -> None:
    words = Words("en")
    for key in ("title", "players", "option", "position", "end"):
        assert f"{spec.name}.{key}" in words
    for phase in spec.phases:
        assert f"{spec.name}.phase.{phase}" in words, phase
        assert phase == "over" or f"{spec.name}.phase.{phase}.other" in words, phase
    for option in spec.options.OPTIONS:
        key = f"{spec.name}.option.{option.name}"
        assert key in words
        assert f"{key}.help" in words
        for choice in option.choices:
            assert not isinstance(choice, str) or f"{key}.{choice}" in words, choice


@OF_EVERY_GAME
def test_the_rules_are_told_in_short(spec: GameSpec) -> None:
    words = Words("en")
    numbers = [n for n in range(1, 30) if f"{spec.name}.summary.{n}" in words]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 3


NAMES = {
    "nomads.disc": "nomad ulrich moon red siana nostromo frog",
    "nomads.the": "nomad ulrich moon red siana nostromo frog",
    "nomads.short": "nomad ulrich moon red siana nostromo frog",
    "nomads.power": "ulrich moon red siana nostromo",
    "nomads.tile": "whale stag cedar comet storm ember shell wild moon",
    "nomads.one": "whale stag cedar comet storm ember shell wild moon",
    "nomads.legend": "whale stag cedar comet storm ember shell",
    "nomads.direction": "left right",
    "nomads.do": "adventurer place lys lift keep sow write sing pass double skip",
    "nomads.log": "camp adventurer place lys sow skip lift take lose write sing moons last pass",
}


@pytest.mark.parametrize(("family", "names"), NAMES.items(), ids=list(NAMES))
def test_every_name_of_nomads_has_words(family: str, names: str) -> None:
    for name in names.split():
        assert f"{family}.{name}" in Words("en")


@IN_EVERY_LANGUAGE
def test_discs_are_told_apart_by_their_letters(language: str) -> None:
    words = Words(language)
    letters = [words(f"nomads.short.{name}") for name in NAMES["nomads.short"].split()]
    assert len(set(letters)) == len(letters)
    assert all(1 <= len(letter) <= 2 for letter in letters)


# ---------------------------------------------------------------- what is said


def say_all(game: Game, language: str) -> None:
    """Play to the end by chance, saying all that could be done."""
    chance = random.Random(language)
    words = Words(language)
    while not game.over:
        assert words(f"{game.spec.name}.phase.{game.phase}")
        lines = [game.spec.text.say(words, game.state, action, game.names) for action in game.legal]
        assert all(lines)
        assert len(set(lines)) == len(lines), "two actions that read the same"
        game.play(chance.choice(game.legal))
    assert game.board(language)
    assert all(line.strip() for line in game.log(language))


@OF_EVERY_GAME
@IN_EVERY_LANGUAGE
def test_a_whole_game_can_be_told(spec: GameSpec, language: str) -> None:
    for players in (min(spec.player_counts), max(spec.player_counts)):
        say_all(game_class(spec)(players, seed=7), language)


@pytest.mark.parametrize("n", [-1, 0, 1])
def test_one_point_is_singular_as_each_language_counts(n: int) -> None:
    french, english = Words("fr")("nomads.points", n=n), Words("en")("nomads.points", n=n)
    number = str(n).replace("-", "−")
    assert french == f"{number} point"
    assert english == ("1 point" if n == 1 else f"{number} points")
    assert Words("es")("nomads.points", n=n) == f"{number} {'puntos' if n == 0 else 'punto'}"


@pytest.mark.parametrize(
    ("language", "names", "said"),
    [
        ("en", "Ida", "Ida"),
        ("en", "Ida Bo Eve", "Ida, Bo and Eve"),
        ("fr", "Ida Bo Eve", "Ida, Bo et Eve"),
        ("es", "Ida Bo Eve", "Ida, Bo y Eve"),
        ("es", "Bo Ida", "Bo e Ida"),
        ("es", "Bo Hilario", "Bo e Hilario"),
        ("es", "Bo Iago", "Bo y Iago"),
    ],
)
def test_names_are_listed_as_each_language_does(language: str, names: str, said: str) -> None:
    assert Words(language).listed(names.split()) == said


def test_numbers_are_written_as_each_language_does() -> None:
    english, french, spanish = map(Words, ("en", "fr", "es"))
    assert [w.decimal(-4.25, 1) for w in (english, french)] == ["−4.2", "−4,2"]
    assert [w.percent(0.5) for w in (english, spanish)] == ["50%", "50\N{NO-BREAK SPACE}%"]
    halves = [english.percent(share) for share in (0.125, 0.575, 0.285, -0.125, -0.004)]
    assert halves == ["13%", "58%", "29%", "−13%", "0%"]
    assert french.percent(0.03855, 2) == "3,86 %"
    assert english.whole(12_000) == "12,000"
    assert spanish.whole(12_000) == "12\N{NO-BREAK SPACE}000"
    assert spanish.whole(4_000) == "4000"
    assert [added(10, 8), added(-1, -8)] == ["10 + 8", "−1 − 8"]


def test_a_label_and_a_list_are_written_as_in_each_language() -> None:
    found = {language: Words(language) for language in LANGUAGES}
    labels = {language: words.labelled("Ada", 3) for language, words in found.items()}
    assert labels == {"en": "Ada: 3", "fr": "Ada\u00a0: 3", "es": "Ada: 3"}
    lists = {language: words.listed(["Ada", "Bo"]) for language, words in found.items()}
    assert lists == {"en": "Ada and Bo", "fr": "Ada et Bo", "es": "Ada y Bo"}


@OF_EVERY_GAME
def test_french_pictures_and_outlines_set_spaces_as_catalogues_do(spec: GameSpec) -> None:
    """What is put together in the code too: titles for a pointer, the board in words."""
    words, chance = Words("fr"), random.Random(1)
    game = game_class(spec)(max(spec.player_counts), seed=7)
    names = [f"N{seat}" for seat in range(game.players)]
    assert spec.picture
    assert spec.outline
    while not game.over:
        seat = game.seat
        seen = spec.twin(game.seen_by(seat))
        drawn = "".join(spec.picture.board(words, seen, names, "wide", seat).parts)
        told = re.findall(r"<(?:title|desc|text)[^>]*>([^<]*)<", drawn)
        for section in spec.outline(words, seen, names, seat):
            told += [section.title, *section.lines]
        for text in told:
            assert not re.search(r"[^\u00a0\u202f][:;!?»](?!\w)", text.strip("?")), text
        for _ in range(20):
            if not game.over:
                game.play(chance.choice(game.legal))


# ---------------------------------------------------------------- refusals


@OF_EVERY_GAME
@IN_EVERY_LANGUAGE
def test_a_wrong_option_is_answered_with_its_help(spec: GameSpec, language: str) -> None:
    words = Words(language)
    for option in spec.options.OPTIONS:
        with pytest.raises(Refusal) as refused:
            spec.template(min(spec.player_counts), {option.name: object})
        message = refused.value.message(words)
        assert words(f"{spec.name}.option.{option.name}.help") in message


@IN_EVERY_LANGUAGE
def test_a_fact_that_is_a_refusal_is_told_in_the_same_language(language: str) -> None:
    words = Words(language)
    inner = Refusal("illegal", "veillee.undo")
    outer = Refusal(
        "illegal", "veillee.undo", "veillee.record.entry", entry=3, what="undo", why=inner
    )
    assert outer.message(words).startswith("veillee.undo: ")
    assert outer.message(words).endswith(words("veillee.undo"))


def test_a_fact_may_be_called_as_a_parameter_is() -> None:
    help_text = Key("nomads.option.quick.help")
    refusal = Refusal(
        "option", "nomads.option", "veillee.option.wrong", name="quick", value=3, key=help_text
    )
    assert refusal.why(Words("en")).startswith("quick: 3 is not possible. Everything")


@OF_EVERY_GAME
@IN_EVERY_LANGUAGE
def test_what_is_no_action_is_answered(spec: GameSpec, language: str) -> None:
    game = game_class(spec)(min(spec.player_counts), seed=1)
    words = Words(language)
    for action in ("dance 3 {times}", -1, spec.actions, True):
        with pytest.raises(Refusal) as refused:
            game.play(action)
        assert refused.value.message(words)
    with pytest.raises(Refusal) as refused:
        game.undo()
    assert refused.value.message(words)


@OF_EVERY_GAME
@IN_EVERY_LANGUAGE
def test_what_is_no_record_and_no_position_is_answered(spec: GameSpec, language: str) -> None:
    words, kind = Words(language), game_class(spec)
    record = kind(min(spec.player_counts), seed=1).record(reveal=True)
    for wrong in (
        {},
        record | {"game": "chess"},
        record | {"entries": None},
        record | {"entries": [3]},
        record | {"entries": ["undo"]},
        record | {"commitment": "0"},
    ):
        with pytest.raises(Refusal) as refused:
            kind.replay(wrong)
        assert refused.value.message(words)
    position = kind(min(spec.player_counts), seed=1).position
    spoilt_positions: list[Any] = [[], {"seats": []}, position | {"moonlight": 1}]
    for spoilt in [*spoilt_positions, position | {"phase": 7}]:
        with pytest.raises(Refusal) as refused:
            kind.from_position(spoilt)
        assert refused.value.message(words)


def test_an_option_that_nobody_knows_is_answered_with_those_there_are() -> None:
    options = [Option("quick", False, lambda value, _: isinstance(value, bool))]
    with pytest.raises(Refusal) as refused:
        checked("nomads", options, 2, {"slow": True})
    assert str(refused.value) == "nomads.option: This game has no option “slow”. It has: quick."


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="there are en, fr, es"):
        Words("de")
    with pytest.raises(KeyError, match=r"no words for .*dance.* in fr"):
        Words("fr")("nomads.dance")
