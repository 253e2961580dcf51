package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.ResponseChannel;
import dev.gavel.mcp.facade.stateful.StreamEventId.StreamCall;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of messages to a session client that buffers recent messages, so that a disconnected client can resume it.
 * The client resumes after the last message that it received. Confined to the topic's loop.
 */
final class ResumableStream implements ResponseChannel {
    /** Limits on the buffered messages. The last message, a response, is buffered in addition. */
    private static final int MAX_BUFFERED = 64;

    private static final int MAX_CHARACTERS = 64 * 1024;

    private final String name;
    private final Runnable onDisconnect;
    private final Deque<BufferedMessage> bufferedMessages = new ArrayDeque<>();
    private Optional<StreamCall> call = Optional.empty();
    private long lastEventNumber;
    private int bufferedCharacters;
    private boolean started;
    private boolean closed;
    /** Whether the last message was written to a reader that has not disconnected since. */
    private boolean delivered;

    private Consumer<Boolean> onDeliveryChange = _ -> {};
    private int disconnectCount;
    private @Nullable McpResponseWriter mcpResponseWriter;

    private record BufferedMessage(long number, String line, boolean last, boolean update) {}

    /**
     * Creates an empty stream.
     *
     * @param name the prefix of its event ids
     * @param onDisconnect run when the reader disconnects before the stream has ended
     */
    ResumableStream(String name, Runnable onDisconnect) {
        this.name = name;
        this.onDisconnect = onDisconnect;
    }

    String name() {
        return name;
    }

    /** Sets the proposed call whose response the stream carries. The ids of all later events contain it. */
    void setCall(Optional<StreamCall> streamCall) {
        call = streamCall;
    }

    /** Whether a client currently reads the stream. */
    @Override
    public boolean hasReader() {
        return mcpResponseWriter != null;
    }

    /** Returns the current reader, or null if there is none. */
    @Nullable
    McpResponseWriter reader() {
        return mcpResponseWriter;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Whether a disconnected client could resume after an event that it received. */
    boolean isResumable() {
        return started;
    }

    /** Returns the number of messages so far. */
    long messageCount() {
        return lastEventNumber;
    }

    /**
     * Calls back when a reader disconnects before it has read the last message, which was written already, with false;
     * and when a reader that resumes the stream gets the last message, with true.
     */
    void onDeliveryChange(Consumer<Boolean> callback) {
        onDeliveryChange = callback;
    }

    /** Returns how often a reader has disconnected. */
    int disconnectCount() {
        return disconnectCount;
    }

    private String eventId(long event) {
        return new StreamEventId(name, event, call).text();
    }

    /** Starts the response, so that the client sees that its request is in progress. */
    @Override
    public void start() {
        if (!started && !closed) {
            started = true;
            if (mcpResponseWriter != null) {
                mcpResponseWriter.start(eventId(lastEventNumber));
            }
        }
    }

    /** Sends a message that is already a single line. */
    @Override
    public void send(String line) {
        start();
        send(line, false, false);
    }

    /**
     * Sends a status of which only the newest is buffered: a call may wait for hours and send its status every few
     * seconds.
     */
    @Override
    public void sendReplaceable(RpcMessage message) {
        start();
        send(message.line(), false, true);
    }

    /** Sends the last message. */
    @Override
    public void complete(RpcMessage message) {
        send(message.line(), true, false);
    }

    private void send(String line, boolean last, boolean update) {
        if (closed) {
            return;
        }
        closed = last;
        lastEventNumber++;
        if (started) {
            buffer(new BufferedMessage(lastEventNumber, line, last, update));
        }
        if (mcpResponseWriter != null) {
            delivered = last;
            mcpResponseWriter.send(eventId(lastEventNumber), line, last);
        }
    }

    private void buffer(BufferedMessage bufferedMessage) {
        BufferedMessage before = bufferedMessages.peekLast();
        if (bufferedMessage.update() && before != null && before.update()) {
            bufferedCharacters -= bufferedMessages.removeLast().line().length();
        }
        bufferedMessages.add(bufferedMessage);
        bufferedCharacters +=
                bufferedMessage.last() ? 0 : bufferedMessage.line().length();
        while (!bufferedMessages.isEmpty()
                && !bufferedMessages.getFirst().last()
                && (bufferedMessages.size() > MAX_BUFFERED || bufferedCharacters > MAX_CHARACTERS)) {
            bufferedCharacters -= bufferedMessages.remove().line().length();
        }
    }

    /** Closes the stream without a last message. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (mcpResponseWriter != null) {
                mcpResponseWriter.end();
            }
        }
    }

    /** Attaches a reader, beginning after an event, in place of the previous reader. */
    void attach(McpResponseWriter writer, long after) {
        McpResponseWriter before = mcpResponseWriter;
        mcpResponseWriter = writer;
        if (before != null) {
            before.end();
        }
        if (started) {
            writer.start(eventId(after));
        }
        boolean endNow = closed;
        for (BufferedMessage bufferedMessage : bufferedMessages) {
            if (bufferedMessage.number() > after) {
                endNow &= !bufferedMessage.last();
                writer.send(eventId(bufferedMessage.number()), bufferedMessage.line(), bufferedMessage.last());
                setDelivered(bufferedMessage.last());
            }
        }
        if (endNow) {
            writer.end();
        }
    }

    private void setDelivered(boolean newValue) {
        if (delivered != newValue) {
            delivered = newValue;
            onDeliveryChange.accept(newValue);
        }
    }

    /** Detaches a reader that has disconnected, perhaps before it had read everything. */
    void detach(McpResponseWriter writer) {
        if (writer.equals(mcpResponseWriter)) {
            mcpResponseWriter = null;
            setDelivered(false);
            disconnectCount++;
            if (!closed) {
                onDisconnect.run();
            }
        }
    }
}
