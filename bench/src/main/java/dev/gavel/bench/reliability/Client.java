package dev.gavel.bench.reliability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.Handshake;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One participant's connection, by WebSocket or as an event stream: what comes is handed over, in order, on a virtual
 * thread of its own. It answers pings when it gets to them. Thread-safe.
 */
public final class Client implements AutoCloseable {
    /** What {@link #ended} says where the connection broke off without a close frame. */
    public static final int BROKEN = -1;

    private static final int CONNECT_MILLIS = 10_000;
    private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAA==";
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    private final Socket socket;
    private final SlowInput slow;
    private final DataInputStream in;
    private final OutputStream out;
    private final Consumer<Heard> hears;
    private final CompletableFuture<Heard> welcome = new CompletableFuture<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();

    private Client(Socket socket, Consumer<Heard> hears) throws IOException {
        this.socket = socket;
        this.slow = new SlowInput(socket.getInputStream());
        this.in = new DataInputStream(new BufferedInputStream(slow, 16 * 1024));
        this.out = socket.getOutputStream();
        this.hears = hears;
    }

    /**
     * Connects by WebSocket.
     *
     * @param path such as {@code /ws?topic=ops}
     * @param hears is given every envelope, the welcome too
     */
    static Client webSocket(InetSocketAddress server, String path, String token, Consumer<Heard> hears)
            throws IOException {
        return webSocket(server, path, token, CONNECT_MILLIS, hears);
    }

    /** Connects by WebSocket, and gives a server that does not answer so much time. */
    public static Client webSocket(
            InetSocketAddress server, String path, String token, int patienceMillis, Consumer<Heard> hears)
            throws IOException {
        Client client = connected(server, patienceMillis, hears);
        client.out.write(Handshake.request(authority(server), path, token, KEY));
        return client.begun("HTTP/1.1 101 ", client::readFrames);
    }

    /** Connects as an event stream: it hears the same, and sends nothing. */
    public static Client eventStream(InetSocketAddress server, String path, String token, Consumer<Heard> hears)
            throws IOException {
        Client client = connected(server, CONNECT_MILLIS, hears);
        client.out.write(("GET " + path + " HTTP/1.1\r\nHost: " + authority(server) + "\r\nAuthorization: Bearer "
                        + token + "\r\nAccept: text/event-stream\r\n\r\n")
                .getBytes(ISO_8859_1));
        return client.begun("HTTP/1.1 200 ", client::readEvents);
    }

    private static String authority(InetSocketAddress server) {
        return server.getHostString() + ":" + server.getPort();
    }

    private static Client connected(InetSocketAddress server, int patienceMillis, Consumer<Heard> hears)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(server, patienceMillis);
            socket.setSoTimeout(patienceMillis);
            return new Client(socket, hears);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Reads until the connection ends. */
    @FunctionalInterface
    private interface Reading {
        int read() throws IOException;
    }

    private Client begun(String accepted, Reading reading) throws IOException {
        try {
            String head = head();
            if (!head.startsWith(accepted)) {
                throw new IOException("refused: " + head.lines().findFirst().orElse(""));
            }
            socket.setSoTimeout(0);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        Thread.ofVirtual().start(() -> {
            int code = BROKEN;
            try {
                code = reading.read();
            } catch (IOException _) {
                // Broken off: the code says so.
            } finally {
                welcome.completeExceptionally(new IOException("the connection ended before its welcome"));
                ended.complete(code);
            }
        });
        return this;
    }

    private String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        while (last != 0x0d0a0d0a) {
            int next = in.readUnsignedByte();
            head.write(next);
            last = last << 8 | next;
        }
        return head.toString(ISO_8859_1);
    }

    private int readFrames() throws IOException {
        while (true) {
            int opcode = in.readUnsignedByte() & 0x0f;
            int length = in.readUnsignedByte();
            long size = length == 127 ? in.readLong() : length == 126 ? in.readUnsignedShort() : length;
            byte[] payload = in.readNBytes(Math.toIntExact(size));
            if (payload.length < size) {
                throw new EOFException();
            }
            switch (opcode) {
                case TEXT -> hear(new Heard(new String(payload, UTF_8)));
                case PING -> write(PONG, payload);
                case CLOSE -> {
                    return payload.length < 2
                            ? BROKEN
                            : ByteBuffer.wrap(payload).getShort() & 0xffff;
                }
                default -> {}
            }
        }
    }

    private int readEvents() throws IOException {
        StringBuilder line = new StringBuilder();
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        long seq = -1;
        while (true) {
            int size = chunkSize(line);
            if (size == 0) {
                return BROKEN;
            }
            byte[] chunk = in.readNBytes(size);
            if (chunk.length < size) {
                throw new EOFException();
            }
            in.skipNBytes(2);
            for (byte each : chunk) {
                if (each != '\n') {
                    event.write(each);
                } else {
                    String text = event.toString(UTF_8);
                    event.reset();
                    if (text.startsWith("id: ")) {
                        seq = Long.parseLong(text, "id: ".length(), text.length(), 10);
                    } else if (text.startsWith("data: ")) {
                        hear(new Heard(text.substring("data: ".length()), seq));
                        seq = -1;
                    }
                }
            }
        }
    }

    private int chunkSize(StringBuilder line) throws IOException {
        line.setLength(0);
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            line.append((char) next);
        }
        return Integer.parseInt(line.toString().strip(), 16);
    }

    private void hear(Heard heard) {
        if (!welcome.isDone() && heard.kind().equals("system.welcome")) {
            hears.accept(heard);
            welcome.complete(heard);
        } else {
            hears.accept(heard);
        }
    }

    public void send(String envelope) throws IOException {
        write(TEXT, envelope.getBytes(UTF_8));
    }

    private synchronized void write(int opcode, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 14);
        frame.put((byte) (0x80 | opcode));
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length <= 0xffff) {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        // A mask of zeros is a mask; what it is for does not concern a trial.
        frame.putInt(0).put(payload);
        out.write(frame.array(), 0, frame.position());
    }

    /** How fast it reads from now on. */
    SlowInput reading() {
        return slow;
    }

    public CompletableFuture<Heard> welcome() {
        return welcome;
    }

    /** The close code, or {@link #BROKEN}, once the connection has ended. */
    public CompletableFuture<Integer> ended() {
        return ended;
    }

    public boolean isOpen() {
        return !ended.isDone();
    }

    /** How it ended, as far as it has. */
    @Nullable
    Integer endedWith() {
        return ended.getNow(null);
    }

    @Override
    public void close() throws IOException {
        slow.goOn();
        socket.close();
    }
}
