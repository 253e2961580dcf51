package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.RpcMessageParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events from an HTTP response body. Not thread-safe. */
final class ServerSentEventReader {
    private static final long MAX_RETRY_MILLIS = 60_000;
    private static final long MIN_RETRY_MILLIS = 500;
    private static final String DEFAULT_TYPE = "message";

    /** The event ids that can be sent back in a header. Others are ignored. */
    static final Pattern VISIBLE_ASCII = Pattern.compile("[\\x21-\\x7E]{1,1000}");

    private final BoundedLineReader boundedLineReader;
    private final Cursor cursor;

    ServerSentEventReader(InputStream in, Cursor cursor) {
        this.boundedLineReader = new BoundedLineReader(in, RpcMessageParser.DEFAULT.maxLength() + 64);
        this.cursor = cursor;
    }

    /** The position in a stream, and the delay that its server requests before a reconnect. Not thread-safe. */
    static final class Cursor {
        private @Nullable String lastEventId;
        private long eventCount;
        private Duration retryDelay = Duration.ofSeconds(1);

        /** Returns the id of the last event that had one. */
        @Nullable
        String lastEventId() {
            return lastEventId;
        }

        /** Returns the number of events so far that had data or an id. */
        long eventCount() {
            return eventCount;
        }

        Duration retryDelay() {
            return retryDelay;
        }
    }

    /**
     * An event with data.
     *
     * @param type the event's type, which is {@code message} if the server names none
     * @param tooLong whether the data exceeded the limit
     */
    record Event(String type, String data, boolean tooLong) {}

    /**
     * Returns the next event with data, or null after the last one. An event that the end of the stream cuts off does
     * not count.
     */
    @Nullable
    Event next() throws IOException {
        StringBuilder data = new StringBuilder();
        boolean any = false;
        boolean tooLong = false;
        String id = null;
        String type = DEFAULT_TYPE;
        for (BoundedLineReader.Line line = boundedLineReader.next(); line != null; line = boundedLineReader.next()) {
            if (line.length() == 0) {
                cursor.lastEventId = id == null ? cursor.lastEventId : id;
                cursor.eventCount += id != null || any ? 1 : 0;
                if (any && (tooLong || !data.isEmpty())) {
                    return new Event(type, data.toString(), tooLong);
                }
                data.setLength(0);
                any = false;
                id = null;
                type = DEFAULT_TYPE;
                continue;
            }
            String text = new String(line.bytes(), StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            String field = colon < 0 ? text : text.substring(0, colon);
            String value = colon < 0 ? "" : text.substring(colon + (text.startsWith(": ", colon) ? 2 : 1));
            switch (field) {
                case "data" -> {
                    tooLong |=
                            !line.isComplete() || data.length() + value.length() > RpcMessageParser.DEFAULT.maxLength();
                    if (!tooLong) {
                        data.append(any ? "\n" : "").append(value);
                    }
                    any = true;
                }
                case "event" -> type = value.isEmpty() ? DEFAULT_TYPE : value;
                case "id" -> id = VISIBLE_ASCII.matcher(value).matches() ? value : id;
                case "retry" -> {
                    if (value.matches("\\d{1,9}")) {
                        cursor.retryDelay = Duration.ofMillis(
                                Math.clamp(Long.parseLong(value), MIN_RETRY_MILLIS, MAX_RETRY_MILLIS));
                    }
                }
                default -> {}
            }
        }
        return null;
    }
}
