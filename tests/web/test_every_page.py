"""Every page of the site fits every screen, and axe-core finds nothing wrong with it.

`make test` measures every page at every size, and lets axe look at it in both themes, at sizes and
in a language that change from page to page. `make test-screens` does so in every combination.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Error, Page, expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in
from tests.web.sizes import SCREENS, resize
from tests.web.test_mail import Mailbox
from tests.web.test_variants import ONE_WILD, a_report
from veillee.analysis.puzzles import puzzles
from veillee.engine.i18n import LANGUAGES
from veillee.engine.registry import games
from veillee.engine.variant import variant_text
from veillee.web.app import HANDLERS

Theme = Literal["light", "dark"]

ALL = sorted(games())
SEATS = {name: max(2, min(spec.player_counts)) for name, spec in games().items()}
THEMES: tuple[Theme, ...] = ("light", "dark")
PHONES = ("320",)
LONG = "Bartholomé de la Tour-du-"
VARIANT = variant_text(ONE_WILD)


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, mailbox: Mailbox) -> Iterator[Served]:
    """A server with a report of a study and with e-mail, that analyses quickly."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "one_wild.json").write_text(json.dumps(a_report()), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VEILLEE_ANALYSIS_ITERATIONS", "1")
        patch.setenv("VEILLEE_ADDRESS", "https://games.example.org")
        patch.setenv("VEILLEE_SMTP", mailbox.url)
        patch.setenv("VEILLEE_MAIL_FROM", "games@example.org")
        database = sqlite_in(tmp_path_factory.mktemp("served"))
        with Served(database, "--no-limits", "--reports", str(folder)) as server:
            yield server


class Evening:
    """Somebody with games of all kinds. What a page needs is set up when it is first visited."""

    def __init__(self, address: str, mailbox: Mailbox) -> None:
        self.ida, self.bo = Guest(address), Guest(address)
        self.ida.form("/settings", name=LONG, confirm="1", keys="1", back="/")
        self._mailbox = mailbox
        self.imported = cache(self._imported)
        self.over = cache(self._over)
        self.playing = cache(self._playing)

    def _imported(self, game: str) -> str:
        """A stored game, to look back on."""
        return self.ida.import_golden(game, SEATS[game])

    def _over(self, game: str) -> str:
        """A table at which the last decision of a stored game was taken."""
        path = self.imported(game)
        last = self.ida.http.get(f"{path}/99999").headers["location"].rpartition("/")[2]
        seats = {f"seat{seat}": "bot:random" for seat in range(SEATS[game])} | {"seat0": "me"}
        answer = self.ida.form(f"{path}/go-on", moment=int(last) - 1, **seats)
        table = str(answer.headers["location"])
        self.ida.play_on(table)
        return table

    def _playing(self, game: str) -> str:
        bots = " ".join(["bot:random"] * 3)
        path = self.ida.set_table(game, f"me {bots}")
        self.ida.play_on(path, 3)
        return path

    @cached_property
    def lobby(self) -> str:
        path = self.ida.set_table("captain", "me friend friend bot:wanderer")
        self.bo.act(path, "sit", name="Bo")
        return path

    @cached_property
    def shared_screen(self) -> str:
        return self.ida.set_table("lumens", "me screen")

    @cached_property
    def first_of_two(self) -> str:
        path = self.ida.set_table("marathon", "me bot:random bot:random")
        self.ida.play_on(path)
        self.second_of_two = str(self.ida.form(f"{path}/next", what="marathon").headers["location"])
        return path

    @cached_property
    def end_of_two(self) -> str:
        assert self.first_of_two
        self.ida.play_on(self.second_of_two)
        return self.second_of_two

    @cached_property
    def left(self) -> str:
        """A game that somebody left before its end."""
        path = self.ida.set_table("lumens", "me friend")
        self.bo.act(path, "sit", name="Bo")
        self.ida.act(path, "start")
        self.bo.act(path, "leave")
        self.ida.play_on(path)
        return path

    @cached_property
    def variant(self) -> str:
        return self.ida.set_table("nomads", "me bot:random", variant=VARIANT)

    @cached_property
    def archive(self) -> str:
        path = self.ida.set_table("lumens", "me bot:random")
        self.ida.form("/history/archive", table=path.removeprefix("/t/"), archived=1)
        return "/history?archived=1"

    @cached_property
    def seat_link(self) -> str:
        page = self.ida.http.get(f"{self.playing('lumens')}/move").text
        found = re.search(r"/t/[\w-]+/move\?ticket=[^\"<]+", page)
        assert found
        return found[0]

    @cached_property
    def mail_link(self) -> str:
        self.ida.form("/mail", address="ida@example.org")
        found = re.search(r"/mail/confirm\?\S+", self._mailbox.letters[-1].get_content())
        assert found
        return found[0]

    def lesson(self, game: str) -> str:
        return str(self.ida.form("/learn", game=game).headers["location"])

    def marathon_lobby(self) -> str:
        answer = self.ida.form("/play", game="marathon", **{"with": "friends"})
        return str(answer.headers["location"])

    def review(self) -> str:
        answer = self.ida.form(f"{self.imported('captain')}/review", moment=5)
        return str(answer.headers["location"])


@pytest.fixture(scope="module")
def evening(served: Served, mailbox: Mailbox) -> Evening:
    return Evening(served.address, mailbox)


class Visit(NamedTuple):
    """How a page is reached, and what is done there before one looks at it."""

    path: Callable[[Evening], str]
    then: Callable[[Page], None] = lambda page: None
    stranger: bool = False


def at(path: str) -> Callable[[Evening], str]:
    return lambda evening: path


def stage(page: Page) -> None:
    """Choose an action without sending it, by clicks that never count as double ones."""
    commit = page.locator("#choices button.commit")
    option = page.locator("#choices .options button").last
    for _ in range(20):
        try:
            commit.or_(option).last.wait_for()
        except Error as error:
            raise AssertionError(page.locator("main").inner_text()) from error
        if commit.count():
            return
        with contextlib.suppress(Error):  # the script may just have made one choice of it
            option.evaluate("(button) => button.click()", timeout=2000)
    raise AssertionError(page.locator("#choices").inner_text())


def analysed(page: Page) -> None:
    """Have the game of the page analysed, if it is not yet."""
    panel = page.locator("#analysis")
    if panel.locator("#analysis-chart").count() == 0:
        panel.locator("summary").click()
        panel.get_by_role("button").click()
    expect(panel.locator("#analysis-chart")).to_be_visible(timeout=120_000)


def click(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.click()


def wait(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.wait_for()


def make_token(page: Page) -> None:
    page.locator("form[action='/programs'] button").click()
    page.locator("#token").wait_for()


PAGES: dict[str, Visit] = {
    "home": Visit(at("/"), stranger=True),
    "home with tables": Visit(lambda e: e.lobby and "/"),
    "menu": Visit(at("/"), click(".menu summary")),
    "lost": Visit(at("/t/none")),
    "offline": Visit(at("/offline")),
    "my data": Visit(at("/me")),
    "confirm an address": Visit(lambda e: e.mail_link),
    "tokens": Visit(at("/programs"), make_token),
    "API": Visit(at("/api")),
    "import": Visit(at("/import")),
    "history": Visit(lambda e: e.left and "/history"),
    "archive": Visit(lambda e: e.archive, click(".sure summary")),
    "puzzle of the day": Visit(at("/puzzles")),
    "workshop": Visit(at("/variants")),
    "report": Visit(at(f"/variants/nomads/{ONE_WILD.hash}")),
    "shared variant": Visit(at(f"/variants/nomads?variant={VARIANT}")),
    "new game of a variant": Visit(at(f"/new?game=nomads&variant={VARIANT}")),
    "table of a variant": Visit(lambda e: e.variant, wait("#choices button")),
    "new game on one screen": Visit(at("/new?game=captain&with=screen")),
    "lobby": Visit(lambda e: e.lobby),
    "invitation": Visit(lambda e: e.lobby, stranger=True),
    "lobby of the Lumarathon": Visit(lambda e: e.marathon_lobby()),
    "half-time": Visit(lambda e: e.first_of_two),
    "end of the Lumarathon": Visit(lambda e: e.end_of_two),
    "end without a friend": Visit(lambda e: e.left),
    "curtain": Visit(lambda e: e.shared_screen, wait("#curtain")),
    "spectator": Visit(lambda e: e.playing("captain"), wait("#board svg"), stranger=True),
    "link for spectators": Visit(lambda e: f"{e.playing('captain')}/invite"),
    "another device": Visit(lambda e: f"{e.playing('lumens')}/move"),
    "on another device": Visit(lambda e: e.seat_link, stranger=True),
    "checked shuffle": Visit(lambda e: f"{e.over('lumens')}/verify"),
    "review": Visit(lambda e: e.review(), wait("#leading")),
    "review that somebody else leads": Visit(lambda e: e.review(), wait("#leading"), stranger=True),
    "analysis": Visit(lambda e: f"{e.imported('captain')}/4", analysed),
    "rules of the Lumarathon": Visit(at("/rules/marathon")),
}


def pages_of(game: str) -> dict[str, Visit]:
    answer = puzzles(games()[game])[0].answer
    return {
        f"new game of {game}": Visit(at(f"/new?game={game}")),
        f"rules of {game}": Visit(at(f"/rules/{game}")),
        f"guided game of {game}": Visit(
            lambda e: e.lesson(game), wait("#choices button, .guide .next")
        ),
        f"table of {game}": Visit(lambda e: e.playing(game), stage),
        f"end of {game}": Visit(lambda e: e.over(game), wait(".end")),
        f"replay of {game}": Visit(lambda e: f"{e.imported(game)}/12"),
        f"points of {game}": Visit(at(f"/score/{game}"), wait("#players-3")),
        f"puzzle of {game}": Visit(at(f"/puzzles/{game}/1")),
        f"answer of {game}": Visit(at(f"/puzzles/{game}/1?answer={answer}")),
        f"workshop of {game}": Visit(at(f"/variants/{game}")),
    }


for each in ALL:
    PAGES |= pages_of(each)

NO_PAGES = re.compile(
    r"/(health.*|static/.*|favicon.ico|picture/.*|icon/.*|push/key|manifest.webmanifest|sw.js"
    r"|variants/[^/]+/[^/]+/report|api/.*|g/[^/]+/(moments|moment/.*|game/.*|analysis)"
    r"|t/[^/]+/(ghost|outline|why|since|record))"
)
REDIRECTS = {"/g/{table_id:str}", "/t/{table_id:str}/variant"}


class Look(NamedTuple):
    size: str
    theme: Theme


EVERY_LOOK = [Look(size, theme) for size in SCREENS for theme in THEMES]


def some_looks(name: str) -> tuple[str, list[Look]]:
    """The language and the looks of a page in `make test`: one light, one dark, at two sizes."""
    number, sizes = list(PAGES).index(name), list(SCREENS)
    chosen = [Look(sizes[(number + 3 * i) % len(sizes)], theme) for i, theme in enumerate(THEMES)]
    return LANGUAGES[number % len(LANGUAGES)], chosen


VIOLATIONS = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    ({id, help, nodes}) => `${id}: ${help} ${nodes.slice(0, 3).map((node) => node.target)}`)"""


@pytest.fixture(scope="module")
def window(new_shared_page: NewPage, evening: Evening) -> Callable[[bool, str], Page]:
    """`window(stranger, language)`: a window of Ida's or of somebody who was never here."""

    @cache
    def window(stranger: bool, language: str) -> Page:
        page: Page = new_shared_page(bypass_csp=True, locale=language)
        if not stranger:
            value, url = evening.ida.http.cookies["veillee"], str(evening.ida.http.base_url)
            page.context.add_cookies([{"name": "veillee", "value": value, "url": url}])
        return page

    return window


class Looked(NamedTuple):
    """A page that is looked at in one language after another."""

    window: Callable[[bool, str], Page]
    visit: Visit
    path: str
    axe: str

    def problems(self, language: str, sizes: Sequence[str], looks: Sequence[Look]) -> list[str]:
        """What is wrong: too wide at one of the sizes, or found by axe in one of the looks."""
        page, found = self.window(self.visit.stranger, language), []
        first = SCREENS[sizes[0]]
        page.set_viewport_size({"width": first.width, "height": first.height})
        page.goto(self.path)
        assert page.locator("html").get_attribute("lang") == language
        self.visit.then(page)
        if looks:
            page.evaluate(self.axe)
        for size in sizes:
            resize(page, SCREENS[size])
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                found.append(f"{language}, {size}: {wide} pixels too wide")
            for look in looks:
                if look.size == size:
                    page.emulate_media(color_scheme=look.theme)
                    seen = f"{language}, {size}, {look.theme}"
                    found += [f"{seen}: {one}" for one in page.evaluate(VIOLATIONS)]
        return found


@pytest.fixture
def looked(name: str, window: Callable[[bool, str], Page], evening: Evening, axe: str) -> Looked:
    visit = PAGES[name]
    return Looked(window, visit, visit.path(evening), axe)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_and_is_accessible(looked: Looked, name: str) -> None:
    """At every size in one language, on phones in the others too."""
    own, looks = some_looks(name)
    found = looked.problems(own, list(SCREENS), looks)
    for language in LANGUAGES:
        if language != own:
            found += looked.problems(language, PHONES, [])
    assert not found


@pytest.mark.screens
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_every_look(looked: Looked, name: str, language: str) -> None:
    assert not looked.problems(language, list(SCREENS), EVERY_LOOK)


def test_the_looks_in_make_test_cover_all_pairs() -> None:
    seen = [(look, language) for language, looks in map(some_looks, PAGES) for look in looks]
    assert {look for look, _ in seen} == set(EVERY_LOOK)
    assert len({(look.size, language) for look, language in seen}) == 3 * len(SCREENS)
    assert len({(look.theme, language) for look, language in seen}) == 3 * len(THEMES)


def test_no_page_of_the_site_is_missing(evening: Evening) -> None:
    visited = {visit.path(evening).partition("?")[0] for visit in PAGES.values()}
    for handler in HANDLERS:
        if "GET" not in handler.http_methods:
            continue
        for path in handler.paths - REDIRECTS:
            pattern = re.sub(r"\\{\w+:\w+\\}", "[^/]+", re.escape(path))
            if not NO_PAGES.fullmatch(path):
                assert any(re.fullmatch(pattern, one) for one in visited), path
