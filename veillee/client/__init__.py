"""A client of the HTTP API, for bots and other programs: `pip install 'veillee[client]'`.

```python
from veillee.client import Client

with Client("https://games.example.org", token) as client:
    for message in client.follow():
        if message.event == "turn":
            client.play(message.table, message.table.actions[0])
```
"""

from veillee.client.asynchronous import AsyncClient
from veillee.client.connection import ApiError
from veillee.client.synchronous import Client

__all__ = ["ApiError", "AsyncClient", "Client"]
