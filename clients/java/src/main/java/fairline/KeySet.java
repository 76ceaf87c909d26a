package fairline;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** The public keys of the line. While its source is away, the keys that are known stay in use. */
final class KeySet {
    /** A retired key is refused this soon. */
    static final long REFRESH_MS = 5_000;
    /** At most one fetch a second for keys that nobody knows. */
    static final long UNKNOWN_MS = 1_000;
    static final int MAX_BYTES = 64 * 1024;
    private static final int FETCH_TIMEOUT_MS = 2_000;
    private static final int MAX_KEYS = 100;
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final URI source;
    private final LongSupplier nowMs;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile Map<String, Key> keys;
    private volatile long triedAt = NEVER;

    private KeySet(URI source, Map<String, Key> keys, LongSupplier nowMs) {
        this.source = source;
        this.keys = keys;
        this.nowMs = nowMs;
    }

    static KeySet none() {
        return new KeySet(null, Map.of(), () -> 0);
    }

    static KeySet of(String document) {
        return new KeySet(null, read(document), () -> 0);
    }

    static KeySet at(String url) {
        return at(url, () -> System.nanoTime() / 1_000_000);
    }

    static KeySet at(String url, LongSupplier nowMs) {
        if (!url.startsWith("https://") && !url.startsWith("http://")) {
            throw new IllegalArgumentException("no URL: " + url + "; expected https://…/.well-known/jwks.json");
        }
        return new KeySet(URI.create(url), Map.of(), nowMs);
    }

    /** null: unknown. */
    Key find(String kid) {
        Key key = keys.get(kid);
        long everyMs = key == null ? UNKNOWN_MS : REFRESH_MS;
        if (source == null || (!isDue(everyMs) && (key != null || !fetching.isLocked()))) return key;
        // One caller refreshes while the others use what is known. Who knows no key waits for the fetch under way.
        if (key == null) fetching.lock();
        else if (!fetching.tryLock()) return key;
        try {
            if (isDue(everyMs)) fetch();
        } finally {
            fetching.unlock();
        }
        return keys.get(kid);
    }

    private boolean isDue(long everyMs) {
        return nowMs.getAsLong() - triedAt >= everyMs;
    }

    private void fetch() {
        triedAt = nowMs.getAsLong();
        try {
            keys = read(get());
        } catch (IOException | IllegalArgumentException away) {
            // Stays with the keys that it has.
        }
    }

    private String get() throws IOException {
        HttpURLConnection connection = (HttpURLConnection) source.toURL().openConnection();
        connection.setConnectTimeout(FETCH_TIMEOUT_MS);
        connection.setReadTimeout(FETCH_TIMEOUT_MS);
        // Keys come from the address that was configured, not from where it redirects to.
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        try {
            if (connection.getResponseCode() != 200) throw new IOException("answered " + connection.getResponseCode());
            try (InputStream body = connection.getInputStream()) {
                byte[] document = body.readNBytes(MAX_BYTES + 1);
                if (document.length > MAX_BYTES) throw new IOException("the key set exceeds " + MAX_BYTES + " bytes");
                return new String(document, StandardCharsets.UTF_8);
            }
        } finally {
            connection.disconnect();
        }
    }

    private static Map<String, Key> read(String document) {
        Object set = Json.parse(document);
        if (!(set instanceof Map<?, ?> map) || !(map.get("keys") instanceof List<?> list)) {
            throw new IllegalArgumentException("not a JSON Web Key Set; expected {\"keys\": [...]}");
        }
        Map<String, Key> found = new HashMap<>();
        for (Object jwk : list) {
            if (!(jwk instanceof Map<?, ?> fields) || !(fields.get("kid") instanceof String kid)) continue;
            if (kid.isEmpty() || found.containsKey(kid) || found.size() == MAX_KEYS) continue;
            Key key = Key.ofJwk(fields);
            if (key != null) found.put(kid, key);
        }
        return Map.copyOf(found);
    }
}
