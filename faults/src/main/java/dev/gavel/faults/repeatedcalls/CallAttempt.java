package dev.gavel.faults.repeatedcalls;

import dev.gavel.bench.server.ConditionWaiter;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request that an MCP client sends for a call, with its response and how the client gave it up. The response is
 * recorded even if the client has stopped waiting for it. Thread-safe.
 */
final class CallAttempt {
    private final CallKey callKey;
    private final int number;
    private final String description;
    private final Instant startedAt = Instant.now();
    private @Nullable Thread reader;
    private @Nullable InputStream body;
    private @Nullable CallResponse response;
    private @Nullable Instant endedAt;
    private String ending = "";
    private boolean closedByClient;
    private boolean cancelled;

    /**
     * Creates an attempt whose request is not sent yet.
     *
     * @param number its number among the attempts of its key
     * @param description how and where the request is sent, for people
     */
    CallAttempt(CallKey callKey, int number, String description) {
        this.callKey = callKey;
        this.number = number;
        this.description = description;
    }

    CallKey callKey() {
        return callKey;
    }

    Instant startedAt() {
        return startedAt;
    }

    /** Starts the thread that sends the request and reads the response. */
    synchronized void startReader(Runnable task) {
        reader = Thread.ofVirtual().start(task);
    }

    /** Sets the stream from which the response is read; closes it if the client has closed the connection. */
    synchronized void setBody(InputStream stream) throws IOException {
        if (closedByClient) {
            stream.close();
        }
        body = stream;
    }

    /** Records the response, or that the connection ended without one. Only the first one counts. */
    synchronized void complete(CallResponse received) {
        if (response == null) {
            response = received;
            endedAt = received.at();
        }
    }

    /** Records that the client stops waiting without telling Gavel; the connection stays open. */
    synchronized void ignore() {
        ending = "ignored from " + Instant.now();
    }

    /** Closes the connection. */
    void close(String reason) {
        Thread thread;
        InputStream stream;
        synchronized (this) {
            if (response != null || closedByClient) {
                return;
            }
            closedByClient = true;
            ending = (ending.isEmpty() ? "" : ending + ", ") + reason + " at " + Instant.now();
            endedAt = Instant.now();
            thread = reader;
            stream = body;
        }
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException _) {
                // It is closed.
            }
        }
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Records that the client cancelled the request. */
    synchronized void markCancelled() {
        cancelled = true;
        ending = "cancelled at " + Instant.now();
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Waits for the response; empty if there is none within this time. */
    Optional<CallResponse> await(Duration timeout) throws InterruptedException {
        ConditionWaiter.waitUntil(timeout, () -> response().isPresent());
        return response();
    }

    /** The response, if there is one. */
    synchronized Optional<CallResponse> response() {
        return Optional.ofNullable(response);
    }

    /** When the connection or the request ended; empty while it is open. */
    synchronized Optional<Instant> endedAt() {
        return Optional.ofNullable(endedAt);
    }

    /** Whether it was open, or ended without a response, at this time or shortly before. */
    boolean mayHaveMissedAt(Instant time, Duration tolerance) {
        boolean answered = response()
                .filter(received -> received.type() != CallResponse.Type.LOST)
                .isPresent();
        return !answered
                && startedAt.isBefore(time)
                && endedAt().map(end -> end.isAfter(time.minus(tolerance))).orElse(true);
    }

    @Override
    public synchronized String toString() {
        return "attempt " + number + " of " + callKey + " " + description + (ending.isEmpty() ? "" : ", " + ending);
    }
}
