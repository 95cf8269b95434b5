"""E-mail by the host's SMTP server: `smtp://user:password@host:587`, or `smtps://` for TLS."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

TIMEOUT = 20.0
LONGEST_ADDRESS = 254
ADDRESS = re.compile(r"[^@\s<>\",;:()\[\]\\]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


def is_address(text: str) -> bool:
    return len(text) <= LONGEST_ADDRESS and ADDRESS.fullmatch(text) is not None


class Mailer:
    """Sends e-mail."""

    def __init__(self, server: str, sender: str) -> None:
        """Send through a server; without one, `available` is false and nothing can be sent."""
        self._server = urlsplit(server)
        self._sender = sender
        self.available = bool(server and sender)

    def send(self, to: str, subject: str, text: str) -> None:
        """Send a message. This blocks: call it in a thread.

        Raises:
            OSError: If it could not be handed over (smtplib's exceptions are OSErrors).
        """
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain="veillee")
        message.set_content(text)
        server = self._server
        tls = ssl.create_default_context()
        if server.scheme == "smtps":
            link: smtplib.SMTP = smtplib.SMTP_SSL(
                server.hostname or "", server.port or 465, timeout=TIMEOUT, context=tls
            )
        else:
            link = smtplib.SMTP(server.hostname or "", server.port or 587, timeout=TIMEOUT)
        with link:
            link.ehlo()
            if server.scheme == "smtp" and link.has_extn("starttls"):
                link.starttls(context=tls)
            if server.username:
                link.login(unquote(server.username), unquote(server.password or ""))
            link.send_message(message)
