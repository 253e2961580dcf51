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
    /** How long what was sent last is kept for a client that was cut off. */
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
     * No streams yet.
     *
     * @param lost told the name of a stream that nobody reads any more
     */
    SessionStreams(TopicCalls topicCalls, Consumer<String> lost) {
        this.calls = topicCalls;
        this.onStreamLost = lost;
        this.changes = new ChangeNotificationBatcher(
                topicCalls, each -> sendUnsolicited(new RpcMessage.Notification(each, Optional.empty()).line()));
    }

    /** Whether anybody listens for what belongs to no request. */
    boolean hasListener() {
        return generalStream.hasReader();
    }

    /** The stream of a new request, read there. */
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

    /** A stream is over; what may still be fetched is kept for a moment, and then looked at. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is not fetched by then is forgotten
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

    /** A reader has gone away. */
    void detach(McpResponseWriter mcpResponseWriter) {
        ResumableStream out = readers.remove(mcpResponseWriter);
        if (out != null) {
            out.detach(mcpResponseWriter);
        }
    }

    /** Whether what follows an event is still there; nothing need be there where no event is named. */
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

    /** Has somebody listen for what belongs to no request, or take up what was cut off after an event. */
    void listen(@Nullable String lastEvent, McpResponseWriter mcpResponseWriter) {
        ResumePoint from = Optional.ofNullable(lastEvent)
                .flatMap(this::findResumePoint)
                .orElseGet(() -> new ResumePoint(generalStream, generalStream.messageCount()));
        everListened |= from.out().equals(generalStream);
        from.out().start();
        attach(from.out(), mcpResponseWriter, from.event());
    }

    /** Sends what belongs to no request; nobody who never listened wants it. */
    void sendUnsolicited(String line) {
        if (everListened) {
            generalStream.send(line);
        }
    }

    /** Has the client told that something has changed; nobody who never listened wants it. */
    void notifyChanged(String notification) {
        if (everListened) {
            changes.add(notification);
        }
    }

    void closeGeneral() {
        generalStream.close();
    }
}
