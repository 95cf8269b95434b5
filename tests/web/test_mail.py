"""E-mail where the host has a server for it: an address is confirmed, then used."""

from __future__ import annotations

import asyncio
import email
import email.policy
import re
import socketserver
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from urllib.parse import unquote_plus

import pytest

from tests.web.guest import Guest
from tests.web.loop import run
from tests.web.served import Served, sqlite_in
from tests.web.test_push import at_once, over_days, until
from veillee.web.config import ServerConfig
from veillee.web.database import notify_queries
from veillee.web.http.context import AppContext
from veillee.web.mail import is_address
from veillee.web.tables import log

__all__ = ["at_once"]


class Mailbox:
    """An SMTP server that keeps what it gets."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        box = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(b"220 here\r\n")
                while line := self.rfile.readline():
                    if line.upper().startswith(b"DATA"):
                        self.wfile.write(b"354 go on\r\n")
                        box.letters.append(_letter(b"".join(iter(self.rfile.readline, b".\r\n"))))
                    self.wfile.write(
                        b"221 bye\r\n" if line[:4].upper() == b"QUIT" else b"250 ok\r\n"
                    )

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"smtp://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _letter(data: bytes) -> EmailMessage:
    return email.message_from_bytes(data, policy=email.policy.default)


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


def test_an_address_is_confirmed_by_a_click(
    mailbox: Mailbox, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VEILLEE_SMTP", mailbox.url)
    monkeypatch.setenv("VEILLEE_MAIL_FROM", "Veillée <games@example.org>")
    monkeypatch.setenv("VEILLEE_ADDRESS", "https://games.example.org")
    with Served(sqlite_in(tmp_path_factory.mktemp("mail")), "--no-limits") as served:
        ida = Guest(served.address, "fr")
        assert 'name="address"' in ida.http.get("/me").text
        assert "Ce n’est pas une adresse" in ida.form("/mail", address="ida@nowhere").text
        assert "ida@example.org" in ida.form("/mail", address="ida@example.org").text
        (letter,) = mailbox.letters
        assert letter["To"] == "ida@example.org"
        link = re.findall(r"https://games.example.org(/mail/confirm\S+)", letter.get_content())[0]
        assert "Les messages sont" not in ida.http.get("/me").text
        assert "ida@example.org" in ida.http.get(link).text
        ticket = unquote_plus(link.partition("ticket=")[2])
        assert ida.form("/mail/confirm", ticket=ticket).status_code == 303
        assert "Les messages sont envoyés à ida@example.org" in ida.http.get("/me").text
        assert "plus valable" in ida.form("/mail/confirm", ticket="ida.forged").text
        ida.form("/mail/forget")
        assert "ida@example.org" not in ida.http.get("/me").text


def test_without_a_mail_server_no_address_is_asked_for(served: Served) -> None:
    ida = Guest(served.address)
    assert 'name="address"' not in ida.http.get("/me").text
    assert ida.form("/mail", address="ida@example.org").status_code == 404


def test_who_is_awaited_gets_a_letter(database: str, mailbox: Mailbox) -> None:
    config = ServerConfig(
        database,
        level="random",
        smtp=mailbox.url,
        mail_from="games@example.org",
        address="https://games.example.org",
    )

    async def story() -> None:
        server = AppContext(config)
        await server.open()
        table = await over_days(server)
        for person in ("ida", "bo"):
            await server.store.write(
                notify_queries.set_mail(person, f"{person}@example.org", "en", 1)
            )
        await server.tables.change(table, lambda _: [log.Start()])
        await until(lambda: mailbox.letters)
        await asyncio.sleep(1.2)
        (letter,) = mailbox.letters
        assert letter["To"] == f"{table.awaited}@example.org"
        assert "Lumens" in letter["Subject"]
        assert "https://games.example.org/t/t" in letter.get_content()
        assert "https://games.example.org/me" in letter.get_content()
        await server.close()

    run(story())


def test_what_is_an_address() -> None:
    assert is_address("ida@example.org")
    for wrong in ("", "ida", "ida@x", "a b@example.org", "a@b.org\nBcc: c@d.org", "<a@b.org>"):
        assert not is_address(wrong)
