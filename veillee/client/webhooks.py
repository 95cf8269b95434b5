"""Signatures of webhooks, as https://www.standardwebhooks.com says.

>>> secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
>>> headers = sign(secret, "msg_1", 1614265330, b"{}")
>>> headers["webhook-signature"]
'v1,ZztYR0IIDCBCUcYzh8ZE+qsQWpIgtHU7R1hpe8htaD4='
>>> verify(secret, headers, b"{}", now=1614265330)
True
>>> verify(secret, headers, b"{ }", now=1614265330)
False
>>> verify(secret, headers, b"{}", now=1614269999)
False
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping

PREFIX = "whsec_"
TOLERANCE = 5 * 60
"""Seconds by which a message may be older or newer than now."""


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that sign a message."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = b"%b.%d.%b" % (message_id.encode(), timestamp, body)
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{digest}",
    }


def verify(
    secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None
) -> bool:
    """Tell whether a message comes from the server that told you the secret, and just now.

    Args:
        secret: The webhook's secret.
        headers: The headers of the request, by names in small letters.
        body: Its body, byte for byte.
        now: Seconds since 1970; by default what the clock says.
    """
    told = headers.get("webhook-timestamp", "")
    if not told.isdigit() or abs(int(told) - (time.time() if now is None else now)) > TOLERANCE:
        return False
    expected = sign(secret, headers.get("webhook-id", ""), int(told), body)["webhook-signature"]
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in given)
