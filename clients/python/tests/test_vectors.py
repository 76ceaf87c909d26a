"""clients/vectors.json: what every verifier must accept and refuse."""

import json
import unittest
from pathlib import Path

from fairline import ANY_EVENT, Entry, Refused, Verifier

FILE = json.loads((Path(__file__).parents[2] / "vectors.json").read_text())


def create_verifier(now):
    secrets = FILE["secrets"]
    return Verifier(
        jwks=FILE["jwks"],
        secrets=[secrets["entry"], secrets["entryPrevious"]],
        vwr_secrets=[secrets["vwr"], secrets["vwrPrevious"]],
        issuer=FILE["issuer"],
        audience=FILE["audience"],
        now=now,
    )


class Vectors(unittest.TestCase):
    def test_all(self):
        self.assertGreater(len(FILE["vectors"]), 100)
        now = [0]
        verifier = create_verifier(lambda: now[0])
        for vector in FILE["vectors"]:
            with self.subTest(vector["name"]):
                now[0] = vector["now"]
                self.assertEqual(outcome_of(verifier, vector), vector["expect"])

    def test_a_line_break_after_the_token_is_refused(self):
        vector = FILE["vectors"][0]
        token, _, guest = vector["cookie"].partition("; ")
        verifier = create_verifier(lambda: vector["now"])
        with self.assertRaises(Refused) as refused:
            verifier.check("concert", guest, token.partition("=")[2] + "\n")
        self.assertEqual(refused.exception.reason, "form")


def outcome_of(verifier, vector):
    event = ANY_EVENT if vector["event"] is None else vector["event"]
    try:
        entry = verifier.check(event, vector.get("cookie"), vector.get("header"), vector.get("user"), vector["kind"])
    except Refused as refused:
        return {"outcome": "refused", "reason": refused.reason, "code": refused.code}
    assert isinstance(entry, Entry)
    return {
        "outcome": "good",
        "event": entry.event,
        "visitor": entry.visitor,
        "tokenId": entry.token_id,
        "expiresAt": entry.expires_at,
    }


if __name__ == "__main__":
    unittest.main()
