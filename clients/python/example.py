"""A small shop: the pages below /shop/{event} are for visitors who were admitted to that event."""

import os
from wsgiref.simple_server import make_server

from fairline import Verifier
from fairline_web import ENTRY, create_wsgi_middleware

verifier = Verifier(jwks=os.environ["LINE_URL"] + "/.well-known/jwks.json")


def shop(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain; charset=utf-8")])
    entry = environ.get(ENTRY)
    text = f"Tickets of {entry.event} for {entry.visitor}" if entry else "Welcome"
    return [text.encode()]


def event_of(environ):
    path = environ["PATH_INFO"]
    return path[len("/shop/") :] if path.startswith("/shop/") else None


app = create_wsgi_middleware(shop, verifier, event_of)

if __name__ == "__main__":
    make_server("127.0.0.1", int(os.environ["PORT"]), app).serve_forever()
