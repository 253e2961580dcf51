package dev.gavel.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.load.WebSocketUpgradeCodec;
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
 * Connects one participant by WebSocket or event stream on a plain socket, and passes each received envelope to a
 * listener. It answers a ping only when it reads it. Thread-safe.
 */
public final class RawSocketClient implements AutoCloseable {
    /** The value of {@link #closeCode} if the connection broke without a close frame. */
    public static final int NO_CLOSE_CODE = -1;

    private static final int CONNECT_MILLIS = 10_000;
    private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAA==";
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    private final Socket socket;
    private final ThrottledInputStream throttledInput;
    private final DataInputStream in;
    private final OutputStream out;
    private final Consumer<ReceivedEnvelope> listener;
    private final CompletableFuture<ReceivedEnvelope> welcome = new CompletableFuture<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();

    private RawSocketClient(Socket socket, Consumer<ReceivedEnvelope> envelopeListener) throws IOException {
        this.socket = socket;
        this.throttledInput = new ThrottledInputStream(socket.getInputStream());
        this.in = new DataInputStream(new BufferedInputStream(throttledInput, 16 * 1024));
        this.out = socket.getOutputStream();
        this.listener = envelopeListener;
    }

    /**
     * Connects by WebSocket.
     *
     * @param path such as {@code /ws?topic=ops}
     * @param envelopeListener receives every envelope, including the welcome
     */
    public static RawSocketClient webSocket(
            InetSocketAddress server, String path, String token, Consumer<ReceivedEnvelope> envelopeListener)
            throws IOException {
        return webSocket(server, path, token, CONNECT_MILLIS, envelopeListener);
    }

    /** Connects by WebSocket, with a time limit for the server's response. */
    public static RawSocketClient webSocket(
            InetSocketAddress server,
            String path,
            String token,
            int timeoutMillis,
            Consumer<ReceivedEnvelope> envelopeListener)
            throws IOException {
        RawSocketClient client = connectSocket(server, timeoutMillis, envelopeListener);
        client.out.write(WebSocketUpgradeCodec.request(authority(server), path, token, KEY));
        return client.startReading("HTTP/1.1 101 ", client::readFrames);
    }

    /** Connects as an event stream: it receives the same envelopes, and cannot send. */
    public static RawSocketClient eventStream(
            InetSocketAddress server, String path, String token, Consumer<ReceivedEnvelope> envelopeListener)
            throws IOException {
        RawSocketClient client = connectSocket(server, CONNECT_MILLIS, envelopeListener);
        client.out.write(("GET " + path + " HTTP/1.1\r\nHost: " + authority(server) + "\r\nAuthorization: Bearer "
                        + token + "\r\nAccept: text/event-stream\r\n\r\n")
                .getBytes(ISO_8859_1));
        return client.startReading("HTTP/1.1 200 ", client::readEvents);
    }

    private static String authority(InetSocketAddress server) {
        return server.getHostString() + ":" + server.getPort();
    }

    private static RawSocketClient connectSocket(
            InetSocketAddress server, int timeoutMillis, Consumer<ReceivedEnvelope> envelopeListener)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(server, timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            return new RawSocketClient(socket, envelopeListener);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Reads until the connection ends. */
    @FunctionalInterface
    private interface ReadLoop {
        int read() throws IOException;
    }

    private RawSocketClient startReading(String accepted, ReadLoop readLoop) throws IOException {
        try {
            String head = readHead();
            if (!head.startsWith(accepted)) {
                throw new IOException("refused: " + head.lines().findFirst().orElse(""));
            }
            socket.setSoTimeout(0);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        Thread.ofVirtual().start(() -> {
            int code = NO_CLOSE_CODE;
            try {
                code = readLoop.read();
            } catch (IOException _) {
                // The connection broke, as the code says.
            } finally {
                welcome.completeExceptionally(new IOException("the connection ended before the welcome arrived"));
                ended.complete(code);
            }
        });
        return this;
    }

    private String readHead() throws IOException {
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
                case TEXT -> dispatch(new ReceivedEnvelope(new String(payload, UTF_8)));
                case PING -> write(PONG, payload);
                case CLOSE -> {
                    return payload.length < 2
                            ? NO_CLOSE_CODE
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
                return NO_CLOSE_CODE;
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
                        dispatch(new ReceivedEnvelope(text.substring("data: ".length()), seq));
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

    private void dispatch(ReceivedEnvelope receivedEnvelope) {
        if (!welcome.isDone() && receivedEnvelope.kind().equals("system.welcome")) {
            listener.accept(receivedEnvelope);
            welcome.complete(receivedEnvelope);
        } else {
            listener.accept(receivedEnvelope);
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
        // A mask of zeros is valid; the purpose of masking does not matter here.
        frame.putInt(0).put(payload);
        out.write(frame.array(), 0, frame.position());
    }

    /** The input stream, to control how fast it reads. */
    public ThrottledInputStream input() {
        return throttledInput;
    }

    public CompletableFuture<ReceivedEnvelope> welcome() {
        return welcome;
    }

    /** Completes with the close code, or {@link #NO_CLOSE_CODE}, when the connection ends. */
    public CompletableFuture<Integer> closeCode() {
        return ended;
    }

    public boolean isOpen() {
        return !ended.isDone();
    }

    /** The close code, or null while the connection is open. */
    @Nullable
    public Integer currentCloseCode() {
        return ended.getNow(null);
    }

    @Override
    public void close() throws IOException {
        throttledInput.resume();
        socket.close();
    }
}
