package dev.gavel.ledger.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** A test proxy in front of PostgreSQL that cuts or stalls connections around COMMIT. Thread-safe. */
public final class CommitFaultProxy implements AutoCloseable {
    /** When the proxy cuts the next connection that commits. */
    public enum Fault {
        NEVER,
        /** The server does not receive the commit. */
        BEFORE,
        /** The server commits, and its reply is lost. */
        AFTER,
        /** As {@link #AFTER}, and the proxy accepts no further connections. */
        AFTER_AND_BLOCK,
        /** The server receives the commit, and the connection is cut while it may be processing it. */
        DURING,
        /**
         * The server does not receive the commit, and the client gets no error: the connection stays open, but nothing
         * is transferred.
         */
        SILENTLY_BEFORE,
        /** The server commits, and the proxy holds back the reply while the client waits. */
        SILENTLY_AFTER
    }

    private final int target;
    private final ServerSocket serverSocket;
    private final AtomicReference<Fault> nextFault = new AtomicReference<>(Fault.NEVER);
    private final AtomicInteger faultCounter = new AtomicInteger();
    private volatile boolean blocked;
    private volatile boolean stalled;

    public CommitFaultProxy(int target) throws IOException {
        this.target = target;
        this.serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return serverSocket.getLocalPort();
    }

    /** Returns the URL of a database with this proxy as the host. */
    public String address(String url) {
        return url.replaceFirst(":\\d+/", ":" + port() + "/") + "&sslmode=disable&gssEncMode=disable";
    }

    /** Applies the fault to the next commit. */
    public void failNextCommit(Fault fault) {
        nextFault.set(fault);
    }

    /** Transfers nothing and cuts nothing, like a network that fails silently. */
    public void stall() {
        stalled = true;
    }

    /** Transfers data again, including the data held back. */
    public void resume() {
        blocked = false;
        stalled = false;
    }

    /** Holds one connection until the proxy is closed: pending data arrives only after the other side has given up. */
    private void waitUntilClosed() {
        while (!serverSocket.isClosed()) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    private void waitWhileStalled() {
        while (stalled) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Returns the number of faults so far. */
    public int faultCount() {
        return faultCounter.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = serverSocket.accept();
                if (blocked) {
                    client.close();
                } else {
                    Thread.ofVirtual().start(() -> serve(client));
                }
            }
        } catch (IOException e) {
            // The proxy is closed.
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            AtomicReference<Fault> activeFault = new AtomicReference<>(Fault.NEVER);
            Thread.ofVirtual().start(() -> forwardReplies(server, client, activeFault));
            forwardRequests(client, server, activeFault);
        } catch (IOException e) {
            // One side has closed, so the other is closed too.
        }
    }

    private void forwardRequests(Socket client, Socket server, AtomicReference<Fault> activeFault) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = server.getOutputStream();
        int length = in.readInt();
        out.write(ByteBuffer.allocate(4).putInt(length).array());
        out.write(in.readNBytes(length - 4));
        out.flush();
        Map<String, String> statements = new HashMap<>();
        boolean committing = false;
        while (true) {
            byte type = in.readByte();
            int size = in.readInt();
            byte[] body = in.readNBytes(size - 4);
            waitWhileStalled();
            committing |= isCommit(type, body, statements);
            if (committing && activeFault.get() == Fault.NEVER) {
                activeFault.set(nextFault.getAndSet(Fault.NEVER));
                if (activeFault.get() == Fault.BEFORE) {
                    faultCounter.incrementAndGet();
                    return;
                }
                if (activeFault.get() == Fault.SILENTLY_BEFORE) {
                    faultCounter.incrementAndGet();
                    waitUntilClosed();
                }
            }
            out.write(ByteBuffer.allocate(5).put(type).putInt(size).array());
            out.write(body);
            out.flush();
            // The server acts only on a Sync or Query message.
            if (type == 'S' || type == 'Q') {
                if (committing && activeFault.get() == Fault.DURING) {
                    faultCounter.incrementAndGet();
                    return;
                }
                committing = false;
            }
        }
    }

    private static boolean isCommit(byte type, byte[] body, Map<String, String> statements) {
        return switch (type) {
            case 'P' -> {
                String[] words = strings(body);
                statements.put(words[0], words[1]);
                yield false;
            }
            case 'B' -> "COMMIT".equals(statements.get(strings(body)[1]));
            case 'Q' -> "COMMIT".equals(strings(body)[0]);
            default -> false;
        };
    }

    /** Returns the first strings of a message; each ends with a zero byte. */
    private static String[] strings(byte[] body) {
        String[] words = {"", ""};
        int from = 0;
        for (int i = 0; i < words.length; i++) {
            int to = from;
            while (to < body.length && body[to] != 0) {
                to++;
            }
            words[i] = new String(Arrays.copyOfRange(body, from, Math.max(from, to)), UTF_8);
            from = Math.min(body.length, to + 1);
        }
        return words;
    }

    private void forwardReplies(Socket server, Socket client, AtomicReference<Fault> activeFault) {
        try (server;
                client) {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[65536];
            int read = in.read(buffer);
            while (read >= 0) {
                if (activeFault.get() == Fault.AFTER_AND_BLOCK) {
                    blocked = true;
                }
                if (activeFault.get() == Fault.AFTER || activeFault.get() == Fault.AFTER_AND_BLOCK) {
                    // The server's next reply confirms the commit.
                    faultCounter.incrementAndGet();
                    return;
                }
                if (activeFault.get() == Fault.SILENTLY_AFTER) {
                    faultCounter.incrementAndGet();
                }
                if (activeFault.get() == Fault.SILENTLY_BEFORE || activeFault.get() == Fault.SILENTLY_AFTER) {
                    waitUntilClosed();
                }
                waitWhileStalled();
                out.write(buffer, 0, read);
                out.flush();
                read = in.read(buffer);
            }
        } catch (IOException e) {
            // One side has closed, so the other is closed too.
        }
    }

    @Override
    public void close() throws IOException {
        serverSocket.close();
    }
}
