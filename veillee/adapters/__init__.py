"""The games for research: PettingZoo, Gymnasium and OpenSpiel.

`pip install 'veillee[rl]'` installs these libraries; nothing outside this package imports them.
"""

from __future__ import annotations

NEEDED = "this needs libraries for research; install them with: pip install 'veillee[rl]'"
"""Error of an adapter whose library is missing."""
