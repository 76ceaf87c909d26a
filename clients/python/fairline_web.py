"""Middleware that lets only admitted visitors pass: WSGI (Flask, Django, Pyramid) and ASGI (FastAPI, Starlette, Django).

A page load without an admission is redirected to the waiting page; everything else gets 403 with that address.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Awaitable, Callable, Iterable, Mapping, MutableMapping, Optional
from urllib.parse import quote

from fairline import Entry, Refused, Verifier

ENTRY = "fairline.entry"  # the Entry of an admitted visitor, in the WSGI environ or the ASGI scope

EVENT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
# A path of this site. The line checks it again.
WANTED_PAGE = re.compile(r"/(?:[\x21\x22\x24-\x2e\x30-\x5b\x5d-\x7e][\x21\x22\x24-\x5b\x5d-\x7e]*)?")
MAX_WANTED_PAGE = 1024

Environ = MutableMapping[str, Any]
Headers = Mapping[str, str]


def create_wsgi_middleware(
    app: Callable[..., Iterable[bytes]],
    verifier: Verifier,
    event: Callable[[Environ], Optional[str]],
    user: Callable[[Environ], Optional[str]] = lambda environ: None,
    on_refusal: Callable[[Environ, Refused], None] = lambda environ, refused: None,
) -> Callable[..., Iterable[bytes]]:
    """event: the event that a request is about; None: the request needs no token.
    user: the id of the user whom your site has authenticated; None: a guest.
    """

    def middleware(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        environ.pop(ENTRY, None)
        wanted = event(environ)
        if wanted is None:
            return app(environ, start_response)
        cookie, header = environ.get("HTTP_COOKIE"), environ.get("HTTP_X_QUEUE_ENTRY_TOKEN")
        try:
            environ[ENTRY] = verifier.check(wanted, cookie, header, user(environ))
        except Refused as refused:
            on_refusal(environ, refused)
            is_page = _is_page_load(
                environ["REQUEST_METHOD"], environ.get("HTTP_SEC_FETCH_DEST"), environ.get("HTTP_ACCEPT")
            )
            status, headers, body = _send_to_wait(wanted, _wsgi_target(environ), is_page, refused)
            start_response("302 Found" if status == 302 else "403 Forbidden", headers)
            return [body]
        return app(environ, start_response)

    return middleware


def create_asgi_middleware(
    app: Callable[..., Awaitable[None]],
    verifier: Verifier,
    event: Callable[[Mapping[str, Any]], Optional[str]],
    user: Callable[[Mapping[str, Any]], Optional[str]] = lambda scope: None,
    on_refusal: Callable[[Mapping[str, Any], Refused], None] = lambda scope, refused: None,
) -> Callable[..., Awaitable[None]]:
    """As create_wsgi_middleware, for HTTP requests and WebSockets."""

    async def middleware(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        wanted = event(scope) if scope["type"] in ("http", "websocket") else None
        if wanted is None:
            return await app({name: scope[name] for name in scope if name != ENTRY}, receive, send)
        headers = _headers_of(scope)
        try:
            entry = await _check(verifier, wanted, headers, user(scope))
        except Refused as refused:
            on_refusal(scope, refused)
            return await _refuse(scope, headers, receive, send, wanted, refused)
        return await app({**scope, ENTRY: entry}, receive, send)

    return middleware


async def _check(verifier: Verifier, event: str, headers: Headers, user: Optional[str]) -> Entry:
    cookie, header = headers.get("cookie"), headers.get("x-queue-entry-token")
    if verifier.would_fetch(cookie, header):
        # In another thread: the event loop must not wait for the network.
        return await asyncio.to_thread(verifier.check, event, cookie, header, user)
    return verifier.check(event, cookie, header, user)


async def _refuse(
    scope: Mapping[str, Any], headers: Headers, receive: Any, send: Any, event: str, refused: Refused
) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": refused.code})
        return
    is_page = _is_page_load(scope["method"], headers.get("sec-fetch-dest"), headers.get("accept"))
    path = scope.get("raw_path") or quote(scope["path"]).encode()
    query = scope.get("query_string") or b""
    target = (path + (b"?" + query if query else b"")).decode("latin-1")
    status, answer, body = _send_to_wait(event, target, is_page, refused)
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _headers_of(scope: Mapping[str, Any]) -> Headers:
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        # HTTP/2 may send cookies one by one.
        headers[name] = f"{headers[name]}{'; ' if name == 'cookie' else ', '}{value}" if name in headers else value
    return headers


def _wsgi_target(environ: Environ) -> str:
    path = quote((environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")).encode("latin-1"))
    query = environ.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def _send_to_wait(
    event: str, target: str, is_page: bool, refused: Refused
) -> tuple[int, list[tuple[str, str]], bytes]:
    to = "/queue"
    if EVENT_ID.fullmatch(event):
        to += f"/{event}"
        if is_page and len(target) <= MAX_WANTED_PAGE and WANTED_PAGE.fullmatch(target):
            to += f"?to={quote(target, safe='')}"
    common = [("Cache-Control", "no-store")]
    if is_page:
        return 302, [*common, ("Location", to), ("Content-Length", "0")], b""
    error = {"code": refused.code, "message": "This page needs an admission of the waiting room."}
    body = json.dumps({"error": error, "redirectTo": to}).encode()
    return 403, [*common, ("Content-Type", "application/json"), ("Content-Length", str(len(body)))], body


def _is_page_load(method: str, loads: Optional[str], accept: Optional[str]) -> bool:
    """Browsers say what they load. A form or a script would lose its content by a redirect."""
    if method not in ("GET", "HEAD"):
        return False
    return loads == "document" if loads else "text/html" in (accept or "")
