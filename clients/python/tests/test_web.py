"""The middleware, with the same table of requests for WSGI and ASGI."""

import asyncio
import json
import unittest
from wsgiref.util import setup_testing_defaults

from fairline import Verifier
from fairline_web import ENTRY, create_asgi_middleware, create_wsgi_middleware
from test_vectors import FILE, create_verifier

GOOD = FILE["vectors"][0]
COOKIE = GOOD["cookie"]
PAGE = {"accept": "text/html"}

# What is asked, and status, Location and a part of the body that must come.
TABLE = [
    ("GET", "/about", {}, 200, None, '"nobody"'),
    ("GET", "/shop/concert", {"cookie": COOKIE}, 200, None, '"guest:'),
    ("GET", "/shop/concert?row=4&x=%2F", PAGE, 302, "/queue/concert?to=%2Fshop%2Fconcert%3Frow%3D4%26x%3D%252F", ""),
    ("GET", "/shop/other", {"cookie": COOKIE, **PAGE}, 302, "/queue/other?to=%2Fshop%2Fother", ""),
    ("GET", "/shop/concert", {"sec-fetch-dest": "empty", **PAGE}, 403, None, '"ENTRY_TOKEN_REQUIRED"'),
    ("POST", "/shop/concert", PAGE, 403, None, '"redirectTo": "/queue/concert"'),
    ("GET", "/shop/", PAGE, 302, "/queue", ""),
    ("GET", "/shop/a%0d%0ab", PAGE, 302, "/queue", ""),
    ("GET", "/shop/concert", {"cookie": COOKIE, "x-user": "mina"}, 403, None, '"ENTRY_TOKEN_INVALID"'),
]


def event_of(path):
    return path[len("/shop/") :] if path.startswith("/shop/") else None


def wsgi_app(environ, start_response):
    start_response("200 OK", [])
    return [json.dumps(environ[ENTRY].visitor if ENTRY in environ else "nobody").encode()]


async def asgi_app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    body = json.dumps(scope[ENTRY].visitor if ENTRY in scope else "nobody").encode()
    await send({"type": "http.response.body", "body": body})


def ask_wsgi(method, target, headers):
    app = create_wsgi_middleware(
        wsgi_app,
        create_verifier(lambda: GOOD["now"]),
        event=lambda environ: event_of(environ["PATH_INFO"]),
        user=lambda environ: environ.get("HTTP_X_USER"),
    )
    path, _, query = target.partition("?")
    path = path.replace("%0d%0a", "\r\n")
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, ENTRY: "forged"}
    environ.update({f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()})
    setup_testing_defaults(environ)
    answer = {}
    body = app(environ, lambda status, sent: answer.update(status=int(status[:3]), headers=dict(sent)))
    return answer["status"], answer["headers"], b"".join(body).decode()


def asgi_scope(method, target, headers, kind="http"):
    path, _, query = target.partition("?")
    return {
        "type": kind,
        "method": method,
        "path": path.replace("%0d%0a", "\r\n"),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


def run_asgi(scope, verifier=None):
    app = create_asgi_middleware(
        asgi_app,
        verifier or create_verifier(lambda: GOOD["now"]),
        event=lambda scope: event_of(scope["path"]),
        user=lambda scope: dict(scope["headers"]).get(b"x-user", b"").decode() or None,
    )
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent


def ask_asgi(method, target, headers):
    start, body = run_asgi(asgi_scope(method, target, headers))
    names = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], {name.title(): value for name, value in names.items()}, body["body"].decode()


class Middleware(unittest.TestCase):
    def test_table(self):
        for ask in (ask_wsgi, ask_asgi):
            for method, target, headers, status, location, part in TABLE:
                with self.subTest(ask=ask.__name__, method=method, target=target, headers=headers):
                    got, answered, body = ask(method, target, headers)
                    self.assertEqual((got, answered.get("Location")), (status, location))
                    self.assertIn(part, body)
                    self.assertEqual(answered.get("Cache-Control"), None if status == 200 else "no-store")

    def test_a_websocket_without_an_admission_is_closed(self):
        sent = run_asgi(asgi_scope("GET", "/shop/concert", {}, "websocket"))
        self.assertEqual(sent, [{"type": "websocket.close", "code": 1008, "reason": "ENTRY_TOKEN_REQUIRED"}])

    def test_cookies_that_come_one_by_one_are_joined(self):
        scope = asgi_scope("GET", "/shop/concert", {})
        scope["headers"] = [(b"cookie", cookie.encode()) for cookie in COOKIE.split("; ")]
        self.assertEqual(run_asgi(scope)[0]["status"], 200)

    def test_the_event_loop_does_not_wait_for_keys(self):
        verifier = Verifier(jwks="http://127.0.0.1:9/jwks.json", now=lambda: GOOD["now"])
        self.assertTrue(verifier.would_fetch(COOKIE))
        start = run_asgi(asgi_scope("GET", "/shop/concert", {"cookie": COOKIE}), verifier)[0]
        self.assertEqual(start["status"], 403)
        self.assertFalse(verifier.would_fetch(COOKIE))

    def test_nothing_to_verify_with(self):
        with self.assertRaises(ValueError):
            Verifier()
        with self.assertRaises(TypeError):
            Verifier(secrets="a text instead of a list")
