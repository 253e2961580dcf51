package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.ChangeNotificationBatcher;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one session: a stream for each request and a general one for unsolicited notifications. Confined to
 * the loop.
 */
final class SessionStreams {
    /** How long the last messages are buffered for a disconnected client. */
    private static final long RETENTION_MILLIS = 30_000;

    private static final String GENERAL = "g";
    private static final Pattern EVENT = Pattern.compile("([a-z0-9]{1,20})_(\\d{1,15})");

    private final TopicCalls calls;
    private final Consumer<String> onStreamLost;
    private final Map<String, ResumableStream> requestStreams = new HashMap<>();
    private final Map<McpResponseWriter, ResumableStream> readers = new HashMap<>();
    private final ResumableStream generalStream = new ResumableStream(GENERAL, () -> {});
    private final ChangeNotificationBatcher changes;
    private boolean everListened;
    private long requestCount;

    /**
     * Creates a session without streams.
     *
     * @param lost receives the name of a request stream whose reader has disconnected
     */
    SessionStreams(TopicCalls topicCalls, Consumer<String> lost) {
        this.calls = topicCalls;
        this.onStreamLost = lost;
        this.changes = new ChangeNotificationBatcher(
                topicCalls, each -> sendUnsolicited(new RpcMessage.Notification(each, Optional.empty()).line()));
    }

    /** Whether a client reads the general stream. */
    boolean hasListener() {
        return generalStream.hasReader();
    }

    /** Opens the stream of a new request, with this reader. */
    ResumableStream openRequestStream(McpResponseWriter mcpResponseWriter) {
        String name = "r" + requestCount++;
        ResumableStream out = new ResumableStream(name, () -> onStreamLost.accept(name));
        requestStreams.put(name, out);
        attach(out, mcpResponseWriter, 0);
        return out;
    }

    private void attach(ResumableStream out, McpResponseWriter mcpResponseWriter, long after) {
        removeReader(out);
        readers.put(mcpResponseWriter, out);
        out.attach(mcpResponseWriter, after);
    }

    private void removeReader(ResumableStream out) {
        McpResponseWriter reader = out.reader();
        if (reader != null) {
            readers.remove(reader);
        }
    }

    /**
     * Retires a stream that has ended. If it can be resumed, it stays available for {@link #RETENTION_MILLIS}; then the
     * callback runs.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the task needs no result
    void retire(ResumableStream out, Runnable forgotten) {
        Runnable forget = () -> {
            requestStreams.remove(out.name());
            removeReader(out);
            forgotten.run();
        };
        if (out.isResumable()) {
            calls.topic().loop().schedule(forget, RETENTION_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            forget.run();
        }
    }

    /** Detaches a reader that has disconnected. */
    void detach(McpResponseWriter mcpResponseWriter) {
        ResumableStream out = readers.remove(mcpResponseWriter);
        if (out != null) {
            out.detach(mcpResponseWriter);
        }
    }

    /** Whether the messages after an event are still available. Always true without an event. */
    boolean canResume(@Nullable String lastEvent) {
        return lastEvent == null || findResumePoint(lastEvent).isPresent();
    }

    private record ResumePoint(ResumableStream out, long event) {}

    private Optional<ResumePoint> findResumePoint(String lastEvent) {
        Matcher id = EVENT.matcher(lastEvent);
        if (!id.matches()) {
            return Optional.empty();
        }
        ResumableStream out = id.group(1).equals(GENERAL) ? generalStream : requestStreams.get(id.group(1));
        return Optional.ofNullable(out).map(found -> new ResumePoint(found, Long.parseLong(id.group(2))));
    }

    /** Attaches a reader to the general stream, or resumes an interrupted stream after an event. */
    void listen(@Nullable String lastEvent, McpResponseWriter mcpResponseWriter) {
        ResumePoint from = Optional.ofNullable(lastEvent)
                .flatMap(this::findResumePoint)
                .orElseGet(() -> new ResumePoint(generalStream, generalStream.messageCount()));
        everListened |= from.out().equals(generalStream);
        from.out().start();
        attach(from.out(), mcpResponseWriter, from.event());
    }

    /** Sends a message that belongs to no request, unless the client has never opened the general stream. */
    void sendUnsolicited(String line) {
        if (everListened) {
            generalStream.send(line);
        }
    }

    /** Notifies the client of a change, unless it has never opened the general stream. */
    void notifyChanged(String notification) {
        if (everListened) {
            changes.add(notification);
        }
    }

    void closeGeneral() {
        generalStream.close();
    }
}
