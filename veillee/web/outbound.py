"""Requests to addresses that people give: HTTPS, no redirects, and no way into private networks.

The name is resolved once and the connection goes to the address that was checked, so a name that
changes its mind in between (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit

TIMEOUT = 10.0
"""Seconds."""


class Forbidden(Exception):
    """An address to which nothing is sent."""


class _Pinned(http.client.HTTPConnection):
    """A connection to an address that was checked, under the name that was given."""

    def __init__(self, name: str, address: str, port: int, context: ssl.SSLContext | None) -> None:
        super().__init__(name, port, timeout=TIMEOUT)
        self._address = address
        self._context = context

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), TIMEOUT)
        if self._context is not None:
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host)


def is_allowed(url: str, *, private: bool = False) -> bool:
    """Tell whether a URL is well-formed and has an allowed scheme."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    schemes = ("https", "http") if private else ("https",)
    plain = parts.username is None and parts.password is None
    return parts.scheme in schemes and bool(parts.hostname) and plain and port != 0


def is_literal(host: str) -> bool:
    """Tell whether a host is an IP address, not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Tell whether an IP address is public, and so is the IPv4 address embedded in it, if any."""
    parsed = ipaddress.ip_address(address)
    inner = getattr(parsed, "ipv4_mapped", None) or getattr(parsed, "sixtofour", None)
    return parsed.is_global and not parsed.is_multicast and (inner is None or inner.is_global)


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool = False) -> int:
    """Post to an address and return the status. This blocks: call it in a thread.

    Args:
        url: Where to.
        body: What.
        headers: With which headers.
        private: Whether plain HTTP and private networks are allowed, as in tests.

    Raises:
        Forbidden: If nothing is sent to that address.
        OSError: If nobody answers.
    """
    if not is_allowed(url, private=private):
        raise Forbidden(url)
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    name = parts.hostname or ""
    address = str(socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0][4][0])
    if not private and not is_public(address.partition("%")[0]):
        raise Forbidden(url)
    context = ssl.create_default_context() if secure else None
    connection = _Pinned(name, address, port, context)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, dict(headers))
        return connection.getresponse().status
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    finally:
        connection.close()
