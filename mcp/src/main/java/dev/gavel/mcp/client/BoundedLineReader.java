package dev.gavel.mcp.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of bytes from a stream and keeps only the beginning and end of lines that exceed a maximum length. Of a
 * longer one no more than its beginning and its end is kept. Not thread-safe.
 */
public final class BoundedLineReader {
    /** So much of the beginning and of the end of a line that is too long. */
    private static final int KEPT_EDGE_LENGTH = 512;

    private final InputStream in;
    private final int maxLength;
    private final byte[] buffer = new byte[16 * 1024];
    private int position;
    private int end;

    /** Lines of a stream, each up to a length. */
    public BoundedLineReader(InputStream in, int longest) {
        this.in = in;
        this.maxLength = longest;
    }

    /** A line, without its end; of one that is too long, its beginning and its end. */
    public static final class Line {
        private final byte[] bytes;
        private final long length;

        private Line(byte[] bytes, long length) {
            this.bytes = bytes;
            this.length = length;
        }

        /** What is kept of it. */
        public byte[] bytes() {
            return bytes;
        }

        /** How long it is in truth. */
        public long length() {
            return length;
        }

        /** Whether all of it is here. */
        public boolean isComplete() {
            return length == bytes.length;
        }
    }

    /** The next line; null after the last. One that the end cut off counts. */
    @Nullable
    public Line next() throws IOException {
        LineBuffer line = new LineBuffer();
        while (true) {
            if (position == end) {
                end = in.read(buffer);
                position = 0;
                if (end <= 0) {
                    end = 0;
                    return line.length == 0 ? null : line.line();
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
                return line.line();
            }
        }
    }

    private final class LineBuffer {
        private ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        private byte[] tail = {};
        private boolean tooLong;
        private long length;

        void add(byte[] from, int start, int stop) {
            length += stop - start;
            if (!tooLong && length <= maxLength) {
                bytes.write(from, start, stop - start);
                return;
            }
            if (!tooLong) {
                tooLong = true;
                byte[] head = bytes.toByteArray();
                tail = head;
                bytes = new ByteArrayOutputStream(2 * KEPT_EDGE_LENGTH);
                bytes.write(head, 0, Math.min(KEPT_EDGE_LENGTH, head.length));
            }
            byte[] joined = Arrays.copyOf(tail, tail.length + stop - start);
            System.arraycopy(from, start, joined, tail.length, stop - start);
            tail = Arrays.copyOfRange(joined, Math.max(0, joined.length - KEPT_EDGE_LENGTH), joined.length);
        }

        Line line() {
            bytes.writeBytes(tail);
            byte[] all = bytes.toByteArray();
            boolean carriage = all.length > 0 && all[all.length - 1] == '\r';
            return new Line(
                    carriage ? Arrays.copyOf(all, all.length - 1) : all,
                    tooLong ? Math.max(length, all.length + 1L) : length - (carriage ? 1 : 0));
        }
    }
}
