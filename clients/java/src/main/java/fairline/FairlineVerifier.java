package fairline;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Verifies the tokens of a Fairline waiting room: entry tokens, and vwr tokens of tier 1. Needs the JDK only, 17 or later.
 * The checks and their order are those of clients/README.md; clients/vectors.json tests them. Safe for use by several threads.
 */
public final class FairlineVerifier {
    private static final int MAX_TOKEN_LENGTH = 2048;
    private static final double TOLERANCE_SECONDS = 5;
    /** The last second of a date in JavaScript. JSON also has numbers like 1e400. */
    private static final double LAST_SECOND = 8.64e12;
    private static final double MAX_SAFE_INTEGER = 9007199254740991.0;
    private static final String GUEST_PREFIX = "guest:";
    /**
     * Three parts in base64url. The last character of a signature has unused bits, which must be zero, so that a token has
     * one spelling: 43 characters for HS256, 86 for EdDSA and ES256.
     */
    private static final Pattern FORM = Pattern.compile(
        "[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.(?:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]|[A-Za-z0-9_-]{85}[AQgw])");
    private static final Pattern GUEST_KEY = Pattern.compile("[A-Za-z0-9_-]{22}");

    private final KeySet keys;
    private final Map<String, Map<String, Key>> secrets;
    private final String issuer;
    private final String audience;
    private final Clock clock;

    private FairlineVerifier(Builder builder) {
        if (builder.keys == null && builder.secrets.isEmpty() && builder.vwrSecrets.isEmpty()) {
            throw new IllegalStateException("nothing to verify with; set jwksUrl, jwks or secrets");
        }
        keys = builder.keys == null ? KeySet.none() : builder.keys;
        secrets = Map.of("entry", byKeyId(builder.secrets), "vwr", byKeyId(builder.vwrSecrets));
        issuer = builder.issuer;
        audience = builder.audience;
        clock = builder.clock;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** At least one of jwksUrl, jwks, secrets and vwrSecrets is required. */
    public static final class Builder {
        private KeySet keys;
        private List<String> secrets = List.of();
        private List<String> vwrSecrets = List.of();
        private String issuer = "fairline";
        private String audience = "fairline";
        private Clock clock = Clock.systemUTC();

        /** Of the line: https://line.example.com/.well-known/jwks.json. Nothing is fetched yet. */
        public Builder jwksUrl(String url) {
            keys = KeySet.at(url);
            return this;
        }

        /** The key set itself, instead of a URL. */
        public Builder jwks(String document) {
            keys = KeySet.of(document);
            return this;
        }

        /** For HS256: QUEUE_ENTRY_TOKEN_SECRET, then previous ones that are still accepted. */
        public Builder secrets(String... values) {
            secrets = List.of(values);
            return this;
        }

        /** For HS256: VWR_TOKEN_SECRET, then previous ones. */
        public Builder vwrSecrets(String... values) {
            vwrSecrets = List.of(values);
            return this;
        }

        /** TOKEN_ISSUER of the line. */
        public Builder issuer(String value) {
            issuer = Objects.requireNonNull(value);
            return this;
        }

        /** TOKEN_AUDIENCE of the line. */
        public Builder audience(String value) {
            audience = Objects.requireNonNull(value);
            return this;
        }

        public Builder clock(Clock value) {
            clock = Objects.requireNonNull(value);
            return this;
        }

        public FairlineVerifier build() {
            return new FairlineVerifier(this);
        }
    }

    /**
     * Checks an entry token.
     *
     * @param event the event that the request is about
     * @param cookie the header Cookie; null: not sent
     * @param header the header X-Queue-Entry-Token; null: not sent
     * @param user the id of the user whom the site has authenticated; null: a guest, known by the cookie
     */
    public Entry check(String event, String cookie, String header, String user) throws RefusedException {
        return read("entry", Objects.requireNonNull(event), cookie, header, user);
    }

    /** As check, for any event: the caller compares the event of the result. */
    public Entry checkAnyEvent(String cookie, String header, String user) throws RefusedException {
        return read("entry", null, cookie, header, user);
    }

    /** Checks the vwr token of a device. */
    public Entry checkVwr(String event, String cookie) throws RefusedException {
        return read("vwr", Objects.requireNonNull(event), cookie, null, null);
    }

    private Entry read(String kind, String event, String cookie, String header, String user) throws RefusedException {
        String token = kind.equals("vwr") ? readCookie(cookie, "urr-vwr-token")
            : header != null ? header : readCookie(cookie, "urr-entry-token");
        if (token == null) throw new RefusedException(kind, "missing");
        Map<String, Object> claims = verify(token, kind);
        Instant expiresAt = Instant.ofEpochMilli((long) ((double) claims.get("exp") * 1000));
        Entry entry = new Entry((String) claims.get("sub"), (String) claims.get("uid"), (String) claims.get("jti"), expiresAt);
        if (event != null && !event.equals(entry.event())) throw new RefusedException(kind, "event");
        if (!isCaller(entry.visitor(), kind, cookie, user)) throw new RefusedException(kind, "caller");
        return entry;
    }

    /** The claims of a genuine token that is in its time. */
    private Map<String, Object> verify(String token, String kind) throws RefusedException {
        if (token.length() > MAX_TOKEN_LENGTH || !FORM.matcher(token).matches()) throw new RefusedException(kind, "form");
        String[] parts = token.split("\\.");
        Map<String, Object> header = Json.decodeObject(parts[0]);
        if (header == null || header.containsKey("crit")) throw new RefusedException(kind, "header");
        if (!(kind + "+jwt").equals(header.get("typ"))) throw new RefusedException(kind, "type");
        Key key = header.get("kid") instanceof String kid && !kid.isEmpty() ? findKey(kid, kind) : null;
        if (key == null) throw new RefusedException(kind, "key");
        if (!key.algorithm().equals(header.get("alg"))) throw new RefusedException(kind, "algorithm");
        byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
        if (!key.verifies(signed, Base64.getUrlDecoder().decode(parts[2]))) throw new RefusedException(kind, "signature");
        Map<String, Object> claims = Json.decodeObject(parts[1]);
        if (claims == null || !hasRightClaims(claims, kind)) throw new RefusedException(kind, "claims");
        judge(claims, kind, key.algorithm().equals("HS256"));
        return claims;
    }

    private Key findKey(String kid, String kind) {
        Key secret = secrets.get(kind).get(kid);
        return secret != null ? secret : keys.find(kid);
    }

    private void judge(Map<String, Object> claims, String kind, boolean isBySecret) throws RefusedException {
        // With a secret, the line names issuer and audience only if it is configured to.
        boolean hasIssuer = !isBySecret || claims.containsKey("iss");
        if (hasIssuer && !issuer.equals(claims.get("iss"))) throw new RefusedException(kind, "issuer");
        boolean hasAudience = !isBySecret || claims.containsKey("aud");
        Object named = claims.get("aud");
        // RFC 7519 allows one audience or a list.
        boolean isForUs = named instanceof List<?> list ? list.contains(audience) : audience.equals(named);
        if (hasAudience && !isForUs) throw new RefusedException(kind, "audience");
        double now = clock.millis() / 1000.0;
        double notBefore = claims.get("nbf") instanceof Double seconds ? seconds : 0;
        if (now >= (double) claims.get("exp") + TOLERANCE_SECONDS || notBefore > now + TOLERANCE_SECONDS) {
            throw new RefusedException(kind, "time");
        }
    }

    private static boolean hasRightClaims(Map<String, Object> claims, String kind) {
        for (String name : List.of("sub", "uid", "jti")) {
            if (!(claims.get(name) instanceof String)) return false;
        }
        for (String name : List.of("exp", "nbf", "iat")) {
            boolean isRequired = name.equals("exp") || claims.containsKey(name);
            boolean isTime = claims.get(name) instanceof Double seconds && Math.abs(seconds) <= LAST_SECOND;
            if (isRequired && !isTime) return false;
        }
        if (kind.equals("entry")) return true;
        boolean isPosition = claims.get("pos") instanceof Double position
            && position == Math.rint(position) && position > 0 && position <= MAX_SAFE_INTEGER;
        return Double.valueOf(1).equals(claims.get("tier")) && isPosition;
    }

    /**
     * A user is whom the site has authenticated. A guest proves the id by a secret in the cookie, whose hash it is; the
     * signature of that cookie is for the line alone.
     */
    private static boolean isCaller(String visitor, String kind, String cookie, String user) {
        if (kind.equals("vwr")) return isSame(visitor, browserId(cookie, "fairline-device", "device"));
        if (user != null) return !user.startsWith(GUEST_PREFIX) && isSame(visitor, user);
        String guest = browserId(cookie, "fairline-guest", "guest");
        return guest != null && isSame(visitor, GUEST_PREFIX + guest);
    }

    /** The id that the key in a guest or device cookie proves, or null. */
    private static String browserId(String cookie, String name, String label) {
        String secured = readCookie(cookie, "__Host-" + name);
        String token = secured != null ? secured : readCookie(cookie, name);
        if (token == null || token.length() > MAX_TOKEN_LENGTH) return null;
        String[] parts = token.split("\\.", -1);
        Map<String, Object> claims = parts.length == 3 ? Json.decodeObject(parts[1]) : null;
        boolean hasKey = claims != null && claims.get("key") instanceof String key && GUEST_KEY.matcher(key).matches();
        return hasKey ? hash("fairline " + label + " " + claims.get("key")).substring(0, 16) : null;
    }

    /** In constant time. Nobody is called "". */
    private static boolean isSame(String visitor, String caller) {
        if (caller == null || caller.isEmpty()) return false;
        return MessageDigest.isEqual(visitor.getBytes(StandardCharsets.UTF_16), caller.getBytes(StandardCharsets.UTF_16));
    }

    /** The first cookie of that name, or null. Taken as it is: parsers of servers unquote and decode. */
    private static String readCookie(String header, String name) {
        if (header == null) return null;
        for (String part : header.split(";")) {
            String cookie = part.strip();
            if (cookie.startsWith(name + "=")) return cookie.substring(name.length() + 1);
        }
        return null;
    }

    /** The kid is derived from the secret, so that both sides know it. */
    private static Map<String, Key> byKeyId(List<String> secrets) {
        Map<String, Key> found = new HashMap<>();
        for (String secret : secrets) found.put(hash("fairline key id:" + secret).substring(0, 8), Key.ofSecret(secret));
        return Map.copyOf(found);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
