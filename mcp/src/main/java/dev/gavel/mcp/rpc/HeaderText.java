package dev.gavel.mcp.rpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** How MCP writes any text into an HTTP header: as it is where that is safe, else in Base64 between marks. Stateless. */
public final class HeaderText {
    private static final String BEFORE = "=?base64?";
    private static final String AFTER = "?=";

    private HeaderText() {}

    /** The header's value that says this text. */
    public static String encode(String text) {
        return plain(text) && !marked(text) && text.equals(text.strip())
                ? text
                : BEFORE + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + AFTER;
    }

    /** The text that a header's value says; nothing where it says none. */
    public static Optional<String> decode(String value) {
        if (!plain(value)) {
            return Optional.empty();
        }
        if (!marked(value)) {
            return Optional.of(value);
        }
        String encoded = value.substring(BEFORE.length(), value.length() - AFTER.length());
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            if (!Base64.getEncoder().encodeToString(bytes).equals(encoded)) {
                // Java overlooks that the padding is missing; MCP does not.
                return Optional.empty();
            }
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean marked(String text) {
        return text.startsWith(BEFORE) && text.endsWith(AFTER) && text.length() >= BEFORE.length() + AFTER.length();
    }

    private static boolean plain(String text) {
        return text.chars().allMatch(each -> (each >= 0x20 && each <= 0x7e) || each == '\t');
    }
}
