package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** Writes and parses the HTTP request and response that upgrade a connection to a WebSocket (RFC 6455 §4). */
public final class WebSocketUpgradeCodec {
    /** The maximum length of a head; the benchmarks send no longer ones. */
    static final int LONGEST_HEAD = 8 * 1024;

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String KEY_HEADER = "\r\nsec-websocket-key:";

    private WebSocketUpgradeCodec() {}

    /** The end of the head at the buffer's start, or 0 if it is not complete. */
    static int headEnd(ByteBuffer in) {
        for (int i = 0; i + 4 <= in.position(); i++) {
            if (in.getInt(i) == 0x0d0a0d0a) {
                return i + 4;
            }
        }
        return 0;
    }

    static String readHead(ByteBuffer in, int end) {
        byte[] bytes = new byte[end];
        in.get(0, bytes);
        return new String(bytes, ISO_8859_1);
    }

    /** The upgrade request of a client. */
    public static byte[] request(String authority, String path, String token, String key) {
        return """
                GET %s HTTP/1.1\r
                Host: %s\r
                Authorization: Bearer %s\r
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: %s\r
                \r
                """.formatted(path, authority, token, key).getBytes(ISO_8859_1);
    }

    /** The key in the head of a request. */
    static Optional<String> parseKey(String head) {
        int at = head.toLowerCase(Locale.ROOT).indexOf(KEY_HEADER);
        if (at < 0) {
            return Optional.empty();
        }
        int from = at + KEY_HEADER.length();
        return Optional.of(head.substring(from, head.indexOf("\r\n", from)).strip());
    }

    static byte[] response(String key) {
        return """
                HTTP/1.1 101 Switching Protocols\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Accept: %s\r
                \r
                """.formatted(acceptKey(key)).getBytes(ISO_8859_1);
    }

    /** Whether the head of a response accepts the request with {@code key}. */
    static boolean isAccepted(String head, String key) {
        return head.startsWith("HTTP/1.1 101 ") && head.contains(acceptKey(key));
    }

    private static String acceptKey(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-1", e);
        }
    }
}
