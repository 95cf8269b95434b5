"""Studies: what is counted, what is found, and what the report says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from typer.testing import CliRunner

from veillee.cli.lab import app
from veillee.engine.batch import playouts
from veillee.engine.game_spec import GameSpec
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.engine.registry import games
from veillee.engine.variant import Variant
from veillee.lab.executor import workers
from veillee.lab.findings import Estimate, Finding, Question, findings, holm, level_name, rows
from veillee.lab.gather import Batch, BotGame, Setting, Tally, gather, kinds
from veillee.lab.jit import study as kernel
from veillee.lab.results import merge, read
from veillee.lab.study import Cell, Plan, Study, printed, read_levels, read_players, study
from veillee.lab.study_report import Report

SVG = "{http://www.w3.org/2000/svg}"
OF_EVERY_GAME = pytest.mark.parametrize("spec", games().values(), ids=list(games()))


def setting(spec: GameSpec, level: str = "random", players: int = 3) -> Setting:
    return Setting(spec.name, players, level, seed=5, options={}, variant="")


def run(plan: Plan, file: Path | None = None) -> Study:
    with workers(1) as pool:
        return study(plan, file=file, pool=pool)


@OF_EVERY_GAME
def test_random_games_are_those_of_the_playouts(spec: GameSpec) -> None:
    """The same seeds give the same scores, so the study's speed can be held against theirs."""
    tally = Tally.of(gather(setting(spec), 0, 300))
    played = playouts(spec, 3, 300, 5)
    assert tally.games == 300
    assert tally.moments["length"][0, 1] == played.decisions
    assert tally.moments["scores"][:, 1].sum() == played.scores.sum()
    winners = (played.places == 1).sum(1)
    assert tally.moments["tie"][0, 1] == (winners > 1).sum()
    assert tally.moments["seats"][:, 1].sum() == 300 * 60


@OF_EVERY_GAME
def test_every_decision_is_a_use_of_some_kind(spec: GameSpec) -> None:
    tally = Tally.of(gather(setting(spec), 0, 200))
    assert tally.moments["use"][:, 1].sum() == tally.moments["length"][0, 1]
    both = tally.moments["with"] + tally.moments["without"]
    assert (both == both[0]).all()
    assert both[0].tolist()[:2] == [600, 200 * 60]
    assert len(kinds(spec)[0]) < 60


def test_roles_share_all_wins() -> None:
    tally = Tally.of(gather(setting(games()["nomads"]), 0, 200))
    assert tally.moments["roles"][:, 0].sum() == 600
    assert tally.moments["roles"][:, 1].sum() == 200 * 60


@OF_EVERY_GAME
def test_chunks_add_up_to_the_whole(spec: GameSpec) -> None:
    whole = Tally.of(gather(setting(spec), 0, 128))
    parts = Tally({}, {})
    for first in (64, 0):
        parts.add(Tally.of(gather(setting(spec), first, 64)))
    assert json.dumps(parts.data()) == json.dumps(whole.data())


@pytest.mark.parametrize("level", ["greedy", "random+greedy"])
def test_bots_are_counted_in_the_same_way(level: str) -> None:
    spec = games()["lumens"]
    tally = Tally.of(gather(setting(spec, level, players=2), 0, 4))
    assert tally.games == 4
    assert tally.moments["use"][:, 1].sum() == tally.moments["length"][0, 1]
    assert tally.moments["lead changes"][0, 0] == 4


@OF_EVERY_GAME
def test_compiled_bots_play_as_bots_do(spec: GameSpec) -> None:
    """Games of one level are played without Python: with the choices of `Bot`, to the last one."""
    batch = Batch(setting(spec, "teller", players=max(spec.player_counts)), 2)
    batch.play(7, 2)
    for i, number in enumerate((7, 8)):
        game = BotGame(batch.setting, number)
        decisions = 0
        while not game.over:
            game.apply(game.decide()[1])
            decisions += 1
        assert batch.facts[i, kernel.DECISIONS] == decisions
        assert batch.ends[i].tobytes() == game.state[0].tobytes()


def test_estimates_come_from_sums() -> None:
    values = np.array([1.0, 2.0, 4.0, 5.0])
    estimate = Estimate.of([4, values.sum(), (values**2).sum()])
    assert (estimate.mean, estimate.variance) == (3, 2.5)
    assert estimate.error == pytest.approx((2.5 / 4) ** 0.5)


def test_p_values_are_corrected_for_their_number() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_few_games_are_no_alarm() -> None:
    """Four wins of forty where ten are fair: the variance of a fair share counts, not that of 4."""
    wins = Estimate.of([40, 4 * 60, 4 * 3600], 60)
    question = Question("nomads", Cell("mine", 4, "teller"), "seats", "first", wins, 0.25, "fair")
    assert 0.02 < question.p < 0.05


def test_the_first_player_who_has_more_is_found_and_named() -> None:
    """A Captain who begins with fifteen coins more: the report says who wins too often."""
    rich = Variant("captain", "rich captain", {"captain_coins": 20})
    found = run(Plan("captain", (rich, printed("captain")), (4,), ("random",), 4000, 1))
    sentences = [f.sentence(Words("en")) for f in findings(found) if f.notable]
    named = [s for s in sentences if s.startswith("The first player wins")]
    assert len(named) == 2
    assert "more often than fair with four players (random): compensate the others." in named[0]
    assert "more often than in the printed game" in named[1]


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_a_doubled_power_is_found_and_named(language: str) -> None:
    """Ulrich gets four coins instead of two: the report names him first, and calls for less."""
    strong = Variant("captain", "strong Ulrich", {"ulrich_coins": 4})
    plan = Plan("captain", (strong, printed("captain")), (5,), ("random",), 20_000, 1)
    first, *others = Report(run(plan), language).sentences("random")
    found = {
        "en": r"Ulrich wins \d+\.\d points more often than in the printed game with",
        "fr": r"Ulrich gagne plus souvent que dans le jeu imprimé à .*: \+\d+,\d points",
        "es": r"Ulrich gana más a menudo que en el juego original con .*: \+\d+,\d puntos",
    }
    advice = {
        "en": r"Ulrich wins .* than fair .*: nerf\.",
        "fr": r"Ulrich est .* part équitable .*: à affaiblir\.",
        "es": r"Ulrich gana .* de lo justo .*: conviene debilitar a Ulrich\.",
    }
    assert re.match(found[language], first)
    assert any(re.fullmatch(advice[language], sentence) for sentence in others)


def test_what_one_of_two_wins_is_said_once() -> None:
    """With two players, the second one's share follows from the first one's."""
    uneven = Variant("nomads", "uneven", {"adventurers": ["moon", "nostromo"], "first": 0})
    study = run(Plan("nomads", (uneven,), (2,), ("random",), 20_000, 1))
    seats = [f.question for f in findings(study) if f.question.quantity == "seats" and f.notable]
    assert [question.name for question in seats] == ["first", "second"]
    said = Report(study).sentences("random")
    assert [s.split(" wins ")[0] for s in said if "player wins" in s] == ["The first player"]


def test_a_game_beside_itself_differs_in_nothing() -> None:
    again = Variant("lumens", "again", {})
    found = run(Plan("lumens", (again, printed("lumens")), (2, 3), ("random",), 500, 1, seed=3))
    against_itself = [f for f in findings(found) if f.question.against == "printed"]
    assert len(against_itself) > 40
    assert not [f.sentence(Words("en")) for f in against_itself if f.sure]
    one, two = found.cells.values() if len(found.cells) == 2 else list(found.cells.values())[::2]
    assert one.data() != two.data()


def test_an_interrupted_study_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    plan = Plan("lumens", (printed("lumens"),), (2,), ("random", "greedy"), 20_000, 10)
    whole = run(plan, file)
    lines = file.read_text("utf-8").splitlines(keepends=True)
    assert len(lines) > 3
    file.write_text("".join(lines[:2]) + lines[2][:50], "utf-8")
    again = run(plan, file)
    assert [t.data() for t in again.cells.values()] == [t.data() for t in whole.cells.values()]
    assert again.skill == whole.skill
    assert again.seconds == pytest.approx(sum(line.seconds for line in read(file)))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3.14, "3.1 seconds"), (150, "2.5 minutes"), (7200, "2.0 hours")],
)
def test_a_report_tells_its_processor_time(seconds: float, words: str) -> None:
    found = run(Plan("lumens", (printed("lumens"),), (2,), ("random",), 8, 1))
    found.seconds = seconds
    told = f"played in {words} of processor time. Levels of play: random."
    assert told in Report(found).played


def test_shards_of_a_study_merge_into_the_whole(tmp_path: Path) -> None:
    """A shard plays the whole of each block of 16,384 games that it touches."""
    whole = Plan("captain", (printed("captain"),), (3,), ("random",), 40_000, 1)
    files = [tmp_path / "0.jsonl", tmp_path / "20000.jsonl"]
    for file in files:
        run(replace(whole, games=20_000, first=int(file.stem)), file)
    assert [line.block for file in files for line in read(file)] == [0, 1, 1, 2]
    lines = merge(files)
    assert [line.block for line in lines] == [0, 1, 2]
    merged = tmp_path / "merged.jsonl"
    merged.write_text("".join(line.text() for line in lines), "utf-8")
    cell = Cell("printed", 3, "random")
    assert run(whole, merged).cells[cell].data() == run(whole).cells[cell].data()
    assert len(read(merged)) == 4  # the last block, which was longer, and the three of the shards
    with pytest.raises(Refusal, match="-1 isn’t a game number"):
        run(replace(whole, first=-1))


def test_the_stronger_level_shows_how_much_skill_decides() -> None:
    plan = Plan("lumens", (printed("lumens"),), (2,), ("random", "greedy"), 50, 40)
    result = run(plan).skill["printed", 2, "greedy", "random"]
    assert result.mean > 0.6


def test_matches_of_levels_tell_their_progress() -> None:
    told: list[tuple[str, int, int]] = []
    plan = Plan("lumens", (printed("lumens"),), (2,), ("random", "greedy"), 20, 40)
    with workers(1) as pool:
        study(plan, pool=pool, progress=lambda *each: told.append(each))
    match = [each[1:] for each in told if each[0] == "printed, 2, greedy – random"]
    assert match == [(0, 4), (2, 4), (4, 4)]


def test_levels_and_players_are_read_as_one_writes_them() -> None:
    spec = games()["nomads"]
    assert read_players(spec, "2-4") == (2, 3, 4)
    assert read_players(spec, "5,2-3") == (5, 2, 3)
    assert read_players(spec, "") == (2, 3, 4, 5)
    assert read_levels("random,search:iterations=5,horizon=2,teller") == (
        "random",
        "search:iterations=5,horizon=2",
        "teller",
    )
    for wrong in ("x", "4-2", "2-", "-3"):
        with pytest.raises(Refusal, match="not numbers of players"):
            read_players(spec, wrong)


def test_the_report_stands_alone(tmp_path: Path) -> None:
    variant = tmp_path / "mine.toml"
    variant.write_text('game = "nomads"\nname = "<b>One</b> Wild"\n[values]\nwilds = 1\n', "utf-8")
    command = (
        f"study nomads --variant {variant} --against printed --players 2,3 --games 300 "
        f"--bot-games 4 --players-are random,greedy --processes 1 --out {tmp_path / 'report.html'}"
    )
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 0, result.output
    html = (tmp_path / "report.html").read_text("utf-8")
    assert set(re.findall(r"https?://[^/]+", html)) == {"http://www.w3.org"}  # namespaces
    assert "<script" not in html
    assert html.count("<svg") == 11
    assert "<b>One" not in html
    assert "&lt;b&gt;One" in html
    assert "repeat the study with stronger players" in html
    data = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert len(data["cells"]) == 8
    assert data["plan"]["variants"][0]["hash"]
    assert {"rules", "package", "code"} == set(data["versions"])
    markdown = (tmp_path / "report.md").read_text("utf-8")
    assert "| 3 | the printed game | first |" in markdown
    assert "[This report with its charts](report.html)" in markdown
    assert "corrected together (Holm)" in markdown
    assert "over deals where skill is measured" in markdown


def test_a_report_of_few_games_shows_nothing_that_can_not_be() -> None:
    """No share below 0 or above 1, and no line for an adventurer who plays with five only."""
    plan = Plan("captain", (printed("captain"),), (3,), ("random", "random+random"), 3, 3)
    report = Report(run(plan), "en")
    told = report.data()["summaries"]
    assert told["en"]["random"] == report.sentences("random")
    assert told["fr"]["random"] == Report(report.study, "fr").sentences("random")
    intervals = [row[4] for row in report.shares("random", "seats")]
    assert {interval[:2] for interval in intervals} == {"0."}
    assert max(float(interval.partition("–")[2]) for interval in intervals) == 1
    drawn = report.strength()
    assert "Lys" in drawn
    assert "Ulrich" not in drawn


def test_shares_of_a_seat_have_their_interval() -> None:
    found = run(Plan("lumens", (printed("lumens"),), (2,), ("random",), 400, 1))
    tally = found.cells[Cell("printed", 2, "random")]
    [(first, one), (second, two)] = rows(games()["lumens"], tally, "seats")
    assert (first, second) == ("first", "second")
    assert one.mean + two.mean == pytest.approx(1)
    low, high = one.interval
    assert 0.04 < high - low < 0.11


@pytest.fixture(scope="module")
def two_levels() -> Study:
    rich = Variant("captain", "rich captain", {"captain_coins": 13})
    plan = Plan("captain", (rich, printed("captain")), (3,), ("random", "greedy"), 300, 40)
    return run(plan)


@pytest.mark.parametrize(
    ("language", "action", "level"),
    [
        ("en", "Announce a Hook", "Level of play: random"),
        ("fr", "Annoncer un Grappin", "Niveau de jeu\N{NO-BREAK SPACE}: hasard"),
        ("es", "Anunciar un Gancho", "Nivel de juego: azar"),
    ],
)
def test_html_and_markdown_tell_use_and_worth_in_words(
    two_levels: Study, language: str, action: str, level: str
) -> None:
    report = Report(two_levels, language)
    words = Words(language)
    [(_, variant, times, with_it, without, difference), _] = [
        row for row in report.uses("random") if row[0] == action
    ]
    assert variant == "rich captain"
    tally = two_levels.cells[Cell("rich captain", 3, "random")]
    moments = {name: rows(games()["captain"], tally, name) for name in ("use", "with", "without")}
    [(use, took, left)] = [
        tuple(moments[name][i][1] for name in moments)
        for i, (kind, _) in enumerate(moments["use"])
        if kind == "announce hook"
    ]
    assert times == words.decimal(use.mean, 2)
    assert (with_it, without) == (words.decimal(took.mean, 3), words.decimal(left.mean, 3))
    points = (took.mean - left.mean) * 100
    assert difference.removeprefix("+").startswith(words.decimal(points, 1) + " ± ")
    for text in (report.html(), report.markdown("x.html")):
        assert action in text
        assert level in text
        assert "announce hook" not in text
        assert "(random)" not in text or language == "en"


@OF_EVERY_GAME
@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_kind_of_action_has_words_of_its_own(spec: GameSpec, language: str) -> None:
    words = Words(language)
    names = kinds(spec)[0]
    told = [spec.kind_words(words, name) for name in names]
    assert len(set(told)) == len(names)
    assert not set(told) & set(names)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Storyteller + random"), ("fr", "Conteur + hasard"), ("es", "Narrador + azar")],
)
def test_levels_are_told_in_words(language: str, told: str) -> None:
    assert level_name(Words(language), "teller+random") == told
    assert level_name(Words(language), "search:iterations=5") == "search:iterations=5"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            (
                "The first player wins 20.0 points more often than fair with two players "
                "(Storyteller): compensate the others."
            ),
        ),
        (
            "fr",
            (
                "Le premier joueur est 20,0 points au-dessus de sa part équitable de victoires à "
                "deux joueurs (Conteur) : donnez une compensation aux autres."
            ),
        ),
        (
            "es",
            (
                "Quien juega primero gana más de lo justo con dos jugadores (Narrador), +20,0 "
                "puntos: da una compensación a los demás."
            ),
        ),
    ],
)
def test_advice_fits_games_without_anything_to_start_with(language: str, told: str) -> None:
    wins = Estimate.of([100, 70 * 60, 70 * 3600], 60)
    question = Question("lumens", Cell("mine", 2, "teller"), "seats", "first", wins, 0.5, "fair")
    sentence = Finding(question, 0.001).sentence(Words(language))
    assert sentence.replace("\N{NO-BREAK SPACE}", " ") == told


def test_the_data_warn_of_weak_players_in_every_language(two_levels: Study) -> None:
    data = Report(two_levels).data()["cautions"]
    assert "“greedy”" in data["en"]
    assert "glouton" in data["fr"]
    assert "voraz" in data["es"]


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        (30, 60, "is played 0.50 times as often as in the printed game"),
        (0, 60, "is never played, unlike in the printed game"),
        (60, 0, "is played here, but never in the printed game"),
    ],
)
def test_a_change_in_use_is_told(here: int, there: int, told: str) -> None:
    value, reference = (Estimate.of([100, times, times]) for times in (here, there))
    cell = Cell("mine", 3, "random")
    question = Question("lumens", cell, "use", "face 5", value, reference, "printed")
    sentence = Finding(question, 0.001).sentence(Words("en"))
    assert sentence == f"“Place a 5” {told} with three players (random)."


def test_worth_is_not_told_where_everybody_does_it() -> None:
    """Every player of Nomads places discs, so nobody shows what that is worth."""
    variant = Variant("nomads", "One | Wild", {"wilds": 1})
    report = Report(run(Plan("nomads", (variant,), (2,), ("random",), 100, 1)), "fr")
    [row] = [row for row in report.uses("random") if row[0] == "Placer un disque"]
    assert row[3:] == ["0,500", "–", "–"]
    drawn = {title: ET.fromstring(chart) for title, chart in report.charts("random")}
    chart = drawn[Words("fr")("lab.chart.kinds", n=2)]
    used, worth = (
        sum(len(line.findall(f".//{SVG}use")) for line in axes if "line2d" in line.get("id", ""))
        for axes in chart.iter(f"{SVG}g")
        if axes.get("id", "").startswith("axes_")
    )
    assert 0 < worth < used


def test_variants_have_a_column_where_there_are_several() -> None:
    odd = Variant("lumens", "One | two", {})
    several = Report(run(Plan("lumens", (odd, printed("lumens")), (2,), ("random",), 50, 1)))
    assert "| 2 | One \\| two | 50 |" in several.markdown("x.html")
    assert ">variant</th>" in several.html()
    alone = Report(run(Plan("lumens", (odd,), (2,), ("random",), 50, 1)))
    assert "| 2 | 50 |" in alone.markdown("x.html")
    assert ">variant</th>" not in alone.html()


def test_a_length_that_is_always_the_same_is_drawn() -> None:
    """Two players of Lumens have 48 decisions, always: a bar of 100% at 48."""
    report = Report(run(Plan("lumens", (printed("lumens"),), (2,), ("random",), 50, 1)))
    charts = dict(report.charts("random"))
    drawing = ET.fromstring(charts[Words("en")("lab.chart.length")])
    [axes] = [g for g in drawing.iter(f"{SVG}g") if g.get("id") == "axes_1"]
    outlines = [
        path.get("d", "")
        for patch in axes
        if patch.get("id", "").startswith("patch_")
        for path in patch.iter(f"{SVG}path")
        if path.get("clip-path")
    ]
    numbers = [[float(n) for n in re.findall(r"[\d.]+", outline)] for outline in outlines]
    assert any(max(each[::2]) > min(each[::2]) for each in numbers)  # as wide as a decision
    told = ["".join(text.itertext()) for text in axes.iter(f"{SVG}text")]
    assert not [text for text in told if re.fullmatch(r"48\.\d+", text)]
    assert "48" in told
