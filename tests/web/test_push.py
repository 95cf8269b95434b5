"""Web push to an endpoint of our own, which verifies the signature and decrypts the message."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.web.guest import Guest
from tests.web.loop import run
from tests.web.served import Served
from tests.web.tables.test_registry import play
from veillee.web.config import ServerConfig
from veillee.web.database import notify_queries
from veillee.web.http.context import AppContext
from veillee.web.outbound import Forbidden, post
from veillee.web.people import Person, Settings
from veillee.web.tables import listing, log, presence
from veillee.web.tables.plans import TablePlan, open_table
from veillee.web.tables.table import Table

OVER_DAYS = TablePlan("lumens", ["", ""], {0: ""}, "00" * 16, timing="days", amount=1)


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushService:
    """A push service with the browser behind it. It takes what RFC 8291 and 8292 ask for."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.public = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        self.secret = b"sixteen bytes..."
        self.messages: list[dict[str, Any]] = []
        self.claims: list[dict[str, Any]] = []
        self.wrong: list[str] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                try:
                    if service.status < 300:
                        service.take(dict(self.headers), body)
                except Exception as error:  # noqa: BLE001 - told to the test
                    service.wrong.append(repr(error))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def subscription(self, person: str, name: str = "one") -> notify_queries.Subscription:
        keys = encoded(self.public), encoded(self.secret)
        return notify_queries.Subscription(f"{self.address}/send/{name}", person, *keys, "fr")

    def take(self, headers: dict[str, str], body: bytes) -> None:
        headers = {key.lower(): value for key, value in headers.items()}
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        assert len(headers["topic"]) <= 32
        self.claims.append(self._verify(headers["authorization"]))
        self.messages.append(json.loads(self._decrypt(body)))

    def _verify(self, authorization: str) -> dict[str, Any]:
        scheme, _, rest = authorization.partition(" ")
        assert scheme == "vapid"
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        head, claims, signature = fields["t"].split(".")
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(fields["k"]))
        raw = decoded(signature)
        both = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        key.verify(both, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
        assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
        told: dict[str, Any] = json.loads(decoded(claims))
        assert told["aud"] == self.address
        assert time.time() < told["exp"] <= time.time() + 24 * 3600
        return {**told, "k": fields["k"]}

    def _decrypt(self, body: bytes) -> bytes:
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        )
        info = b"WebPush: info\0" + self.public + sender
        key = HKDF(SHA256(), 32, self.secret, info).derive(shared)
        content = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(key)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(key)
        plain = AESGCM(content).decrypt(nonce, sealed, None)
        assert plain.endswith(b"\x02")
        return plain[:-1]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service() -> Iterator[PushService]:
    made = PushService()
    yield made
    made.close()
    assert not made.wrong


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "NOTIFY_AFTER", 0)
    monkeypatch.setattr(presence, "INTERVAL", 0.2)


@asynccontextmanager
async def servers(database: str, count: int = 2) -> AsyncIterator[list[AppContext]]:
    config = ServerConfig(database, level="random", workers=2, private_endpoints=True)
    made = [AppContext(config) for _ in range(count)]
    for server in made:
        await server.open()
    yield made
    for server in made:
        await server.close()


async def over_days(server: AppContext) -> Table:
    """Ida and Bo at a table with a day for each decision."""
    await server.people.save(Person("ida", "Ida"))
    await server.people.save(Person("bo", "Bo", Settings(language="es")))
    table = await open_table(server.tables, "t", server.seeds.seed("t"), "ida", OVER_DAYS)
    await server.tables.change(table, lambda _: [log.Sit(1, "bo", "11" * 16)])
    return table


async def until(true: Any, seconds: float = 15) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


def test_who_is_awaited_gets_one_message_from_one_server(
    database: str, service: PushService
) -> None:
    async def story() -> None:
        async with servers(database, 3) as (one, other, _):
            table = await over_days(one)
            for person in ("ida", "bo"):
                given = service.subscription(person, person)
                await one.store.write(*notify_queries.subscribe(given, 1))
            await one.tables.change(table, lambda _: [log.Start()])
            await until(lambda: service.messages)
            await asyncio.sleep(1.5)
            assert len(service.messages) == 1
            first = table.awaited
            other_name, body = {
                "ida": ("Bo", "À vous de jouer, avec Bo."),
                "bo": ("Ida", "Te toca jugar, con Ida."),
            }[first]
            (message,) = service.messages
            assert message["title"] == "Lumens"
            assert message["body"] == body, other_name
            assert message["path"] == "/t/t"
            assert service.claims[0]["k"] == other.notifier.signer.public
            assert service.claims[0]["sub"].startswith("mailto:")
            while table.awaited == first:
                await one.tables.change(table, play)
            await until(lambda: len(service.messages) == 2)
            assert service.messages[1]["tag"] == message["tag"]

    run(story())


def test_who_is_at_the_table_gets_none(database: str, service: PushService) -> None:
    async def story() -> None:
        async with servers(database) as (one, other):
            table = await over_days(one)
            for person in ("ida", "bo"):
                given = service.subscription(person, person)
                await one.store.write(*notify_queries.subscribe(given, 1))
                there = await other.tables.get("t")
                other.presence.enter(there, person)
            await asyncio.sleep(0.6)  # the servers exchange who is there
            await one.tables.change(table, lambda _: [log.Start()])
            await asyncio.sleep(2)
            assert not service.messages

    run(story())


def test_no_message_without_days_for_each_decision(database: str, service: PushService) -> None:
    async def story() -> None:
        async with servers(database) as (one, _):
            await one.store.write(*notify_queries.subscribe(service.subscription("ida"), 1))
            plan = TablePlan("lumens", ["", ""], {0: "", 1: "Bo"}, "00" * 16)
            await open_table(one.tables, "t", one.seeds.seed("t"), "ida", plan)
            await asyncio.sleep(1.5)
            assert not service.messages

    run(story())


def test_a_browser_that_is_gone_is_forgotten(database: str, service: PushService) -> None:
    async def story() -> None:
        async with servers(database, 1) as (one,):
            table = await over_days(one)
            for person in ("ida", "bo"):
                given = service.subscription(person, person)
                await one.store.write(*notify_queries.subscribe(given, 1))
            service.status = 410
            await one.tables.change(table, lambda _: [log.Start()])
            async with asyncio.timeout(15):
                while await notify_queries.subscriptions_of(one.store, table.awaited):
                    await asyncio.sleep(0.05)

    run(story())


def test_a_person_has_only_so_many_devices(database: str, service: PushService) -> None:
    async def story() -> None:
        async with servers(database, 1) as (one,):
            for number in range(12):
                given = service.subscription("ida", str(number))
                await one.store.write(*notify_queries.subscribe(given, number))
            kept = await notify_queries.subscriptions_of(one.store, "ida")
            assert len(kept) == notify_queries.MOST_SUBSCRIPTIONS
            assert service.subscription("ida", "11") in kept
            await one.people.forget("ida")
            assert not await notify_queries.subscriptions_of(one.store, "ida")

    run(story())


def test_a_browser_subscribes_and_unsubscribes(served: Served, service: PushService) -> None:
    ida = Guest(served.address)
    assert len(decoded(ida.http.get("/push/key").json()["key"])) == 65
    given = service.subscription("ida")._asdict()
    fields = {name: given[name] for name in ("p256dh", "auth")}

    def ask(path: str, endpoint: str, **changed: str) -> httpx.Response:
        body = {**fields, "endpoint": endpoint, **changed}
        return ida.http.post(path, json=body, headers={"x-veillee": "1"})

    assert ask("/push", "https://push.example.org/a").status_code == 200
    assert ask("/push/forget", "https://push.example.org/a").status_code == 200
    for endpoint in ("http://push.example.org/a", "https://", "file:///etc/passwd", "x", ""):
        assert ask("/push", endpoint).status_code == 400
    assert ask("/push", "https://push.example.org/a", p256dh="AAAA").status_code == 400
    assert ask("/push", "https://push.example.org/a", auth="AAAA").status_code == 400


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x", "https://10.0.0.1/"]
)
def test_nothing_is_sent_into_private_networks(url: str) -> None:
    with pytest.raises(Forbidden):
        post(url, b"", {})
