package dev.gavel.app;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A WebSocket client on a plain socket that can send invalid frames and shows the exact bytes received. Reads time out,
 * so that a test that waits in vain fails.
 */
public final class TestSocket implements AutoCloseable {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final JsonMapper JSON = new JsonMapper();
    private static final int PATIENCE_MILLIS = 10_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final int status;
    private final String headers;

    /** A frame as received. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Frame(int opcode, byte[] payload) {
        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The code of a close frame. */
        int code() {
            return ByteBuffer.wrap(payload).getShort();
        }
    }

    public TestSocket(Socket socket, String path, String... headers) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = socket.getOutputStream();
        StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:"
                + socket.getPort() + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        out.write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        this.headers = readHeaders();
        this.status = Integer.parseInt(this.headers.split(" ", 3)[1]);
    }

    /** The status of the handshake's response. */
    public int status() {
        return status;
    }

    /** The body of a response that was not an upgrade. */
    public JsonNode problem() throws IOException {
        int length = headers.lines()
                .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow();
        return JSON.readTree(in.readNBytes(length));
    }

    private String readHeaders() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            head.write(in.readUnsignedByte());
        }
        return head.toString(StandardCharsets.US_ASCII);
    }

    public void send(String text) throws IOException {
        send(true, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    void send(boolean fin, int opcode, byte[] payload) throws IOException {
        out.write(frame(fin, opcode, payload));
    }

    /** Sends bytes unchanged. */
    void sendRaw(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    static byte[] frame(boolean fin, int opcode, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 14);
        frame.put((byte) ((fin ? 0x80 : 0) | opcode));
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length <= 0xFFFF) {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        byte[] mask = {1, 2, 3, 4};
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i & 3]));
        }
        byte[] bytes = new byte[frame.position()];
        frame.flip().get(bytes);
        return bytes;
    }

    /** The next frame, ignoring pings. */
    public Frame read() throws IOException {
        while (true) {
            int opcode = in.readUnsignedByte() & 0x0F;
            int length = in.readUnsignedByte();
            long size = length == 127 ? in.readLong() : length == 126 ? in.readUnsignedShort() : length;
            byte[] payload = in.readNBytes((int) size);
            if (payload.length < size) {
                throw new EOFException("the connection ended within a frame");
            }
            if (opcode != PING) {
                return new Frame(opcode, payload);
            }
        }
    }

    /** The next envelope; fails on a close frame. */
    public JsonNode envelope() throws IOException {
        Frame frame = read();
        if (frame.opcode() != TEXT) {
            throw new AssertionError("expected an envelope, got opcode " + frame.opcode()
                    + (frame.opcode() == CLOSE ? " " + frame.code() : ""));
        }
        return JSON.readTree(frame.text());
    }

    /** The next envelope of a kind, ignoring others before it. */
    public JsonNode envelope(String kind) throws IOException {
        while (true) {
            JsonNode envelope = envelope();
            if (envelope.path("kind").asString().equals(kind)) {
                return envelope;
            }
        }
    }

    /** The close code that the server sends, ignoring everything before it. */
    public int closeCode() throws IOException {
        while (true) {
            Frame frame = read();
            if (frame.opcode() == CLOSE) {
                return frame.code();
            }
        }
    }

    /** Fails unless the server sends nothing more and ends the connection. */
    void expectEnd() throws IOException {
        int next = in.read();
        if (next >= 0) {
            throw new AssertionError("expected the end, got a frame of opcode " + (next & 0x0F));
        }
    }

    /** All envelopes up to and including the one with that id: later ones cannot have been sent before it. */
    public List<JsonNode> until(String id) throws IOException {
        List<JsonNode> envelopes = new ArrayList<>();
        do {
            envelopes.add(envelope());
        } while (!envelopes.getLast().path("id").asString().equals(id));
        return envelopes;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
