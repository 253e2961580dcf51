package dev.gavel.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Minimal WebSocket server that relays each text frame to all other connections, as the reference that Gavel is
 * compared with. One thread merges the frames of one selector pass into one buffer, and each receiver gets one write
 * per pass. A receiver that falls behind is dropped, as by a gateway.
 *
 * <p>{@link #run()} and all it calls are confined to one thread; {@link #close()} may be called from any.
 */
public final class RawRelay implements AutoCloseable {
    private static final int READ = 256 * 1024;
    /** Room for the input of several senders in a pass; a pass with more is sent in two steps. */
    private static final int MERGED = 4 * READ;

    private static final int BACKLOG = 8 * 1024 * 1024;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final int backlogLimit;
    private final List<RawRelayServerConnection> connections = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ);
    private final ByteBuffer merged = ByteBuffer.allocateDirect(MERGED);
    private boolean dropped;
    private volatile boolean closing;

    private RawRelay(Selector selector, ServerSocketChannel listener, int backlogLimit) {
        this.selector = selector;
        this.listener = listener;
        this.backlogLimit = backlogLimit;
    }

    /** Runs a relay until the process is ended. */
    public static void main(String[] args) throws IOException {
        try (RawRelay relay = open()) {
            System.out.println(
                    "listening on http://127.0.0.1:" + relay.address().getPort());
            relay.run();
        }
    }

    /** Opens a relay that listens on a free port of the loopback address. */
    public static RawRelay open() throws IOException {
        return open(BACKLOG);
    }

    static RawRelay open(int backlogLimit) throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 1024);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        return new RawRelay(selector, listener, backlogLimit);
    }

    /** The address on which the relay listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.socket().getLocalSocketAddress();
    }

    /** Relays until closed. */
    public void run() throws IOException {
        try (selector;
                listener) {
            while (!closing) {
                selector.select(this::onReady);
                flush();
                removeDropped();
            }
            for (RawRelayServerConnection connection : connections) {
                connection.drop();
            }
        }
    }

    @Override
    public void close() {
        closing = true;
        selector.wakeup();
    }

    private void onReady(SelectionKey key) {
        if (key.attachment() instanceof RawRelayServerConnection connection) {
            if (key.isValid() && key.isWritable() && !connection.writeBacklog()) {
                dropped = true;
            }
            if (key.isValid() && key.isReadable()) {
                if (merged.remaining() < READ) {
                    flush();
                }
                if (!connection.read(in, merged)) {
                    dropped = true;
                }
            }
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            SocketChannel channel = listener.accept();
            if (channel != null) {
                connections.add(RawRelayServerConnection.register(channel, selector, backlogLimit));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends the frames merged in this pass. */
    private void flush() {
        if (merged.position() == 0) {
            return;
        }
        merged.flip();
        for (RawRelayServerConnection connection : connections) {
            if (!connection.deliver(merged)) {
                dropped = true;
            }
        }
        merged.clear();
    }

    private void removeDropped() {
        if (dropped) {
            connections.removeIf(connection -> !connection.isOpen());
            dropped = false;
        }
    }
}
