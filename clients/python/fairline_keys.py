"""The keys of fairline.py: HS256 secrets, and the public keys of the line with a cache."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import threading
import time
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence, Union

REFRESH_SECONDS = 5.0  # a retired key is refused this soon
UNKNOWN_SECONDS = 1.0  # at most one fetch a second for keys that nobody knows
FETCH_TIMEOUT_SECONDS = 2.0
MAX_KEY_SET_BYTES = 64 * 1024
MAX_KEYS = 100

BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Key:
    """A key fixes its algorithm, so that a token cannot choose one."""

    algorithm: str
    verify: Callable[[bytes, bytes], bool]


class KeySet:
    """The public keys of the line. While its source is away, the keys that are known stay in use."""

    def __init__(self, source: Union[str, Mapping[str, Any], None], now: Callable[[], float] = time.time) -> None:
        self._url = source if isinstance(source, str) else None
        if self._url is not None and not self._url.startswith(("https://", "http://")):
            raise ValueError(f"jwks is no URL: {self._url!r}; expected https://…/.well-known/jwks.json or a key set")
        self._keys: Mapping[str, Key] = {} if self._url or source is None else _read_keys(source)
        self._now = now
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")
        self._lock = threading.Lock()  # held while fetching

    def find(self, kid: str) -> Optional[Key]:
        if not self.is_due(kid):
            return self._keys.get(kid)
        is_known = kid in self._keys
        # One caller refreshes while the others use what is known. Who knows no key waits for the fetch under way.
        if self._lock.acquire(blocking=not is_known):
            try:
                self._fetch_if_due(REFRESH_SECONDS if is_known else UNKNOWN_SECONDS)
            finally:
                self._lock.release()
        return self._keys.get(kid)

    def is_due(self, kid: str) -> bool:
        if self._url is None:
            return False
        if kid in self._keys:
            return min(self._now() - self._fetched_at, self._now() - self._tried_at) >= REFRESH_SECONDS
        return self._now() - self._tried_at >= UNKNOWN_SECONDS or self._lock.locked()

    def _fetch_if_due(self, every: float) -> None:
        if self._now() - self._tried_at < every:
            return
        self._tried_at = self._now()
        try:
            self._keys = _read_keys(_parse(_fetch(self._url or "")))
            self._fetched_at = self._now()
        except (OSError, ValueError):
            pass  # stays with the keys that it has


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Keys come from the address that was configured, not from where it redirects to."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _fetch(url: str) -> bytes:
    opener = urllib.request.build_opener(_NoRedirects)
    with opener.open(url, timeout=FETCH_TIMEOUT_SECONDS) as response:
        document = response.read(MAX_KEY_SET_BYTES + 1)
    if len(document) > MAX_KEY_SET_BYTES:
        raise ValueError(f"the key set of {url} exceeds {MAX_KEY_SET_BYTES} bytes")
    return document


def _read_keys(document: Any) -> Mapping[str, Key]:
    """Skips keys that it cannot use, so that a new kind of key harms no old verifier."""
    entries = document.get("keys") if isinstance(document, Mapping) else None
    if not isinstance(entries, list):
        raise ValueError('not a JSON Web Key Set; expected {"keys": [...]}')
    keys: dict[str, Key] = {}
    for jwk in entries:
        kid = jwk.get("kid") if isinstance(jwk, Mapping) else None
        if not isinstance(kid, str) or not kid or kid in keys or len(keys) == MAX_KEYS:
            continue
        key = _read_key(jwk)
        if key is not None:
            keys[kid] = key
    return keys


def _read_key(jwk: Mapping[str, Any]) -> Optional[Key]:
    x, y = _decode_field(jwk, "x"), _decode_field(jwk, "y")
    if jwk.get("use", "sig") != "sig" or len(x) != 32:
        return None
    if (jwk.get("kty"), jwk.get("crv"), jwk.get("alg", "EdDSA")) == ("OKP", "Ed25519", "EdDSA"):
        return Key("EdDSA", _ed25519(x))
    if (jwk.get("kty"), jwk.get("crv"), jwk.get("alg", "ES256")) == ("EC", "P-256", "ES256") and len(y) == 32:
        try:
            return Key("ES256", _p256(int.from_bytes(x, "big"), int.from_bytes(y, "big")))
        except ValueError:
            return None  # not a point of the curve
    return None


def _ed25519(x: bytes) -> Callable[[bytes, bytes], bool]:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    public = Ed25519PublicKey.from_public_bytes(x)

    def verify(signed: bytes, signature: bytes) -> bool:
        try:
            public.verify(signature, signed)
            return True
        except InvalidSignature:
            return False

    return verify


def _p256(x: int, y: int) -> Callable[[bytes, bytes], bool]:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256

    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()

    def verify(signed: bytes, signature: bytes) -> bool:
        if len(signature) != 64:
            return False
        r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
        try:
            public.verify(utils.encode_dss_signature(r, s), signed, ec.ECDSA(SHA256()))
            return True
        except InvalidSignature:
            return False

    return verify


def secret_keys(secrets: Sequence[str]) -> Mapping[str, Key]:
    def key_of(secret: str) -> Key:
        def verify(signed: bytes, signature: bytes) -> bool:
            return hmac.compare_digest(hmac.new(secret.encode(), signed, hashlib.sha256).digest(), signature)

        return Key("HS256", verify)

    # The kid is derived from the secret, so that both sides know it.
    return {hash_of(f"fairline key id:{secret}")[:8]: key_of(secret) for secret in secrets}


def decode_object(encoded: str) -> Optional[Mapping[str, Any]]:
    content = decode(encoded)
    try:
        value = None if content is None else _parse(content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parse(content: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    return json.loads(content.decode(), parse_constant=refuse)


def decode(encoded: str) -> Optional[bytes]:
    if not BASE64URL.fullmatch(encoded) or len(encoded) % 4 == 1:
        return None
    content = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    return content if _encode(content) == encoded else None


def _decode_field(jwk: Mapping[str, Any], name: str) -> bytes:
    text = jwk.get(name)
    return (decode(text) or b"") if isinstance(text, str) else b""


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def hash_of(text: str) -> str:
    return _encode(hashlib.sha256(text.encode()).digest())
