"""The cache of the key set, against a real HTTP server."""

import json
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from fairline_keys import MAX_KEY_SET_BYTES, REFRESH_SECONDS, UNKNOWN_SECONDS, KeySet

X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"


def key_set(*kids):
    return json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "x": X, "kid": kid} for kid in kids]})


class Keys(unittest.TestCase):
    def setUp(self):
        self.status, self.answer, self.fetches, self.now = 200, key_set("a"), 0, 1_800_000_000.0
        test = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                test.fetches += 1
                self.send_response(test.status)
                if test.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(test.answer.encode())

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.keys = KeySet(f"http://127.0.0.1:{self.server.server_port}/jwks.json", lambda: self.now)

    def expect(self, kid, is_known, fetches):
        self.assertEqual((self.keys.find(kid) is not None, self.fetches), (is_known, fetches))

    def test_keys_are_fetched_once_and_refreshed(self):
        self.expect("a", True, 1)
        self.expect("a", True, 1)
        self.now += REFRESH_SECONDS
        self.answer = key_set("b")
        self.expect("a", False, 2)  # retired
        self.expect("b", True, 2)

    def test_unknown_keys_are_fetched_at_most_once_a_second(self):
        self.expect("a", True, 1)
        self.answer = key_set("a", "b")
        for _ in range(50):
            self.expect("b", False, 1)
        self.now += UNKNOWN_SECONDS
        self.assertTrue(self.keys.is_due("b"))
        self.expect("b", True, 2)
        self.assertFalse(self.keys.is_due("b"))
        for _ in range(50):
            self.expect("nobody's", False, 2)

    def test_known_keys_stay_while_the_source_is_away(self):
        self.expect("a", True, 1)
        too_long = json.dumps({"keys": [], "x": "x" * MAX_KEY_SET_BYTES})
        answers = [(500, key_set()), (200, "<html>"), (200, '{"keys": "none"}'), (200, too_long), (302, key_set())]
        for fetches, (self.status, self.answer) in enumerate(answers, 2):
            self.now += 3600
            self.expect("a", True, fetches)

    def test_one_of_many_callers_fetches(self):
        with ThreadPoolExecutor(20) as pool:
            found = list(pool.map(lambda _: self.keys.find("a") is not None, range(50)))
        self.assertEqual((found, self.fetches), ([True] * 50, 1))

    def test_keys_of_any_shape_do_no_harm(self):
        good = json.loads(key_set("a"))["keys"]
        keys = KeySet({"keys": [7, {"kid": ["a"]}, {"kid": "b", "crv": {}, "x": 1}, {}, *good]})
        self.assertIsNotNone(keys.find("a"))
        self.assertIsNone(keys.find("b"))

    def test_a_source_that_is_no_url_is_refused(self):
        for source in ("keys.json", "file:///etc/keys.json"):
            with self.assertRaises(ValueError):
                KeySet(source)
