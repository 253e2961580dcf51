package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.MessageIdScanner;
import java.io.ByteArrayOutputStream;
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

    /** More than the name of a field with its colon and space. */
    private static final int MAX_FIELD_OVERHEAD = 64;

    /** The event ids that can be sent back in a header. Others are ignored. */
    static final Pattern VISIBLE_ASCII = Pattern.compile("[\\x21-\\x7E]{1,1000}");

    private final int maxDataLength;
    private final BoundedLineReader boundedLineReader;
    private final Cursor cursor;

    /**
     * Creates a reader.
     *
     * @param maxDataLength the maximum length of an event's data, in bytes
     */
    ServerSentEventReader(InputStream in, Cursor cursor, int maxDataLength) {
        this.maxDataLength = maxDataLength;
        this.boundedLineReader = new BoundedLineReader(in, maxDataLength + MAX_FIELD_OVERHEAD);
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

    /** An event with data. */
    sealed interface Event {
        /** An event whose data is complete. */
        final class Complete implements Event {
            private final String type;
            private final byte[] data;

            Complete(String type, byte[] data) {
                this.type = type;
                this.data = data;
            }

            /** Returns the event's type, which is {@code message} if the server names none. */
            String type() {
                return type;
            }

            byte[] data() {
                return data;
            }
        }

        /**
         * An event whose data is longer than the limit.
         *
         * @param scanner has read the data
         * @param length the length of the data, in bytes
         */
        record TooLong(MessageIdScanner scanner, long length) implements Event {}
    }

    /** The data of the event that is being read. */
    private final class EventData {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private @Nullable MessageIdScanner scanner;
        private boolean any;
        private long length;

        void add(BoundedLineReader.Line line, int valueStart) {
            byte[] text = line.bytes();
            int separator = any ? 1 : 0;
            any = true;
            length += separator + line.length() - valueStart;
            if (scanner == null && length <= maxDataLength) {
                if (separator > 0) {
                    bytes.write('\n');
                }
                bytes.write(text, valueStart, text.length - valueStart);
            } else if (scanner == null && !line.isComplete() && bytes.size() == 0) {
                scanner = line.scanner();
            } else {
                scanRest(text, valueStart);
            }
        }

        /** Of a line that is too long, scans only the part that was retained. */
        private void scanRest(byte[] text, int valueStart) {
            MessageIdScanner eventScanner = scanner;
            if (eventScanner == null) {
                eventScanner = new MessageIdScanner();
                scanner = eventScanner;
                eventScanner.scan(bytes.toByteArray(), 0, bytes.size());
                bytes.reset();
            }
            eventScanner.scan(text, valueStart, text.length);
        }

        @Nullable
        Event toEvent(String type) {
            if (scanner != null) {
                return new Event.TooLong(scanner, length);
            }
            return bytes.size() == 0 ? null : new Event.Complete(type, bytes.toByteArray());
        }
    }

    /**
     * Returns the next event with data, or null after the last one. An event that the end of the stream cuts off does
     * not count.
     */
    @Nullable
    Event next() throws IOException {
        EventData data = new EventData();
        String id = null;
        String type = DEFAULT_TYPE;
        for (BoundedLineReader.Line line = boundedLineReader.next(); line != null; line = boundedLineReader.next()) {
            if (line.length() == 0) {
                cursor.lastEventId = id == null ? cursor.lastEventId : id;
                cursor.eventCount += id != null || data.any ? 1 : 0;
                Event event = data.toEvent(type);
                if (event != null) {
                    return event;
                }
                data = new EventData();
                id = null;
                type = DEFAULT_TYPE;
                continue;
            }
            byte[] text = line.bytes();
            int nameEnd = indexOfColon(text);
            String field = new String(text, 0, nameEnd, StandardCharsets.UTF_8);
            int valueStart = Math.min(text.length, nameEnd + 1);
            if (valueStart < text.length && text[valueStart] == ' ') {
                valueStart++;
            }
            if (field.equals("data")) {
                data.add(line, valueStart);
            } else {
                String value = new String(text, valueStart, text.length - valueStart, StandardCharsets.UTF_8);
                if (field.equals("event")) {
                    type = value.isEmpty() ? DEFAULT_TYPE : value;
                } else if (field.equals("id")) {
                    id = VISIBLE_ASCII.matcher(value).matches() ? value : id;
                } else if (field.equals("retry") && value.matches("\\d{1,9}")) {
                    cursor.retryDelay =
                            Duration.ofMillis(Math.clamp(Long.parseLong(value), MIN_RETRY_MILLIS, MAX_RETRY_MILLIS));
                }
            }
        }
        return null;
    }

    private static int indexOfColon(byte[] text) {
        int index = 0;
        while (index < text.length && text[index] != ':') {
            index++;
        }
        return index;
    }
}
