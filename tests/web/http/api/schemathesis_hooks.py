"""How schemathesis reads lines of JSON."""

from __future__ import annotations

import json
from typing import Any

import schemathesis


@schemathesis.deserializer("application/x-ndjson")
def read_lines(_context: Any, response: Any) -> Any:
    """Return the first message: the configuration asks for one."""
    return json.loads(response.content.split(b"\n", 1)[0])
