"""A table in the terminal: people at one keyboard, the other seats played by bots."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import count, takewhile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from veillee.bots.characters import RANDOM
from veillee.engine.game import Game
from veillee.engine.i18n import Words
from veillee.engine.refusal import Refusal
from veillee.engine.score_sheet import lines

if TYPE_CHECKING:
    from veillee.bots.bot import Bot

Chooser = Callable[[Game], int]
"""Returns the action of the seat that decides."""


class Leave(Exception):
    """Raised when a person leaves the table."""


def bot_chooser(level: str, seat: int) -> Chooser:
    """Return a bot by name, or "random" for one that takes any legal action."""
    if level == RANDOM:
        chance = Random(seat)
        return lambda game: int(chance.choice(game.legal))
    from veillee.bots.levels import BotName, bot

    BotName.parse(level)
    players: dict[str, Bot] = {}

    def choose(game: Game) -> int:
        name = game.spec.name
        if name not in players:
            players[name] = bot(game.spec, game.players, level, seed=seat)
        return players[name].choose(game.seen_by(game.seat))

    return choose


class Terminal:
    """A game in the terminal. `play` runs until the game ends or a person leaves."""

    def __init__(
        self, console: Console, words: Words, game: Game, bots: Mapping[int, Chooser]
    ) -> None:
        self.console = console
        self.words = words
        self.game = game
        self.bots = bots
        self._spec = game.spec
        self._told = 0
        self._looking: int | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "board": lambda _: self._show_board(),
            "log": lambda _: self._show_log(),
            "undo": lambda _: self._undo(),
            "rules": lambda _: self._show_rules(),
            "save": lambda name: self.save(Path(name or f"{self.game.spec.name}.json")),
            "quit": self._quit,
        }

    @property
    def people(self) -> list[int]:
        return [seat for seat in range(self.game.players) if seat not in self.bots]

    def play(self) -> None:
        game = self.game
        self.console.print(
            Panel(self._word("veillee.terminal.welcome", title=self._title()), expand=False)
        )
        try:
            while not game.over:
                if game.spec is not self._spec:
                    self._go_on()
                if game.seat in self.bots:
                    with self.console.status(
                        self._word("veillee.terminal.thinks", name=escape(game.names[game.seat]))
                    ):
                        action = self.bots[game.seat](game)
                    game.play(action)
                else:
                    self._draw_curtain()
                    self._tell_news()
                    self._show_board()
                    self._ask()
        except Leave:
            self.console.print(self._word("veillee.terminal.left"))
            return
        self._tell_news()
        self._show_end()

    def _go_on(self) -> None:
        """Show how the first game of a series ended and what is carried over."""
        series: Any = self.game
        first, carried = series.games[0], series.carried
        for line in first.log(self.words.language)[self._told :]:
            self.console.print(f"[dim]·[/] {escape(line)}")
        self.console.print(Panel(first.board(self.words.language), expand=False))
        self._show_places(first)
        names = [escape(name) for name in first.names]
        self.console.print(
            self._word(
                "lumarathon.first.over",
                n=len(carried["coins"]),
                name=names[carried["first"]],
                coins=self.words.listed([names[seat] for seat in carried["coins"]]),
                keeper=names[carried["keeper"]],
            )
        )
        self._spec = self.game.spec
        self._told = 0

    # ------------------------------------------------------------ one person's decision

    def _ask(self) -> None:
        """Ask until a decision is made."""
        before = len(self.game.entries)
        self._show_choices()
        while len(self.game.entries) == before:
            line = self._input()
            command, _, rest = line.partition(" ")
            if command in self._commands:
                self._commands[command](rest.strip())
            elif line.isdecimal() and 1 <= int(line) <= len(self.game.legal):
                self.game.play(self.game.legal[int(line) - 1])
            elif line == "?":
                self._show_choices()
            elif line:
                self._try(line)

    def _try(self, notation: str) -> None:
        try:
            self.game.play(notation)
        except Refusal as refusal:
            self.console.print(f"[red]{escape(refusal.why(self.words))}[/]")

    def _input(self) -> str:
        try:
            return self.console.input(
                f"[bold]{escape(self.game.names[self.game.seat])}[/] > "
            ).strip()
        except EOFError:
            raise Leave from None

    def _show_choices(self) -> None:
        game = self.game
        self.console.print(
            self._word(
                "veillee.terminal.asked",
                name=f"[bold]{escape(game.names[game.seat])}[/]",
                doing=self._word(f"{game.spec.name}.phase.{game.phase}"),
            )
        )
        seen = game.spec.twin(game.seen_by(game.seat))
        said = [
            game.spec.text.say(self.words, seen, int(action), game.names) for action in game.legal
        ]
        offered = [f"[cyan]{i:>3}[/] {escape(line)}" for i, line in enumerate(said, 1)]
        many = len(offered) > 12
        self.console.print(Columns(offered, padding=(0, 2)) if many else "\n".join(offered))
        self.console.print(f"[dim]{self._word('veillee.terminal.help')}[/]")

    def _undo(self) -> None:
        """Undo up to the last decision of this seat; what nobody knew is dealt again."""
        mine = [i for i, step in enumerate(self.game.steps) if step.seat == self.game.seat]
        if not mine:
            self.console.print(self._word("veillee.undo"))
            return
        while len(self.game.steps) > mine[-1]:
            self.game.undo(redeal=True)
        self._told = len(self._log())
        self.console.print(self._word("veillee.terminal.undone"))

    def save(self, path: Path) -> None:
        """Write the record of the game, and print the command that reads it."""
        record = self.game.record(reveal=True)
        key = "veillee.terminal.saved" + (".over" if self.game.over else "")
        try:
            path.write_text(json.dumps(record, indent=1), "utf-8")
            self.console.print(self._word(key, game=record["game"], path=escape(str(path))))
        except OSError as error:
            self.console.print(
                self._word(
                    "veillee.terminal.unsaved", path=escape(str(path)), why=escape(str(error))
                )
            )

    def _quit(self, _: str) -> None:
        raise Leave

    # ------------------------------------------------------------ showing

    def _draw_curtain(self) -> None:
        """Hide the screen between two people with secrets until the next one is there."""
        seat = self.game.seat
        if self.game.spec.hidden and len(self.people) > 1 and self._looking != seat:
            self.console.clear()
            name = escape(self.game.names[seat])
            try:
                self.console.input(self._word("veillee.terminal.curtain", name=name))
            except EOFError:
                raise Leave from None
        self._looking = seat

    def _tell_news(self) -> None:
        """Print what happened since somebody last looked, as this person may know it."""
        told = self._log()
        for line in told[self._told :]:
            self.console.print(f"[dim]·[/] {escape(line)}")
        self._told = len(told)

    def _show_log(self) -> None:
        for line in self._log():
            self.console.print(f"[dim]·[/] {escape(line)}")

    def _log(self) -> list[str]:
        return self.game.log(self.words.language, self._reader())

    def _show_board(self) -> None:
        board = self.game.board(self.words.language, self._reader())
        self.console.print(Panel(board, title=self._title(), expand=False))

    def _reader(self) -> int | None:
        """Return the seat that looks at the screen: the only person's, or the one that decides."""
        return self.people[0] if len(self.people) == 1 else self._looking

    def _show_rules(self) -> None:
        """Print the summary of the rules, or all clauses of a game that has no summary."""
        spec = self.game.spec
        summary = takewhile(self.words.__contains__, (f"{spec.name}.summary.{n}" for n in count(1)))
        for key in list(summary) or spec.clauses:
            self.console.print(f"{self._word(key)}\n")

    def _show_end(self) -> None:
        game = self.game
        self._looking = None
        self._show_board()
        self._show_places(game)
        winners = self.words.listed([escape(game.names[seat]) for seat in game.winners])
        self.console.print(self._word("veillee.terminal.won", n=len(game.winners), names=winners))
        self.console.print(
            f"[dim]{self._word('veillee.terminal.seed', seed=game.seed.hex)}[/]", soft_wrap=True
        )

    def _show_places(self, game: Game) -> None:
        places, scores = game.places, game.scores
        order = sorted(range(game.players), key=lambda seat: places[seat])
        sheet = Table("", *(escape(game.names[seat]) for seat in order), box=SIMPLE)
        for line in lines([game.score_sheet(seat) for seat in order]):
            sheet.add_row(line[0].said(self.words), *(row.counted() for row in line))
        self.console.print(sheet)
        for seat in order:
            self.console.print(
                self._word(
                    "veillee.terminal.place",
                    place=places[seat],
                    name=escape(game.names[seat]),
                    n=scores[seat],
                )
            )

    def _title(self) -> str:
        return self._word(f"{self.game.spec.name}.title")

    def _word(self, key: str, **facts: object) -> str:
        return self.words(key, **facts)  # type: ignore[arg-type]
