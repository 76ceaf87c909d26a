package fairline;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON (RFC 8259), strictly: the JDK has no parser, and a library would be a dependency for two small documents.
 * Objects are maps, lists are lists, all numbers are Double.
 */
final class Json {
    private static final int MAX_DEPTH = 64;
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{4}");
    private static final Pattern BASE64URL = Pattern.compile("[A-Za-z0-9_-]*");

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Throws IllegalArgumentException if the text is not JSON. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.readValue(0);
        json.skipSpace();
        if (json.at != text.length()) throw json.wrong();
        return value;
    }

    /** null: not a JSON object in base64url. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> decodeObject(String encoded) {
        byte[] bytes = decode(encoded);
        if (bytes == null) return null;
        try {
            // A new decoder reports malformed input; String would replace it.
            String decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return parse(decoded) instanceof Map<?, ?> map ? (Map<String, Object>) map : null;
        } catch (CharacterCodingException | IllegalArgumentException malformed) {
            return null;
        }
    }

    /** null: not base64url, or not in its one spelling. */
    static byte[] decode(String encoded) {
        if (!BASE64URL.matcher(encoded).matches() || encoded.length() % 4 == 1) return null;
        byte[] bytes = Base64.getUrlDecoder().decode(encoded);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(encoded) ? bytes : null;
    }

    private Object readValue(int depth) {
        if (depth > MAX_DEPTH) throw wrong();
        skipSpace();
        return switch (peek()) {
            case '{' -> readObject(depth);
            case '[' -> readList(depth);
            case '"' -> readText();
            case 't' -> readWord("true", Boolean.TRUE);
            case 'f' -> readWord("false", Boolean.FALSE);
            case 'n' -> readWord("null", null);
            default -> readNumber();
        };
    }

    private Map<String, Object> readObject(int depth) {
        Map<String, Object> object = new HashMap<>();
        take('{');
        skipSpace();
        if (peek() == '}') return end(object);
        while (true) {
            skipSpace();
            String name = readText();
            skipSpace();
            take(':');
            object.put(name, readValue(depth + 1));
            skipSpace();
            if (peek() == '}') return end(object);
            take(',');
        }
    }

    private List<Object> readList(int depth) {
        List<Object> list = new ArrayList<>();
        take('[');
        skipSpace();
        if (peek() == ']') return end(list);
        while (true) {
            list.add(readValue(depth + 1));
            skipSpace();
            if (peek() == ']') return end(list);
            take(',');
        }
    }

    private <T> T end(T value) {
        at += 1;
        return value;
    }

    private String readText() {
        take('"');
        StringBuilder read = new StringBuilder();
        while (peek() != '"') {
            char next = text.charAt(at);
            at += 1;
            if (next < ' ') throw wrong();
            read.append(next == '\\' ? readEscape() : next);
        }
        return end(read.toString());
    }

    private char readEscape() {
        char escaped = peek();
        at += 1;
        if (escaped == 'u') return readHex();
        int index = "\"\\/bfnrt".indexOf(escaped);
        if (index < 0) throw wrong();
        return "\"\\/\b\f\n\r\t".charAt(index);
    }

    private char readHex() {
        Matcher digits = HEX.matcher(text).region(at, text.length());
        if (!digits.lookingAt()) throw wrong();
        at += 4;
        return (char) Integer.parseInt(digits.group(), 16);
    }

    private Double readNumber() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) throw wrong();
        at = number.end();
        return Double.valueOf(number.group());
    }

    private Object readWord(String word, Object value) {
        if (!text.startsWith(word, at)) throw wrong();
        at += word.length();
        return value;
    }

    private void take(char wanted) {
        if (peek() != wanted) throw wrong();
        at += 1;
    }

    private char peek() {
        if (at >= text.length()) throw wrong();
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + at);
    }
}
