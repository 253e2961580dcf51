package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.ChangeNotificationBatcher;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcMessage;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one session: a stream for each request and a general one for unsolicited notifications. Confined to
 * the loop.
 */
final class SessionStreams {
    /** How long the last messages are buffered for a disconnected client. */
    private static final long RETENTION_MILLIS = 30_000;

    private static final String GENERAL = "g";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final TopicCalls calls;
    private final Consumer<String> onStreamLost;
    private final Map<String, ResumableStream> requestStreams = new HashMap<>();
    private final Map<McpResponseWriter, ResumableStream> readers = new HashMap<>();
    private final ResumableStream generalStream = new ResumableStream(GENERAL, () -> {});
    private final ChangeNotificationBatcher changeBatcher;
    private boolean generalStreamOpened;
    private long requestCount;

    /** Makes the names of streams unique, so that the id of an event never matches a stream of another process. */
    private final String nameSuffix = "x" + Long.toString(RANDOM.nextLong() >>> 32, 36);

    /**
     * Creates a session without streams.
     *
     * @param onStreamLost receives the name of a request stream whose reader has disconnected
     */
    SessionStreams(TopicCalls topicCalls, Consumer<String> onStreamLost) {
        this.calls = topicCalls;
        this.onStreamLost = onStreamLost;
        this.changeBatcher = new ChangeNotificationBatcher(
                topicCalls, each -> sendUnsolicited(new RpcMessage.Notification(each, Optional.empty()).line()));
    }

    /** Whether a client reads the general stream. */
    boolean hasListener() {
        return generalStream.hasReader();
    }

    /** Opens the stream of a new request, with this reader. */
    ResumableStream openRequestStream(McpResponseWriter mcpResponseWriter) {
        String name = "r" + Long.toString(requestCount++, 36) + nameSuffix;
        ResumableStream stream = new ResumableStream(name, () -> onStreamLost.accept(name));
        requestStreams.put(name, stream);
        attach(stream, mcpResponseWriter, 0);
        return stream;
    }

    private void attach(ResumableStream stream, McpResponseWriter mcpResponseWriter, long after) {
        removeReader(stream);
        readers.put(mcpResponseWriter, stream);
        stream.attach(mcpResponseWriter, after);
    }

    private void removeReader(ResumableStream stream) {
        McpResponseWriter reader = stream.reader();
        if (reader != null) {
            readers.remove(reader);
        }
    }

    /**
     * Retires a stream that has ended. If it can be resumed, it stays available for {@link #RETENTION_MILLIS}; then the
     * callback runs.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the task needs no result
    void retire(ResumableStream stream, Runnable onRemoved) {
        Runnable removal = () -> {
            requestStreams.remove(stream.name());
            removeReader(stream);
            onRemoved.run();
        };
        if (stream.isResumable()) {
            calls.topic().loop().schedule(removal, RETENTION_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            removal.run();
        }
    }

    /** Detaches a reader that has disconnected. */
    void detach(McpResponseWriter mcpResponseWriter) {
        ResumableStream stream = readers.remove(mcpResponseWriter);
        if (stream != null) {
            stream.detach(mcpResponseWriter);
        }
    }

    /** Whether the messages after an event are still available. Always true without an event. */
    boolean canResume(@Nullable String lastEvent) {
        return lastEvent == null || findResumePoint(lastEvent).isPresent();
    }

    private record ResumePoint(ResumableStream out, long event) {}

    private Optional<ResumePoint> findResumePoint(String lastEvent) {
        return StreamEventId.parse(lastEvent)
                .flatMap(id -> Optional.ofNullable(
                                id.stream().equals(GENERAL) ? generalStream : requestStreams.get(id.stream()))
                        .map(stream -> new ResumePoint(stream, id.number())));
    }

    /** Attaches a reader to the general stream, or resumes an interrupted stream after an event. */
    void listen(@Nullable String lastEvent, McpResponseWriter mcpResponseWriter) {
        ResumePoint resumePoint = Optional.ofNullable(lastEvent)
                .flatMap(this::findResumePoint)
                .orElseGet(() -> new ResumePoint(generalStream, generalStream.messageCount()));
        generalStreamOpened |= resumePoint.out().equals(generalStream);
        resumePoint.out().start();
        attach(resumePoint.out(), mcpResponseWriter, resumePoint.event());
    }

    /** Sends a message that belongs to no request, unless the client has never opened the general stream. */
    void sendUnsolicited(String line) {
        if (generalStreamOpened) {
            generalStream.send(line);
        }
    }

    /** Notifies the client of a change, unless it has never opened the general stream. */
    void notifyChanged(String notification) {
        if (generalStreamOpened) {
            changeBatcher.add(notification);
        }
    }

    void closeGeneral() {
        generalStream.close();
    }
}
