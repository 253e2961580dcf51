package dev.gavel.bench.load;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One client's connection to the minimal relay server: reads frames from the client and queues output until the socket
 * accepts it.
 */
final class RawRelayServerConnection {
    private static final int FIRST_BACKLOG = 64 * 1024;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final int backlogLimit;
    private final PartialFrameBuffer partialFrameBuffer = new PartialFrameBuffer();
    /** The output that the socket did not accept, ready for appending. */
    private ByteBuffer backlog = ByteBuffer.allocate(0);

    private boolean upgraded;
    private boolean open = true;
    /** The part of the merged buffer that this connection sent and so must not receive. */
    private int ownFrom;

    private int ownTo;

    private RawRelayServerConnection(SocketChannel channel, SelectionKey key, int backlogLimit) {
        this.channel = channel;
        this.key = key;
        this.backlogLimit = backlogLimit;
    }

    static RawRelayServerConnection register(SocketChannel channel, Selector selector, int backlogLimit)
            throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        RawRelayServerConnection connection = new RawRelayServerConnection(channel, key, backlogLimit);
        key.attach(connection);
        return connection;
    }

    boolean isOpen() {
        return open;
    }

    /** Reads once and appends the complete frames to the merged buffer; returns false if the connection has ended. */
    boolean read(ByteBuffer in, ByteBuffer merged) {
        try {
            if (!partialFrameBuffer.read(channel, in)) {
                return drop();
            }
            int at = 0;
            if (!upgraded) {
                at = WebSocketUpgradeCodec.headEnd(in);
                if (at == 0 && in.position() < WebSocketUpgradeCodec.LONGEST_HEAD) {
                    partialFrameBuffer.save(in, 0);
                    return true;
                }
                if (at == 0 || !upgrade(WebSocketUpgradeCodec.readHead(in, at))) {
                    return drop();
                }
            }
            ownFrom = merged.position();
            int rest = mergeFrames(in, at, merged);
            ownTo = merged.position();
            if (rest < 0) {
                return drop();
            }
            partialFrameBuffer.save(in, rest);
            return true;
        } catch (IOException _) {
            return drop();
        }
    }

    private boolean upgrade(String head) throws IOException {
        String requestKey = WebSocketUpgradeCodec.parseKey(head).orElse("");
        if (requestKey.isEmpty()) {
            return false;
        }
        upgraded = true;
        return send(ByteBuffer.wrap(WebSocketUpgradeCodec.response(requestKey)));
    }

    /** The start of the first incomplete frame, or -1 if the peer disconnects or must be disconnected. */
    private int mergeFrames(ByteBuffer in, int from, ByteBuffer merged) throws IOException {
        int at = from;
        int end = in.position();
        int header;
        while ((header = WebSocketFrameHeaderCodec.headerLength(in, at, end)) > 0) {
            long length = WebSocketFrameHeaderCodec.payloadLength(in, at);
            if (length < 0
                    || header + length > in.capacity()
                    || !WebSocketFrameHeaderCodec.isMasked(in, at)
                    || !WebSocketFrameHeaderCodec.isFinal(in, at)) {
                return -1;
            }
            if (end - at - header < length) {
                break;
            }
            int mask = in.getInt(at + header - 4);
            int size = (int) length;
            switch (WebSocketFrameHeaderCodec.opcode(in, at)) {
                case WebSocketFrameHeaderCodec.TEXT -> {
                    WebSocketFrameHeaderCodec.putHeader(merged, WebSocketFrameHeaderCodec.TEXT, size);
                    WebSocketFrameHeaderCodec.putMasked(merged, in, at + header, size, mask);
                }
                case WebSocketFrameHeaderCodec.PING -> {
                    ByteBuffer pong = ByteBuffer.allocate(WebSocketFrameHeaderCodec.LONGEST_HEADER + size);
                    WebSocketFrameHeaderCodec.putHeader(pong, WebSocketFrameHeaderCodec.PONG, size);
                    WebSocketFrameHeaderCodec.putMasked(pong, in, at + header, size, mask);
                    send(pong.flip());
                }
                case WebSocketFrameHeaderCodec.PONG -> {}
                default -> {
                    return -1;
                }
            }
            at += header + size;
        }
        return at;
    }

    /** Sends the frames that others merged in this pass; returns false if the connection has ended. */
    boolean deliver(ByteBuffer merged) {
        if (!open || !upgraded) {
            return true;
        }
        int end = merged.limit();
        try {
            if (ownTo == ownFrom) {
                return send(merged);
            }
            boolean before = ownFrom == 0 || send(merged.limit(ownFrom));
            return before && (ownTo == end || send(merged.limit(end).position(ownTo)));
        } catch (IOException _) {
            return drop();
        } finally {
            ownFrom = 0;
            ownTo = 0;
            merged.limit(end).position(0);
        }
    }

    /** Sends bytes, or appends them to the backlog if there is one; a full backlog ends the connection. */
    private boolean send(ByteBuffer bytes) throws IOException {
        if (backlog.position() == 0) {
            channel.write(bytes);
        }
        if (!bytes.hasRemaining()) {
            return true;
        }
        int needed = backlog.position() + bytes.remaining();
        if (needed > backlogLimit) {
            return drop();
        }
        if (needed > backlog.capacity()) {
            int capacity = Math.max(FIRST_BACKLOG, Integer.highestOneBit(needed) << 1);
            backlog = ByteBuffer.allocateDirect(capacity).put(backlog.flip());
        }
        backlog.put(bytes);
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        return true;
    }

    /** Writes the backlog; returns false if the connection has ended. */
    boolean writeBacklog() {
        try {
            backlog.flip();
            channel.write(backlog);
            backlog.compact();
            if (backlog.position() == 0) {
                key.interestOps(SelectionKey.OP_READ);
            }
            return true;
        } catch (IOException _) {
            return drop();
        }
    }

    /** Ends the connection without a close frame; returns false, for callers to return. */
    boolean drop() {
        open = false;
        try {
            channel.close();
        } catch (IOException _) {
            // The connection has ended either way.
        }
        return false;
    }
}
