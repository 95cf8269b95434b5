"""Protection against cross-site request forgery, by headers alone.

Browsers say where a request comes from: `Sec-Fetch-Site`, or else `Origin`, which every browser
sends with a POST. The rules are those of `http.CrossOriginProtection` in Go 1.25, which Datasette
adopted too: https://words.filippo.io/csrf/. Clients that are no browsers send neither header and
have no cookies that a foreign page could use.
"""

from __future__ import annotations

from collections.abc import Mapping

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def is_cross_site(method: str, headers: Mapping[bytes, bytes]) -> bool:
    """Tell whether a request with side effects comes from a foreign page."""
    if method in SAFE_METHODS:
        return False
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin, host = headers.get(b"origin"), headers.get(b"host", b"")
    return origin is not None and origin.partition(b"://")[2] != host
