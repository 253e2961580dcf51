package dev.gavel.mcpx;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Test fixture: a simple, slow JSON parser written from RFC 8259 to compare the envelope reader with. Represents values
 * as maps, lists and strings, and numbers, booleans and null as {@link Raw}.
 */
final class ReferenceJsonParser {
    /** A number, true, false or null as its text. */
    record Raw(String text) {}

    private static final class InvalidJsonException extends RuntimeException {
        InvalidJsonException(String message) {
            super(message, null, false, false);
        }
    }

    private final String text;
    private int at;

    private ReferenceJsonParser(String text) {
        this.text = text;
    }

    /** Returns the value of the bytes, or null if they are not valid JSON. */
    static @Nullable Object read(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            var json = new ReferenceJsonParser(text);
            Object value = json.value();
            json.space();
            return json.at == text.length() ? value : null;
        } catch (CharacterCodingException | InvalidJsonException e) {
            return null;
        }
    }

    private Object value() {
        space();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private Map<String, Object> object() {
        var fields = new LinkedHashMap<String, Object>();
        expect('{');
        space();
        if (peek() == '}') {
            at++;
            return fields;
        }
        while (true) {
            space();
            String name = string();
            space();
            expect(':');
            if (fields.containsKey(name)) {
                throw new InvalidJsonException("repeated");
            }
            fields.put(name, value());
            space();
            if (peek() == '}') {
                at++;
                return fields;
            }
            expect(',');
        }
    }

    private List<Object> array() {
        var items = new ArrayList<Object>();
        expect('[');
        space();
        if (peek() == ']') {
            at++;
            return items;
        }
        while (true) {
            items.add(value());
            space();
            if (peek() == ']') {
                at++;
                return items;
            }
            expect(',');
        }
    }

    private String string() {
        expect('"');
        var value = new StringBuilder();
        while (peek() != '"') {
            char c = next();
            if (c < ' ') {
                throw new InvalidJsonException("control character");
            }
            value.append(c == '\\' ? escaped() : c);
        }
        at++;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new InvalidJsonException("half a pair");
            }
        }
        return value.toString();
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int unit = 0;
                for (int i = 0; i < 4; i++) {
                    char digit = next();
                    if ("0123456789abcdefABCDEF".indexOf(digit) < 0) {
                        throw new InvalidJsonException("digit");
                    }
                    unit = unit * 16 + Character.digit(digit, 16);
                }
                yield (char) unit;
            }
            default -> throw new InvalidJsonException("escape");
        };
    }

    private Raw number() {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
        return new Raw(text.substring(start, at));
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw new InvalidJsonException("digits");
        }
    }

    private Raw word(String word) {
        if (!text.startsWith(word, at)) {
            throw new InvalidJsonException("word");
        }
        at += word.length();
        return new Raw(word);
    }

    private void space() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void expect(char c) {
        if (next() != c) {
            throw new InvalidJsonException("expected " + c);
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw new InvalidJsonException("end");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }
}
