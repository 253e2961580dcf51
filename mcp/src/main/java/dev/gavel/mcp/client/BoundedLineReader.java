package dev.gavel.mcp.client;

import dev.gavel.mcp.rpc.MessageIdScanner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of bytes from a stream and keeps only the beginning and end of lines that exceed a maximum length. Not
 * thread-safe.
 */
public final class BoundedLineReader {
    /** How many bytes of the beginning and of the end of a line that is too long are retained. */
    private static final int KEPT_EDGE_LENGTH = 512;

    private final InputStream in;
    private final int maxLength;
    private final byte[] buffer = new byte[16 * 1024];
    private int position;
    private int end;

    /** Creates a reader of lines up to this length, in bytes. */
    public BoundedLineReader(InputStream in, int maxLength) {
        this.in = in;
        this.maxLength = maxLength;
    }

    /** A line without its terminator. Of a line that is too long, only the beginning and the end. */
    public static final class Line {
        private final byte[] bytes;
        private final long length;
        private final @Nullable MessageIdScanner scanner;

        private Line(byte[] bytes, long length, @Nullable MessageIdScanner scanner) {
            this.bytes = bytes;
            this.length = length;
            this.scanner = scanner;
        }

        /** Returns the bytes that were retained. */
        public byte[] bytes() {
            return bytes;
        }

        /** Returns the actual length of the line. */
        public long length() {
            return length;
        }

        /** Returns a scanner that has read the whole line. Only for a line of which only a part was retained. */
        MessageIdScanner scanner() {
            return Objects.requireNonNull(scanner);
        }

        /** Whether the whole line was retained. */
        public boolean isComplete() {
            return length == bytes.length;
        }
    }

    /** Returns the next line, or null after the last one. A last line without a terminator counts. */
    @Nullable
    public Line next() throws IOException {
        LineBuffer line = new LineBuffer();
        while (true) {
            if (position == end) {
                end = in.read(buffer);
                position = 0;
                if (end <= 0) {
                    end = 0;
                    return line.length == 0 ? null : line.toLine();
                }
            }
            int stop = position;
            while (stop < end && buffer[stop] != '\n') {
                stop++;
            }
            line.add(buffer, position, stop);
            boolean complete = stop < end;
            position = complete ? stop + 1 : stop;
            if (complete) {
                return line.toLine();
            }
        }
    }

    private final class LineBuffer {
        private ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        private byte[] tail = {};
        private @Nullable MessageIdScanner scanner;
        private long length;

        void add(byte[] from, int start, int stop) {
            length += stop - start;
            if (scanner == null && length <= maxLength) {
                bytes.write(from, start, stop - start);
                return;
            }
            MessageIdScanner lineScanner = scanner;
            if (lineScanner == null) {
                lineScanner = new MessageIdScanner();
                scanner = lineScanner;
                byte[] head = bytes.toByteArray();
                lineScanner.scan(head, 0, head.length);
                tail = head;
                bytes = new ByteArrayOutputStream(2 * KEPT_EDGE_LENGTH);
                bytes.write(head, 0, Math.min(KEPT_EDGE_LENGTH, head.length));
            }
            lineScanner.scan(from, start, stop);
            byte[] joined = Arrays.copyOf(tail, tail.length + stop - start);
            System.arraycopy(from, start, joined, tail.length, stop - start);
            tail = Arrays.copyOfRange(joined, Math.max(0, joined.length - KEPT_EDGE_LENGTH), joined.length);
        }

        Line toLine() {
            bytes.writeBytes(tail);
            byte[] all = bytes.toByteArray();
            boolean endsWithCarriageReturn = all.length > 0 && all[all.length - 1] == '\r';
            return new Line(
                    endsWithCarriageReturn ? Arrays.copyOf(all, all.length - 1) : all,
                    scanner != null ? Math.max(length, all.length + 1L) : length - (endsWithCarriageReturn ? 1 : 0),
                    scanner);
        }
    }
}
