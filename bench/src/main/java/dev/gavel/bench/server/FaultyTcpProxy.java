package dev.gavel.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Forwards TCP connections from a loopback port to a target, and can cut or stall them to simulate network faults.
 * Thread-safe.
 */
public final class FaultyTcpProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1_000;
    private static final int BUFFER = 16 * 1024;

    private final ServerSocket listener;
    private final Supplier<List<InetSocketAddress>> targets;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notStalled = lock.newCondition();
    private boolean stalled;
    private volatile boolean cut;

    /**
     * Opens a proxy on a free port.
     *
     * @param targets the possible targets of a new connection; the first that accepts it is used
     */
    public FaultyTcpProxy(Supplier<List<InetSocketAddress>> targets) throws IOException {
        this.targets = targets;
        this.listener = new ServerSocket(0, 256, InetAddress.ofLiteral("127.0.0.1"));
        Thread.ofVirtual().name("link").start(this::listen);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Breaks all connections, and accepts none until {@link #restore}. */
    public void cut() {
        cut = true;
        sockets.forEach(FaultyTcpProxy::closeQuietly);
    }

    /** Holds back all data, without closing connections, until {@link #restore}. */
    public void stall() {
        lock.lock();
        try {
            stalled = true;
        } finally {
            lock.unlock();
        }
    }

    public void restore() {
        lock.lock();
        try {
            cut = false;
            stalled = false;
            notStalled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                if (cut) {
                    closeQuietly(near);
                } else {
                    Thread.ofVirtual().start(() -> connect(near));
                }
            } catch (IOException _) {
                // The proxy was closed, or the client has disconnected again.
            }
        }
    }

    private void connect(Socket near) {
        for (InetSocketAddress target : targets.get()) {
            Socket far = new Socket();
            try {
                far.connect(target, CONNECT_MILLIS);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                sockets.add(near);
                sockets.add(far);
                if (cut) {
                    break;
                }
                Thread.ofVirtual().start(() -> copy(near, far));
                Thread.ofVirtual().start(() -> copy(far, near));
                return;
            } catch (IOException _) {
                closeQuietly(far);
            }
        }
        closeQuietly(near);
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitNotStalled();
                out.write(buffer, 0, read);
            }
        } catch (IOException _) {
            // Broken on one side; the other side is closed, too.
        } finally {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private void awaitNotStalled() {
        lock.lock();
        try {
            while (stalled) {
                notStalled.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // The socket cannot be closed further.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
        restore();
    }
}
