package dev.gavel.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connects one participant of a {@link LoadGenerator} by WebSocket, sends its messages and verifies those it receives.
 */
final class WebSocketLoadConnection implements LoadGeneratorConnection {
    /** Room for a window of envelopes, so that the kernel buffers all of it and no server sees a slow reader. */
    private static final int KERNEL_BUFFER = 512 * 1024;

    private static final int MASK = 0x21436587;
    private static final int LONGEST_PONG = WebSocketFrameHeaderCodec.LONGEST_HEADER + 125;

    private final LoadParticipantCredentials loadParticipantCredentials;
    private final ByteChannel channel;
    private final SelectionKey key;
    private final PartialFrameBuffer partialFrameBuffer = new PartialFrameBuffer();
    private final DeliveryVerifier deliveryVerifier;
    private final String handshakeKey;
    private final @Nullable ChatFrameGenerator chatFrameGenerator;
    /** The output that the socket has not accepted yet, ready for appending. */
    private final ByteBuffer out;

    private boolean upgraded;

    private WebSocketLoadConnection(
            LoadParticipantCredentials loadParticipantCredentials,
            ByteChannel channel,
            SelectionKey key,
            int senders,
            int own) {
        this.loadParticipantCredentials = loadParticipantCredentials;
        this.channel = channel;
        this.key = key;
        this.deliveryVerifier = new DeliveryVerifier(loadParticipantCredentials.name(), senders, own, this::onPing);
        this.chatFrameGenerator = own < 0 ? null : new ChatFrameGenerator(own);
        this.handshakeKey = Base64.getEncoder().encodeToString(new byte[16]);
        this.out = ByteBuffer.allocateDirect((own < 0 ? 0 : LoadGenerator.WINDOW * ChatFrameGenerator.MAX_FRAME_LENGTH)
                + WebSocketUpgradeCodec.LONGEST_HEAD);
    }

    /**
     * Connects and requests the upgrade; the response is read like all other input.
     *
     * @param tls the TLS context; null for no TLS
     * @param own the index of the sender that this is, or -1
     */
    static WebSocketLoadConnection open(
            InetSocketAddress server,
            @Nullable SSLContext tls,
            String path,
            LoadParticipantCredentials loadParticipantCredentials,
            Selector selector,
            int senders,
            int own)
            throws IOException {
        SocketChannel socket = SocketChannel.open();
        socket.setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BUFFER);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.connect(server);
        ByteChannel channel = tls == null ? socket : TlsChannel.open(socket, tls);
        socket.configureBlocking(false);
        SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
        WebSocketLoadConnection connection =
                new WebSocketLoadConnection(loadParticipantCredentials, channel, key, senders, own);
        key.attach(connection);
        String authority = server.getHostString() + ":" + server.getPort();
        connection.out.put(WebSocketUpgradeCodec.request(
                authority, path, loadParticipantCredentials.token(), connection.handshakeKey));
        connection.flush();
        return connection;
    }

    @Override
    public String name() {
        return loadParticipantCredentials.name();
    }

    @Override
    public long receivedCount() {
        return deliveryVerifier.receivedCount();
    }

    boolean isUpgraded() {
        return upgraded;
    }

    boolean isWelcomed() {
        return deliveryVerifier.isWelcomed();
    }

    @Override
    public void read(ByteBuffer shared) throws IOException {
        if (!partialFrameBuffer.read(channel, shared)) {
            throw new RunFailedException(name() + ": the server ended the connection");
        }
        int at = 0;
        if (!upgraded) {
            at = WebSocketUpgradeCodec.headEnd(shared);
            if (at == 0) {
                partialFrameBuffer.save(shared, 0);
                return;
            }
            String head = WebSocketUpgradeCodec.readHead(shared, at);
            if (!WebSocketUpgradeCodec.isAccepted(head, handshakeKey)) {
                throw new RunFailedException(name() + ": the server refused the WebSocket upgrade: " + head.strip());
            }
            upgraded = true;
        }
        partialFrameBuffer.save(shared, deliveryVerifier.countFrames(shared, at));
    }

    @Override
    public long sentCount() {
        return chatFrameGenerator == null ? 0 : chatFrameGenerator.generatedCount();
    }

    @Override
    public int sendCapacity() {
        return (out.remaining() - LONGEST_PONG) / ChatFrameGenerator.MAX_FRAME_LENGTH;
    }

    @Override
    public void send(int messages) throws IOException {
        if (chatFrameGenerator == null) {
            throw new IllegalStateException(name() + " is only a receiver");
        }
        for (int i = 0; i < messages; i++) {
            chatFrameGenerator.append(out);
        }
        flush();
    }

    @Override
    public void flush() throws IOException {
        out.flip();
        channel.write(out);
        out.compact();
        int interestOps = out.position() == 0 ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != interestOps) {
            key.interestOps(interestOps);
        }
    }

    private void onPing(byte[] payload) {
        // If there is no room, answering a later ping is sufficient: RFC 6455 §5.5.3.
        if (out.remaining() >= LONGEST_PONG) {
            WebSocketFrameHeaderCodec.putMaskedHeader(out, WebSocketFrameHeaderCodec.PONG, payload.length, MASK);
            WebSocketFrameHeaderCodec.putMasked(out, ByteBuffer.wrap(payload), 0, payload.length, MASK);
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
