package fairline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cache of the key set, against a real HTTP server. */
class KeySetTest {
    private static final String X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile int status = 200;
    private volatile String answer = keySet("a");
    private volatile long now = 1_000_000;
    private HttpServer server;
    private KeySet keys;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            fetches.incrementAndGet();
            byte[] body = answer.getBytes();
            if (status == 302) exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        keys = KeySet.at("http://127.0.0.1:" + server.getAddress().getPort() + "/jwks.json", () -> now);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void keysAreFetchedOnceAndRefreshed() {
        expect("a", true, 1);
        expect("a", true, 1);
        now += KeySet.REFRESH_MS;
        answer = keySet("b");
        expect("a", false, 2);
        expect("b", true, 2);
    }

    @Test
    void unknownKeysAreFetchedAtMostOnceASecond() {
        expect("a", true, 1);
        answer = keySet("a", "b");
        for (int i = 0; i < 50; i += 1) expect("b", false, 1);
        now += KeySet.UNKNOWN_MS;
        expect("b", true, 2);
        for (int i = 0; i < 50; i += 1) expect("nobody's", false, 2);
    }

    @Test
    void knownKeysStayWhileTheSourceIsAway() {
        expect("a", true, 1);
        String tooLong = "{\"keys\":[],\"x\":\"" + "x".repeat(KeySet.MAX_BYTES) + "\"}";
        Object[][] away = {{500, keySet()}, {200, "<html>"}, {200, "{\"keys\": 1}"}, {200, tooLong}, {302, keySet()}};
        for (int i = 0; i < away.length; i += 1) {
            status = (int) away[i][0];
            answer = (String) away[i][1];
            now += 3_600_000;
            expect("a", true, i + 2);
        }
    }

    @Test
    void oneOfManyCallersFetches() {
        long found = IntStream.range(0, 50).parallel().filter(i -> keys.find("a") != null).count();
        assertEquals(50, found);
        assertEquals(1, fetches.get());
    }

    @Test
    void keysOfAnyShapeDoNoHarm() {
        String good = keySet("a").replaceAll("^.*\\[|\\].*$", "");
        KeySet odd = KeySet.of("{\"keys\":[7,{\"kid\":[\"a\"]},{\"kid\":\"b\",\"crv\":{},\"x\":1},{}," + good + "]}");
        assertNotNull(odd.find("a"));
        assertNull(odd.find("b"));
        assertThrows(IllegalArgumentException.class, () -> KeySet.at("file:///etc/keys.json"));
    }

    private void expect(String kid, boolean isKnown, int fetched) {
        assertEquals(isKnown, keys.find(kid) != null, kid);
        assertEquals(fetched, fetches.get(), kid);
    }

    private static String keySet(String... kids) {
        return Arrays.stream(kids)
            .map(kid -> "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + X + "\",\"kid\":\"" + kid + "\"}")
            .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }
}
