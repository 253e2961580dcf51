package dev.gavel.gateway.bus.nats;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A local TCP proxy for tests that can break connections or stop forwarding. Thread-safe. */
public final class TcpProxy implements AutoCloseable {
    private enum ProxyMode {
        PASSING,
        STALLED,
        CUT
    }

    private final int target;
    private final ServerSocket serverSocket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private ProxyMode mode = ProxyMode.PASSING;

    public TcpProxy(int target) {
        this.target = target;
        try {
            this.serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return serverSocket.getLocalPort();
    }

    /** Breaks all connections; new ones break at once. */
    public void cut() {
        set(ProxyMode.CUT);
        open.forEach(TcpProxy::reset);
        open.clear();
    }

    /** Forwards nothing in either direction; bytes sent meanwhile wait. */
    public void stall() {
        set(ProxyMode.STALLED);
    }

    /** Forwards again. */
    public void restore() {
        set(ProxyMode.PASSING);
    }

    private synchronized void set(ProxyMode now) {
        mode = now;
        notifyAll();
    }

    private synchronized boolean isCut() {
        return mode == ProxyMode.CUT;
    }

    private synchronized void whileStalled() throws InterruptedException {
        while (mode == ProxyMode.STALLED) {
            wait();
        }
    }

    private void accept() {
        while (!serverSocket.isClosed()) {
            try {
                Socket client = serverSocket.accept();
                if (isCut()) {
                    reset(client);
                } else {
                    Thread.ofVirtual().start(() -> serve(client));
                }
            } catch (IOException e) {
                // The socket is closed; the loop condition detects it.
            }
        }
    }

    private void serve(Socket client) {
        Socket server = new Socket();
        open.add(client);
        open.add(server);
        try {
            whileStalled();
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Thread back = Thread.ofVirtual().start(() -> forward(server, client));
            forward(client, server);
            back.join();
        } catch (IOException e) {
            // The server is not running, so the proxy closes the connection too.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            reset(client);
            reset(server);
            open.remove(client);
            open.remove(server);
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int size = in.read(buffer);
            while (size >= 0) {
                whileStalled();
                out.write(buffer, 0, size);
                size = in.read(buffer);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            reset(from);
            reset(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing left to do.
        }
    }

    @Override
    public void close() {
        try {
            serverSocket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
