package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One publisher's or subscriber's connection to a NATS server, used by a {@link LoadGenerator} to measure NATS as a
 * reference. It is as cheap as the connections it is compared with: messages are prepared, and read through one buffer.
 * Confined to the load generator's thread.
 */
final class NatsLoadConnection implements LoadGeneratorConnection {
    private static final int KERNEL_BUFFER = 512 * 1024;
    private static final String SUBJECT = "bench";
    private static final String CONNECT_COMMAND = "CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":false}\r\n";

    /** As many lengths, and the same mean, as the envelopes sent to Gavel. */
    private final byte[][] messages = new byte[ChatFrameGenerator.LENGTH_COUNT][];

    private final String name;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final PartialFrameBuffer partialFrameBuffer = new PartialFrameBuffer();
    private final ByteBuffer out =
            ByteBuffer.allocateDirect(LoadGenerator.WINDOW * 2 * ChatFrameGenerator.MAX_FRAME_LENGTH);
    private long received;
    private int sent;
    private boolean ready;

    private NatsLoadConnection(String name, SocketChannel channel, SelectionKey key) {
        this.name = name;
        this.channel = channel;
        this.key = key;
        for (int i = 0; i < messages.length; i++) {
            int length = ChatFrameGenerator.MEAN_LENGTH + 2 * i - ChatFrameGenerator.LENGTH_COUNT + 1;
            messages[i] = ("PUB " + SUBJECT + " " + length + "\r\n" + "x".repeat(length) + "\r\n").getBytes(US_ASCII);
        }
    }

    /** Connects; the server's greeting is read like all other input. */
    static NatsLoadConnection open(InetSocketAddress server, String name, boolean publishes, Selector selector)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BUFFER);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(server);
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        NatsLoadConnection connection = new NatsLoadConnection(name, channel, key);
        key.attach(connection);
        String words = CONNECT_COMMAND + (publishes ? "" : "SUB " + SUBJECT + " 1\r\n") + "PING\r\n";
        connection.out.put(words.getBytes(US_ASCII));
        connection.flush();
        return connection;
    }

    /** Whether the server has accepted the initial commands. */
    boolean isReady() {
        return ready;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long receivedCount() {
        return received;
    }

    @Override
    public long sentCount() {
        return sent;
    }

    @Override
    public int sendCapacity() {
        return out.remaining() / ChatFrameGenerator.MAX_FRAME_LENGTH / 2;
    }

    @Override
    public void send(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            out.put(messages[sent++ * 7 & (messages.length - 1)]);
        }
        flush();
    }

    @Override
    public void flush() throws IOException {
        out.flip();
        channel.write(out);
        out.compact();
        key.interestOps(out.position() == 0 ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    @Override
    public void read(ByteBuffer shared) throws IOException {
        if (!partialFrameBuffer.read(channel, shared)) {
            throw new RunFailedException(name + ": NATS ended the connection");
        }
        partialFrameBuffer.save(shared, processMessages(shared));
    }

    /** Reads complete messages, and returns the start of the first incomplete one. */
    private int processMessages(ByteBuffer shared) throws IOException {
        int at = 0;
        while (true) {
            int end = at;
            int length = 0;
            while (end < shared.position() && shared.get(end) != '\n') {
                byte each = shared.get(end++);
                // The length is the last number of its line, so it restarts after each space.
                length = each == ' ' ? 0 : each >= '0' && each <= '9' ? length * 10 + each - '0' : length;
            }
            if (end == shared.position()) {
                return at;
            }
            switch (shared.get(at)) {
                case 'M' -> {
                    end += length + 2;
                    if (end >= shared.position()) {
                        return at;
                    }
                    received++;
                }
                case 'P' -> onPingOrPong(shared.get(at + 1) == 'I');
                case 'I', '+' -> {
                    // The server's greeting and its acknowledgements.
                }
                default -> throw new RunFailedException(name + ": NATS reported an error");
            }
            at = end + 1;
        }
    }

    private void onPingOrPong(boolean isPing) throws IOException {
        if (isPing) {
            out.put("PONG\r\n".getBytes(US_ASCII));
            flush();
        } else {
            ready = true;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
