"""Bans: people and networks whose commands are refused."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from veillee.web.database import Store, queries
from veillee.web.refreshed import Refreshed


class Bans(Refreshed):
    """The list, in memory; another process may change it."""

    def __init__(self, store: Store, every: float) -> None:
        super().__init__("bans", every)
        self._store = store
        self._people: frozenset[str] = frozenset()
        self._networks: list[IPv4Network | IPv6Network] = []

    async def refresh(self) -> None:
        subjects = await queries.bans(self._store)
        networks = {subject: network_in(subject) for subject in subjects}
        self._networks = [network for network in networks.values() if network is not None]
        self._people = frozenset(s for s, network in networks.items() if network is None)

    def include(self, person: str, address: str) -> bool:
        """Tell whether a person or their address is banned."""
        if person in self._people:
            return True
        if not self._networks:
            return False
        try:
            where = ip_address(address)
        except ValueError:
            return False
        return any(where in network for network in self._networks)


def network_in(subject: str) -> IPv4Network | IPv6Network | None:
    """Return the network of `192.0.2.7` or `2001:db8::/64`; None if it is a person's id."""
    try:
        return ip_network(subject, strict=False)
    except ValueError:
        return None
