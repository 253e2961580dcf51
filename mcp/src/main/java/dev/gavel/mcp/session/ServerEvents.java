package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.MessageReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events. Not thread-safe. */
final class ServerEvents {
    private static final long LONGEST_RETRY_MILLIS = 60_000;
    private static final long SHORTEST_RETRY_MILLIS = 500;

    /** What can be sent back in a header, whatever else a server may come up with. */
    static final Pattern SENDABLE = Pattern.compile("[\\x21-\\x7E]{1,1000}");

    private final Lines lines;
    private final Cursor cursor;

    ServerEvents(InputStream in, Cursor cursor) {
        this.lines = new Lines(in, MessageReader.USUAL.longest() + 64);
        this.cursor = cursor;
    }

    /** How far a stream was read, and how long its server wants us to wait before we ask for more. Not thread-safe. */
    static final class Cursor {
        private @Nullable String last;
        private long events;
        private Duration retry = Duration.ofSeconds(1);

        /** The id of the last event that had one. */
        @Nullable
        String last() {
            return last;
        }

        /** How many events came so far that said something, or moved it. */
        long events() {
            return events;
        }

        Duration retry() {
            return retry;
        }
    }

    /**
     * What an event says.
     *
     * @param tooLong where more was said than is taken
     */
    record Event(String data, boolean tooLong) {}

    /** The next event that says something; null after the last. One that the end cut off does not count. */
    @Nullable
    Event next() throws IOException {
        StringBuilder data = new StringBuilder();
        boolean any = false;
        boolean tooLong = false;
        String id = null;
        for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
            if (line.length() == 0) {
                cursor.last = id == null ? cursor.last : id;
                cursor.events += id != null || any ? 1 : 0;
                if (any && (tooLong || !data.isEmpty())) {
                    return new Event(data.toString(), tooLong);
                }
                data.setLength(0);
                any = false;
                id = null;
                continue;
            }
            String text = new String(line.bytes(), StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            String field = colon < 0 ? text : text.substring(0, colon);
            String value = colon < 0 ? "" : text.substring(colon + (text.startsWith(": ", colon) ? 2 : 1));
            switch (field) {
                case "data" -> {
                    tooLong |= !line.whole() || data.length() + value.length() > MessageReader.USUAL.longest();
                    if (!tooLong) {
                        data.append(any ? "\n" : "").append(value);
                    }
                    any = true;
                }
                case "id" -> id = SENDABLE.matcher(value).matches() ? value : id;
                case "retry" -> {
                    if (value.matches("\\d{1,9}")) {
                        cursor.retry = Duration.ofMillis(
                                Math.clamp(Long.parseLong(value), SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS));
                    }
                }
                default -> {}
            }
        }
        return null;
    }
}
