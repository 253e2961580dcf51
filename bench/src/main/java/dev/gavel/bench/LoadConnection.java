package dev.gavel.bench;

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

/** One participant's WebSocket of a {@link Load}, used by the load's thread alone. */
final class LoadConnection implements Peer {
    /** Room for a window of envelopes, so that the kernel takes it all and no server sees a slow reader. */
    private static final int KERNEL_BUFFER = 512 * 1024;

    private static final int MASK = 0x21436587;
    private static final int LONGEST_PONG = Frames.LONGEST_HEADER + 125;

    private final Participant participant;
    private final ByteChannel channel;
    private final SelectionKey key;
    private final Remainder remainder = new Remainder();
    private final Tally tally;
    private final String handshakeKey;
    private final @Nullable Envelopes envelopes;
    /** What the socket has not taken yet, ready to be appended to. */
    private final ByteBuffer out;

    private boolean upgraded;

    private LoadConnection(Participant participant, ByteChannel channel, SelectionKey key, int senders, int own) {
        this.participant = participant;
        this.channel = channel;
        this.key = key;
        this.tally = new Tally(participant.name(), senders, own, this::pong);
        this.envelopes = own < 0 ? null : new Envelopes(own);
        this.handshakeKey = Base64.getEncoder().encodeToString(new byte[16]);
        this.out = ByteBuffer.allocateDirect((own < 0 ? 0 : Load.WINDOW * Envelopes.FRAME) + Handshake.LONGEST_HEAD);
    }

    /**
     * Connects and asks for the upgrade; the answer is read like everything else.
     *
     * @param tls what TLS goes by; null for none
     * @param own which of the senders this is, or -1
     */
    static LoadConnection open(
            InetSocketAddress server,
            @Nullable SSLContext tls,
            String path,
            Participant participant,
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
        LoadConnection connection = new LoadConnection(participant, channel, key, senders, own);
        key.attach(connection);
        String authority = server.getHostString() + ":" + server.getPort();
        connection.out.put(Handshake.request(authority, path, participant.token(), connection.handshakeKey));
        connection.flush();
        return connection;
    }

    @Override
    public String name() {
        return participant.name();
    }

    @Override
    public long received() {
        return tally.received();
    }

    boolean isUpgraded() {
        return upgraded;
    }

    boolean isWelcomed() {
        return tally.welcomed();
    }

    @Override
    public void read(ByteBuffer shared) throws IOException {
        if (!remainder.read(channel, shared)) {
            throw new LoadFailure(name() + ": the server ended the connection");
        }
        int at = 0;
        if (!upgraded) {
            at = Handshake.headEnd(shared);
            if (at == 0) {
                remainder.keep(shared, 0);
                return;
            }
            String head = Handshake.head(shared, at);
            if (!Handshake.accepted(head, handshakeKey)) {
                throw new LoadFailure(name() + ": the server did not upgrade: " + head.strip());
            }
            upgraded = true;
        }
        remainder.keep(shared, tally.count(shared, at));
    }

    @Override
    public long sent() {
        return envelopes == null ? 0 : envelopes.made();
    }

    @Override
    public int room() {
        return (out.remaining() - LONGEST_PONG) / Envelopes.FRAME;
    }

    @Override
    public void send(int messages) throws IOException {
        if (envelopes == null) {
            throw new IllegalStateException(name() + " only receives");
        }
        for (int i = 0; i < messages; i++) {
            envelopes.append(out);
        }
        flush();
    }

    @Override
    public void flush() throws IOException {
        out.flip();
        channel.write(out);
        out.compact();
        int wanted = out.position() == 0 ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    private void pong(byte[] payload) {
        // Without room a later ping's answer will do: RFC 6455 §5.5.3.
        if (out.remaining() >= LONGEST_PONG) {
            Frames.putMaskedHeader(out, Frames.PONG, payload.length, MASK);
            Frames.putMasked(out, ByteBuffer.wrap(payload), 0, payload.length, MASK);
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
