"""Configuration of the server. Worker processes read it from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
import platformdirs

PREFIX = "VEILLEE_"


def default_database() -> str:
    return str(Path(platformdirs.user_data_dir("veillee")) / "tables.sqlite")


class ServerConfig(msgspec.Struct, frozen=True, omit_defaults=True):
    """Each setting can be given as a variable: `VEILLEE_DATABASE`, `VEILLEE_BUS`, …"""

    database: str = msgspec.field(default_factory=default_database)
    """A path for SQLite, or `postgresql://…`."""
    bus: str = ""
    """`redis://…`; "" for the bus that belongs to the database."""
    level: str = "wanderer"
    """The bots' level where nobody chose one."""
    pace: int = 1200
    """Shortest time a bot takes, in milliseconds."""
    address: str = ""
    """Public address, used in links; without it, the address in the browser is used."""
    allowed_hosts: tuple[str, ...] = ()
    """The host names under which the server answers; () for all."""
    limits: bool = True
    """Whether there are rate limits."""
    away: float = 60
    """Seconds without a heartbeat after which the others may vote for a bot."""
    workers: int = 1
    """Number of worker processes on this host."""
    bot_processes: int = 0
    """Number of processes for bots; 0 for one less than there are processors."""
    ban_refresh: float = 15
    """Seconds between two looks at the list of bans."""
    analysis_iterations: int = 600_000
    """Iterations of search for the analysis of a game."""
    compiling: bool = False
    """Whether another process compiles the games that are not compiled."""
    metrics: str = ""
    """`host:port` at which Prometheus finds `/metrics`; "" for none."""
    log_json: bool = False
    """Whether each line of the log is a JSON object."""
    log_requests: bool = False
    """Whether there is a line for each request."""
    reports: str = ""
    """A folder with reports of `veillee lab study` that the pages of variants show; "" for none."""
    contact: str = ""
    """An e-mail address of the host, which push services are told."""
    smtp: str = ""
    """The server for e-mail: `smtp://user:password@host:587`, or `smtps://…`; "" for none."""
    mail_from: str = ""
    """The sender of e-mail."""
    private_endpoints: bool = False
    """Whether messages may go to private networks and by plain HTTP, as in tests."""
    delete_finished: int = 0
    """Days after which finished tables are deleted; 0 for never."""
    delete_abandoned: int = 0
    """Days without any action after which other tables are deleted; 0 for never."""
    delete_people: int = 0
    """Days after which people without tables are deleted; 0 for never."""

    @classmethod
    def from_environment(cls, variables: Mapping[str, str] = os.environ) -> ServerConfig:
        given = {
            name: variables[PREFIX + name.upper()]
            for name in cls.__struct_fields__
            if PREFIX + name.upper() in variables
        }
        hosts = given.pop("allowed_hosts", "")
        values = given | ({"allowed_hosts": hosts.split(",")} if hosts else {})
        return msgspec.convert(values, cls, strict=False)

    def to_environment(self) -> dict[str, str]:
        """The variables from which workers read this."""
        values = msgspec.structs.asdict(self) | {"allowed_hosts": ",".join(self.allowed_hosts)}
        return {PREFIX + name.upper(): str(value) for name, value in values.items()}
