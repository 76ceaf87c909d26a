package fairline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** clients/vectors.json: what every verifier must accept and refuse. */
class VectorsTest {
    private static final Map<String, Object> FILE = read();

    @Test
    void everyVectorGivesTheExpectedResult() {
        List<Map<String, Object>> vectors = vectors();
        assertTrue(vectors.size() > 100);
        List<String> wrong = new ArrayList<>();
        SetClock clock = new SetClock();
        FairlineVerifier verifier = verifier(clock);
        for (Map<String, Object> vector : vectors) {
            clock.now = nowOf(vector);
            Object got = outcomeOf(verifier, vector);
            if (!got.equals(vector.get("expect"))) wrong.add(vector.get("name") + ": " + got + " instead of " + vector.get("expect"));
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void verifierWithoutKeysDoesNotStart() {
        assertThrows(IllegalStateException.class, () -> FairlineVerifier.builder().build());
    }

    @Test
    void jsonIsReadStrictly() {
        for (String text : List.of("", "{", "[1,]", "{\"a\":1,}", "01", "1.", "+1", "NaN", "'a'", "\"\n\"", "\"\\x\"", "\"\\u00g0\"",
                "nul", "1 2", "{a:1}", "[".repeat(5000))) {
            assertThrows(IllegalArgumentException.class, () -> Json.parse(text), text);
        }
        assertEquals(List.of("a\n\u00e9", -0.5, true, Map.of()), Json.parse(" [\"a\\n\\u00e9\" , -5e-1,true,{ }] "));
    }

    static Object outcomeOf(FairlineVerifier verifier, Map<String, Object> vector) {
        String cookie = (String) vector.get("cookie");
        String header = (String) vector.get("header");
        String user = (String) vector.get("user");
        String event = (String) vector.get("event");
        try {
            Entry entry = vector.get("kind").equals("vwr") ? verifier.checkVwr(event, cookie)
                : event == null ? verifier.checkAnyEvent(cookie, header, user) : verifier.check(event, cookie, header, user);
            return Map.of("outcome", "good", "event", entry.event(), "visitor", entry.visitor(), "tokenId", entry.tokenId(),
                "expiresAt", (double) entry.expiresAt().getEpochSecond());
        } catch (RefusedException refused) {
            return Map.of("outcome", "refused", "reason", refused.reason(), "code", refused.code());
        }
    }

    static FairlineVerifier verifier(Clock clock) {
        Map<?, ?> secrets = (Map<?, ?>) FILE.get("secrets");
        return FairlineVerifier.builder()
            .jwks((String) FILE.get("jwksText"))
            .secrets((String) secrets.get("entry"), (String) secrets.get("entryPrevious"))
            .vwrSecrets((String) secrets.get("vwr"), (String) secrets.get("vwrPrevious"))
            .issuer((String) FILE.get("issuer"))
            .audience((String) FILE.get("audience"))
            .clock(clock)
            .build();
    }

    static Instant nowOf(Map<String, Object> vector) {
        return Instant.ofEpochSecond(((Double) vector.get("now")).longValue());
    }

    private static final class SetClock extends Clock {
        private Instant now = Instant.EPOCH;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> vectors() {
        return (List<Map<String, Object>>) FILE.get("vectors");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> read() {
        try {
            String text = Files.readString(Path.of("../vectors.json"));
            Map<String, Object> file = (Map<String, Object>) Json.parse(text);
            // The text of the key set itself: it ends at the first brace in the second column.
            int start = text.indexOf("\"jwks\": ") + 8;
            file.put("jwksText", text.substring(start, text.indexOf("\n  }", start) + 4));
            return file;
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
