package dev.gavel.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * Encrypts and decrypts a client's socket channel with TLS. The handshake is blocking; afterwards the socket may be
 * non-blocking. Used by one thread.
 */
final class TlsChannel implements ByteChannel {
    /** Less than the capacity of the target buffer, so that all of it can be decrypted at once. */
    private static final int READ = 128 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    /** The received bytes that are not decrypted yet, ready for appending. */
    private final ByteBuffer in = ByteBuffer.allocate(READ);
    /** One outgoing packet. */
    private final ByteBuffer out;

    private TlsChannel(SocketChannel channel, SSLEngine engine) {
        this.channel = channel;
        this.engine = engine;
        this.out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    }

    /** Performs the handshake over a connected, blocking socket. */
    static TlsChannel open(SocketChannel channel, SSLContext context) throws IOException {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        TlsChannel tls = new TlsChannel(channel, engine);
        engine.beginHandshake();
        tls.handshake();
        return tls;
    }

    private void handshake() throws IOException {
        ByteBuffer early = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (unwrap(early).getStatus() == Status.BUFFER_UNDERFLOW && channel.read(in) < 0) {
                        throw new EOFException("the server ended the connection during the TLS handshake");
                    }
                }
                case NEED_TASK -> engine.getDelegatedTask().run();
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.position();
        boolean open = channel.read(in) >= 0;
        while (in.position() > 0) {
            SSLEngineResult result = unwrap(into);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                throw new IOException("the buffer is too small for a TLS record");
            }
            open &= result.getStatus() != Status.CLOSED;
            if (result.getStatus() != Status.OK) {
                break;
            }
            if (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                wrap(NOTHING);
            }
        }
        int read = into.position() - before;
        return read > 0 || open ? read : -1;
    }

    private SSLEngineResult unwrap(ByteBuffer into) throws IOException {
        in.flip();
        try {
            return engine.unwrap(in, into);
        } finally {
            in.compact();
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.position();
        while (from.hasRemaining()) {
            wrap(from);
        }
        return from.position() - before;
    }

    /** Encrypts one packet and sends all of it: a server that always reads accepts it within moments. */
    private void wrap(ByteBuffer from) throws IOException {
        out.clear();
        if (engine.wrap(from, out).getStatus() != Status.OK) {
            throw new EOFException("the TLS connection has ended");
        }
        out.flip();
        while (out.hasRemaining()) {
            if (channel.write(out) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
