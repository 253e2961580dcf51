package dev.gavel.bench.mcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Parses the heads, headers and chunks of HTTP/1.1 messages for the benchmark's client and server. Stateless. */
final class RawHttpParser {
    private RawHttpParser() {}

    /** Reads up to and including the empty line; returns an empty string if the connection ended before it. */
    static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream(512);
        int last = 0;
        while (last != 0x0d0a0d0a) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.write(next);
            last = last << 8 | next;
        }
        return head.toString(ISO_8859_1);
    }

    /** The value of a header, by its name in lower case; empty if there is none. */
    static String headerValue(String head, String name) {
        int at = head.toLowerCase(Locale.ROOT).indexOf("\r\n" + name + ":");
        if (at < 0) {
            return "";
        }
        int from = at + name.length() + 3;
        return head.substring(from, head.indexOf("\r\n", from)).strip();
    }

    /** The value of a numeric header; 0 if there is none. */
    static int intHeader(String head, String name) {
        String value = headerValue(head, name);
        return value.isEmpty() ? 0 : Integer.parseInt(value);
    }

    /** The next chunk of a chunked body; empty after the last. */
    static byte[] readChunk(InputStream in) throws IOException {
        int size = 0;
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended in the middle of an answer");
            }
            if (next != '\r') {
                size = size * 16 + Character.digit(next, 16);
            }
        }
        byte[] chunk = in.readNBytes(size);
        in.skipNBytes(2);
        return chunk;
    }
}
