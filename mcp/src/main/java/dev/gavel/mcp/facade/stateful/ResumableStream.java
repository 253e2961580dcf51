package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.ResponseChannel;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.rpc.RpcMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A stream of messages to a session client that buffers recent messages, so that a disconnected client can resume it. A
 * client that was cut off takes it up again after the last message it received. Confined to the topic's loop.
 */
final class ResumableStream implements ResponseChannel {
    /** What is kept for a client that was cut off, besides the last message, an answer. */
    private static final int MAX_BUFFERED = 64;

    private static final int MAX_CHARACTERS = 64 * 1024;

    private final String name;
    private final Runnable onDisconnect;
    private final Deque<BufferedMessage> buffered = new ArrayDeque<>();
    private long lastEventNumber;
    private int bufferedCharacters;
    private boolean started;
    private boolean closed;
    private boolean delivered;
    private int disconnectCount;
    private @Nullable McpResponseWriter mcpResponseWriter;

    private record BufferedMessage(long number, String line, boolean last, boolean update) {}

    /**
     * An outflow with nothing in it.
     *
     * @param name what its events' ids begin with
     * @param lost run when nobody reads it any more though it is not over
     */
    ResumableStream(String name, Runnable lost) {
        this.name = name;
        this.onDisconnect = lost;
    }

    String name() {
        return name;
    }

    /** Whether somebody reads it now. */
    @Override
    public boolean hasReader() {
        return mcpResponseWriter != null;
    }

    /** Who reads it now; null where nobody does. */
    @Nullable
    McpResponseWriter reader() {
        return mcpResponseWriter;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Whether a client that is cut off could go on from something it received. */
    boolean isResumable() {
        return started;
    }

    /** How many messages it has had. */
    long messageCount() {
        return lastEventNumber;
    }

    /** Whether the last message was given to somebody who read to the end. */
    boolean isDelivered() {
        return delivered;
    }

    /** How often somebody who read it went away. */
    int disconnectCount() {
        return disconnectCount;
    }

    private String eventId(long event) {
        return name + "_" + event;
    }

    /** Lets the client see that its request is taken, and takes a while. */
    @Override
    public void start() {
        if (!started && !closed) {
            started = true;
            if (mcpResponseWriter != null) {
                mcpResponseWriter.start(eventId(lastEventNumber));
            }
        }
    }

    /** Sends a message that is one line already. */
    @Override
    public void send(String line) {
        start();
        send(line, false, false);
    }

    /** Of how a call stands only the newest is kept: it may wait for hours, and be told every few seconds. */
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
        BufferedMessage before = buffered.peekLast();
        if (bufferedMessage.update() && before != null && before.update()) {
            bufferedCharacters -= buffered.removeLast().line().length();
        }
        buffered.add(bufferedMessage);
        bufferedCharacters +=
                bufferedMessage.last() ? 0 : bufferedMessage.line().length();
        while (!buffered.isEmpty()
                && !buffered.getFirst().last()
                && (buffered.size() > MAX_BUFFERED || bufferedCharacters > MAX_CHARACTERS)) {
            bufferedCharacters -= buffered.remove().line().length();
        }
    }

    /** Ends it without a last message. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (mcpResponseWriter != null) {
                mcpResponseWriter.end();
            }
        }
    }

    /** From now on it is read there, beginning after an event; whoever read it before reads it no more. */
    void attach(McpResponseWriter to, long after) {
        McpResponseWriter before = mcpResponseWriter;
        mcpResponseWriter = to;
        if (before != null) {
            before.end();
        }
        if (started) {
            to.start(eventId(after));
        }
        boolean ends = closed;
        for (BufferedMessage bufferedMessage : buffered) {
            if (bufferedMessage.number() > after) {
                delivered = bufferedMessage.last();
                ends &= !bufferedMessage.last();
                to.send(eventId(bufferedMessage.number()), bufferedMessage.line(), bufferedMessage.last());
            }
        }
        if (ends) {
            to.end();
        }
    }

    /** A reader has gone away, perhaps before it had read all. */
    void detach(McpResponseWriter from) {
        if (from.equals(mcpResponseWriter)) {
            mcpResponseWriter = null;
            delivered = false;
            disconnectCount++;
            if (!closed) {
                onDisconnect.run();
            }
        }
    }
}
