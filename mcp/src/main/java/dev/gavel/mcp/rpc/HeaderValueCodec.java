package dev.gavel.mcp.rpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Encodes and decodes text in MCP's HTTP headers, with Base64 for text that a header cannot carry as it is. Stateless.
 */
public final class HeaderValueCodec {
    private static final String BASE64_PREFIX = "=?base64?";
    private static final String BASE64_SUFFIX = "?=";

    private HeaderValueCodec() {}

    /** Returns the header value for a text. */
    public static String encode(String text) {
        return isPrintableAscii(text) && !isBase64(text) && text.equals(text.strip())
                ? text
                : BASE64_PREFIX
                        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
                        + BASE64_SUFFIX;
    }

    /** Returns the text of a header value, or empty if the value is not valid. */
    public static Optional<String> decode(String value) {
        if (!isPrintableAscii(value)) {
            return Optional.empty();
        }
        if (!isBase64(value)) {
            return Optional.of(value);
        }
        String encoded = value.substring(BASE64_PREFIX.length(), value.length() - BASE64_SUFFIX.length());
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            if (!Base64.getEncoder().encodeToString(bytes).equals(encoded)) {
                // Java's decoder accepts missing padding; MCP does not.
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

    private static boolean isBase64(String text) {
        return text.startsWith(BASE64_PREFIX)
                && text.endsWith(BASE64_SUFFIX)
                && text.length() >= BASE64_PREFIX.length() + BASE64_SUFFIX.length();
    }

    private static boolean isPrintableAscii(String text) {
        return text.chars().allMatch(each -> (each >= 0x20 && each <= 0x7e) || each == '\t');
    }
}
