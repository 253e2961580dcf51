package dev.gavel.client.link;

import dev.gavel.client.http.Access;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shakes hands with a WebSocket client and says what a test has it say; reads nothing. */
final class SilentServer implements AutoCloseable {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket entrance;

    /** Held, since a socket that nobody holds is closed by the garbage collector. */
    private volatile @Nullable Socket guest;

    /** One that sends these bytes to whoever connects, and then nothing. */
    SilentServer(byte... frames) throws IOException {
        entrance = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try {
                Socket client = entrance.accept();
                guest = client;
                shakeHands(client);
                client.getOutputStream().write(frames);
            } catch (IOException e) {
                // Closed.
            }
        });
    }

    Access access() {
        return new Access(URI.create("http://127.0.0.1:" + entrance.getLocalPort()), Optional.of("a-token"));
    }

    private static void shakeHands(Socket client) throws IOException {
        shakeHands(
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII)), client);
    }

    /** Shakes hands with somebody whose request is read from here on. */
    static void shakeHands(BufferedReader in, Socket client) throws IOException {
        String key = "";
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.regionMatches(true, 0, "Sec-WebSocket-Key:", 0, 18)) {
                key = line.substring(18).strip();
            }
        }
        client.getOutputStream()
                .write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                + "Sec-WebSocket-Accept: " + accept(key) + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String accept(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1")
                            .digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        Socket client = guest;
        if (client != null) {
            client.close();
        }
    }
}
