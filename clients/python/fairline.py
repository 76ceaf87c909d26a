"""Verifies the tokens of a Fairline waiting room: entry tokens, and vwr tokens of tier 1.

HS256 needs the standard library only; EdDSA and ES256 need `cryptography`. The checks and their order are those of
clients/README.md; clients/vectors.json tests them. Middleware for WSGI and ASGI is in fairline_web.py.
"""

from __future__ import annotations

import hmac
import re
import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from fairline_keys import Key, KeySet, decode, decode_object, hash_of, secret_keys

MAX_TOKEN_LENGTH = 2048
TOLERANCE_SECONDS = 5
LAST_SECOND = 8.64e12  # the last second of a date in JavaScript; JSON also has numbers like 1e400
MAX_SAFE_INTEGER = 2**53 - 1
GUEST_PREFIX = "guest:"

# Three parts in base64url. The last character of a signature has unused bits, which must be zero, so that a token has
# one spelling: 43 characters for HS256, 86 for EdDSA and ES256.
FORM = re.compile(
    r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.(?:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]|[A-Za-z0-9_-]{85}[AQgw])"
)
GUEST_KEY = re.compile(r"[A-Za-z0-9_-]{22}")
ANY_EVENT = object()


@dataclass(frozen=True)
class Entry:
    """The content of a good token."""

    event: str
    visitor: str  # of a vwr token: the device
    token_id: str  # the same for all tokens of one admission
    expires_at: float  # seconds


class Refused(Exception):
    """The request has no good token."""

    def __init__(self, kind: str, reason: str) -> None:
        name = "ENTRY_TOKEN" if kind == "entry" else "VWR" if reason == "missing" else "VWR_TOKEN"
        self.code = f"{name}_{'REQUIRED' if reason == 'missing' else 'INVALID'}"  # for the visitor
        self.reason = reason  # which check failed, for logs: missing, form, header, type, key, …
        super().__init__(f"{self.code} ({reason})")


class Verifier:
    """Safe for use by several threads."""

    def __init__(
        self,
        jwks: Union[str, Mapping[str, Any], None] = None,
        secrets: Sequence[str] = (),
        vwr_secrets: Sequence[str] = (),
        issuer: str = "fairline",
        audience: str = "fairline",
        now: Callable[[], float] = time.time,
    ) -> None:
        """jwks: the URL https://…/.well-known/jwks.json of the line, or a key set.
        secrets, vwr_secrets: for HS256, the current secret first, then previous ones that are still accepted.
        issuer, audience: TOKEN_ISSUER and TOKEN_AUDIENCE of the line.
        """
        if isinstance(secrets, str) or isinstance(vwr_secrets, str):
            raise TypeError("secrets and vwr_secrets are lists: the current secret first, then previous ones")
        if jwks is None and not secrets and not vwr_secrets:
            raise ValueError("nothing to verify with; pass jwks or secrets")
        self._secrets = {"entry": secret_keys(secrets), "vwr": secret_keys(vwr_secrets)}
        self._public = KeySet(jwks, now)
        self._issuer, self._audience, self._now = issuer, audience, now

    def check(
        self,
        event: Any,
        cookie: Optional[str] = None,
        header: Optional[str] = None,
        user: Optional[str] = None,
        kind: str = "entry",
    ) -> Entry:
        """Returns the content of the token, or raises Refused.

        event: the event that the request is about; ANY_EVENT: the caller compares entry.event itself.
        cookie, header: the headers Cookie and X-Queue-Entry-Token; None: not sent.
        user: the id of the user whom the site has authenticated; None: a guest, known by the cookie.
        """
        token = _find_token(kind, cookie, header)
        if token is None:
            raise Refused(kind, "missing")
        claims = self._verify(token, kind)
        entry = Entry(claims["sub"], claims["uid"], claims["jti"], claims["exp"])
        if event is not ANY_EVENT and entry.event != event:
            raise Refused(kind, "event")
        if not _is_caller(entry.visitor, kind, cookie, user):
            raise Refused(kind, "caller")
        return entry

    def would_fetch(self, cookie: Optional[str], header: Optional[str] = None, kind: str = "entry") -> bool:
        """Whether check would read the key set over the network: an event loop must not wait for it."""
        token = _find_token(kind, cookie, header)
        if token is None or len(token) > MAX_TOKEN_LENGTH or not FORM.fullmatch(token):
            return False
        kid = (decode_object(token.split(".")[0]) or {}).get("kid")
        return isinstance(kid, str) and kid not in self._secrets[kind] and self._public.is_due(kid)

    def _verify(self, token: str, kind: str) -> Mapping[str, Any]:
        if len(token) > MAX_TOKEN_LENGTH or not FORM.fullmatch(token):
            raise Refused(kind, "form")
        head, body, tail = token.split(".")
        header = decode_object(head)
        if header is None or "crit" in header:
            raise Refused(kind, "header")
        if header.get("typ") != f"{kind}+jwt":
            raise Refused(kind, "type")
        kid = header.get("kid")
        key = self._find_key(kid, kind) if isinstance(kid, str) and kid else None
        if key is None:
            raise Refused(kind, "key")
        if header.get("alg") != key.algorithm:
            raise Refused(kind, "algorithm")
        signature = decode(tail)
        if signature is None or not key.verify(f"{head}.{body}".encode(), signature):
            raise Refused(kind, "signature")
        claims = decode_object(body)
        if claims is None or not _has_right_claims(claims, kind):
            raise Refused(kind, "claims")
        self._judge(claims, kind, key.algorithm)
        return claims

    def _find_key(self, kid: str, kind: str) -> Optional[Key]:
        return self._secrets[kind].get(kid) or self._public.find(kid)

    def _judge(self, claims: Mapping[str, Any], kind: str, algorithm: str) -> None:
        # With a secret, the line names issuer and audience only if it is configured to.
        is_optional = algorithm == "HS256"
        if not (is_optional and "iss" not in claims) and claims.get("iss") != self._issuer:
            raise Refused(kind, "issuer")
        audience = claims.get("aud")
        audiences = audience if isinstance(audience, list) else [audience]  # RFC 7519 allows both
        if not (is_optional and "aud" not in claims) and self._audience not in audiences:
            raise Refused(kind, "audience")
        now = self._now()
        is_over = now >= claims["exp"] + TOLERANCE_SECONDS
        if is_over or claims.get("nbf", 0) > now + TOLERANCE_SECONDS:
            raise Refused(kind, "time")


def _has_right_claims(claims: Mapping[str, Any], kind: str) -> bool:
    are_texts = all(isinstance(claims.get(name), str) for name in ("sub", "uid", "jti"))
    if not are_texts or not _is_time(claims.get("exp")):
        return False
    if not all(_is_time(claims[name]) for name in ("nbf", "iat") if name in claims):
        return False
    if kind == "entry":
        return True
    tier, pos = claims.get("tier"), claims.get("pos")
    return _is_number(tier) and tier == 1 and _is_number(pos) and pos == pos // 1 and 0 < pos <= MAX_SAFE_INTEGER


def _is_time(value: Any) -> bool:
    return _is_number(value) and abs(value) <= LAST_SECOND


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)  # and not bool, which is an int too


def _is_caller(visitor: str, kind: str, cookie: Optional[str], user: Optional[str]) -> bool:
    """A user is whom the site has authenticated. A guest proves the id by a secret in the cookie, whose hash it is; the
    signature of that cookie is for the line alone."""
    if kind == "vwr":
        return _is_same(visitor, _browser_id(cookie, "fairline-device", "device"))
    if user is not None:
        return not user.startswith(GUEST_PREFIX) and _is_same(visitor, user)
    guest = _browser_id(cookie, "fairline-guest", "guest")
    return guest is not None and _is_same(visitor, GUEST_PREFIX + guest)


def _browser_id(cookie: Optional[str], name: str, label: str) -> Optional[str]:
    """The id that the key in a guest or device cookie proves."""
    token = read_cookie(cookie, f"__Host-{name}")
    if token is None:
        token = read_cookie(cookie, name) or ""
    parts = token.split(".")
    if len(parts) != 3 or len(token) > MAX_TOKEN_LENGTH:
        return None
    key = (decode_object(parts[1]) or {}).get("key")
    if not isinstance(key, str) or not GUEST_KEY.fullmatch(key):
        return None
    return hash_of(f"fairline {label} {key}")[:16]


def _is_same(visitor: str, caller: Optional[str]) -> bool:
    """In constant time. Nobody is called ''."""
    if not caller:
        return False
    return hmac.compare_digest(visitor.encode("utf-8", "surrogatepass"), caller.encode("utf-8", "surrogatepass"))


def _find_token(kind: str, cookie: Optional[str], header: Optional[str]) -> Optional[str]:
    if kind == "vwr":
        return read_cookie(cookie, "urr-vwr-token")
    return header if header is not None else read_cookie(cookie, "urr-entry-token")


def read_cookie(header: Optional[str], name: str) -> Optional[str]:
    """The first cookie of that name. Taken as it is: parsers of frameworks unquote and decode."""
    for cookie in (header or "").split(";"):
        cookie = cookie.strip(" \t")
        if cookie.startswith(f"{name}="):
            return cookie[len(name) + 1 :]
    return None
