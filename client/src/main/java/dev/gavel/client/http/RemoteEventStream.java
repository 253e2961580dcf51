package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads envelopes from a gateway's server-sent event stream and ends when the gateway is silent too long. A gateway is
 * never silent for long, so after 70 seconds of silence it counts as lost. Confined to one reading thread.
 */
public final class RemoteEventStream implements AutoCloseable {
    private static final Duration MAX_SILENCE = Duration.ofSeconds(70);
    private static final int MAX_LINE_BYTES = 64 * 1024 * 1024;

    private final InputStream in;
    private final Thread silenceWatchdog;
    private volatile long lastReadNanos = System.nanoTime();
    private final byte[] buffer = new byte[16 * 1024];
    private int position;
    private int filled;

    RemoteEventStream(InputStream in) {
        this.in = in;
        this.silenceWatchdog = Thread.ofVirtual().name("silence").start(this::watchSilence);
    }

    /** Waits for the next envelope and returns it; empty if the stream has ended or broken. */
    public Optional<RemoteEvent> next() {
        StringBuilder data = new StringBuilder();
        OptionalLong seq = OptionalLong.empty();
        try {
            for (Optional<String> line = readLine(); line.isPresent(); line = readLine()) {
                String text = line.get();
                if (text.startsWith("data:")) {
                    data.append(value(text)).append('\n');
                } else if (text.startsWith("id:")) {
                    seq = number(value(text));
                } else if (text.isEmpty() && !data.isEmpty()) {
                    Optional<Json> envelope = Json.parse(data.toString());
                    if (envelope.isPresent()) {
                        return Optional.of(new RemoteEvent(envelope.get(), seq));
                    }
                    data.setLength(0);
                    seq = OptionalLong.empty();
                }
            }
        } catch (IOException e) {
            // A broken stream counts as ended; the caller can request missed envelopes by their seq.
        }
        return Optional.empty();
    }

    private static String value(String line) {
        String value = line.substring(line.indexOf(':') + 1);
        return value.startsWith(" ") ? value.substring(1) : value;
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private Optional<String> readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = read(); next >= 0; next = read()) {
            if (next == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                return Optional.of(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
            }
            line.write(next);
            if (line.size() > MAX_LINE_BYTES) {
                throw new IOException("an event is too long");
            }
        }
        return Optional.empty();
    }

    private int read() throws IOException {
        if (position == filled) {
            filled = in.read(buffer);
            position = 0;
            lastReadNanos = System.nanoTime();
            if (filled <= 0) {
                filled = 0;
                return -1;
            }
        }
        return buffer[position++] & 0xff;
    }

    private void watchSilence() {
        try {
            for (long left = MAX_SILENCE.toNanos(); left > 0; ) {
                Thread.sleep(Duration.ofNanos(left));
                left = MAX_SILENCE.toNanos() - (System.nanoTime() - lastReadNanos);
            }
            in.close();
        } catch (InterruptedException | IOException e) {
            // Closed already.
        }
    }

    @Override
    public void close() {
        silenceWatchdog.interrupt();
        try {
            in.close();
        } catch (IOException e) {
            // Nothing is lost, since the stream is not read any more.
        }
    }
}
