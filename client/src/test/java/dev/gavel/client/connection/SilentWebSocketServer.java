package dev.gavel.client.connection;

import dev.gavel.client.http.GatewayEndpoint;
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

/** A test server that accepts a WebSocket, sends fixed frames and then stays silent. */
final class SilentWebSocketServer implements AutoCloseable {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket serverSocket;

    /** A strong reference, since the garbage collector closes an unreferenced socket. */
    private volatile @Nullable Socket clientSocket;

    /** Starts a server that sends these bytes to each client and then nothing. */
    SilentWebSocketServer(byte... frames) throws IOException {
        serverSocket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try {
                Socket client = serverSocket.accept();
                clientSocket = client;
                acceptHandshake(client);
                client.getOutputStream().write(frames);
            } catch (IOException e) {
                // The server is closed.
            }
        });
    }

    GatewayEndpoint access() {
        return new GatewayEndpoint(
                URI.create("http://127.0.0.1:" + serverSocket.getLocalPort()), Optional.of("a-token"));
    }

    private static void acceptHandshake(Socket client) throws IOException {
        acceptHandshake(
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII)), client);
    }

    /** Answers the WebSocket handshake of a client, whose request is read from {@code in}. */
    static void acceptHandshake(BufferedReader in, Socket client) throws IOException {
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
        serverSocket.close();
        Socket client = clientSocket;
        if (client != null) {
            client.close();
        }
    }
}
