"""Web Push: messages encrypted for a browser (RFC 8291) and signed by this server (RFC 8292)."""

from __future__ import annotations

import base64
import json
import os
import time
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096
LONGEST = 3000
"""Bytes of a message; push services accept 4096 in all."""
EXPIRES = 12 * 3600
"""Seconds for which a signature is good; 24 hours at most are allowed."""
POINT = 65
"""Bytes of a public key."""
SECRET = 16
"""Bytes of a browser's authentication secret."""


def new_key() -> str:
    """Return a new private key of a server, as text."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return number.to_bytes(32).hex()


def is_valid(p256dh: str, auth: str) -> bool:
    """Whether a browser's keys are well-formed."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unpadded(p256dh))
        return len(unpadded(auth)) == SECRET
    except ValueError:
        return False


class PushSigner:
    """Signs messages with the server's key, so that push services know who sends them."""

    def __init__(self, key: str, contact: str) -> None:
        """Sign with a key from `new_key`; `contact` is a URL at which the host can be reached."""
        self._key = ec.derive_private_key(int(key, 16), CURVE)
        self._contact = contact
        self.public = padless(_point(self._key))
        """The public key that browsers need to subscribe."""

    def authorization(self, endpoint: str) -> str:
        """Return the header `Authorization` for a message to an endpoint."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(time.time()) + EXPIRES,
            "sub": self._contact,
        }
        signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        return f"vapid t={signed}.{padless(r.to_bytes(32) + s.to_bytes(32))}, k={self.public}"


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """Encrypt a message for the browser with these keys (`aes128gcm`)."""
    browser = unpadded(p256dh)
    key = ec.generate_private_key(CURVE)
    own, salt = _point(key), os.urandom(16)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser))
    secret = _derive(shared, unpadded(auth), b"WebPush: info\0" + browser + own, 32)
    content_key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, message + b"\x02", None)
    return salt + RECORD.to_bytes(4) + bytes([len(own)]) + own + sealed


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _json(value: object) -> str:
    return padless(json.dumps(value, separators=(",", ":")).encode())


def padless(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unpadded(text: str) -> bytes:
    """Return the bytes of a text in base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
