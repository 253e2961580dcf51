package dev.gavel.gateway.bus.nats;

import dev.gavel.gateway.bus.transport.BusDisconnectReason;
import dev.gavel.gateway.bus.transport.BusTransport;
import dev.gavel.gateway.bus.transport.BusTransportListener;
import io.nats.client.AuthenticationException;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries bus messages over NATS; when the connection is lost, it opens a new one and discards unsent messages. The
 * client's own reconnect is off: it stores the messages of an outage and sends them seconds later, after newer events
 * were already published from the ledger. Here a lost connection is discarded with its unsent messages, and a new one
 * is opened. Thread-safe.
 */
public final class NatsBusTransport implements BusTransport {
    private static final Logger log = LoggerFactory.getLogger(NatsBusTransport.class);

    private static final long MIN_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 2_000;

    /** Frequent retries do not help if the server refuses this process. */
    private static final long REFUSED_PAUSE_MILLIS = 10_000;

    /** A connection that lasted this long was stable, so the next attempt need not wait longer. */
    private static final long STABLE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    private static final int MAX_SERVERS = 100;

    private final NatsConnectionOptions connectionOptions;
    private final Set<String> channels = new LinkedHashSet<>();
    private final Object callbackLock = new Object();
    private final ThreadFactory threads =
            Thread.ofPlatform().daemon().name("gavel-bus-nats-", 0).factory();
    private final ExecutorService workers = Executors.newCachedThreadPool(threads);
    private final ExecutorService callbacks = Executors.newSingleThreadExecutor(threads);
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(threads);
    private final Set<String> discoveredServers = new LinkedHashSet<>();
    private @Nullable NatsBusConnection subscribedConnection;
    private @Nullable NatsBusConnection currentConnection;
    private @Nullable Thread connectThread;
    private volatile boolean closed;

    public NatsBusTransport(NatsConnectionOptions connectionOptions) {
        this.connectionOptions = connectionOptions;
    }

    @Override
    public void start(BusTransportListener busTransportListener) {
        Thread thread = Thread.ofPlatform().daemon().name("gavel-bus").unstarted(() -> run(busTransportListener));
        connectThread = thread;
        thread.start();
    }

    @Override
    public synchronized void subscribe(String channel) {
        if (channels.add(channel) && subscribedConnection != null) {
            subscribedConnection.subscribe(channel);
        }
    }

    @Override
    public synchronized void unsubscribe(String channel) {
        if (channels.remove(channel) && subscribedConnection != null) {
            subscribedConnection.unsubscribe(channel);
        }
    }

    private void run(BusTransportListener busTransportListener) {
        OutageLog outageLog = new OutageLog();
        long pause = MIN_PAUSE_MILLIS;
        while (!closed) {
            NatsBusConnection connection = new NatsBusConnection(connectionOptions.prefix());
            try {
                open(connection, busTransportListener);
                long since = System.nanoTime();
                outageLog.onRecovery(connection.server());
                NatsBusConnection.ConnectionLoss connectionLoss = connection.awaitLoss();
                notifyDisconnect(busTransportListener, connectionLoss.cause());
                outageLog.onOutage("the connection to " + connectionOptions + " was lost: " + connectionLoss.reason());
                pause = connectionLoss.forbidden()
                        ? REFUSED_PAUSE_MILLIS
                        : System.nanoTime() - since > STABLE_NANOS ? MIN_PAUSE_MILLIS : nextPause(pause);
            } catch (AuthenticationException e) {
                outageLog.onOutage(connectionOptions + " does not accept this process (" + connection.lastError()
                        + "); check 'user' and 'password', 'token' or 'credentials' under 'bus'");
                pause = REFUSED_PAUSE_MILLIS;
            } catch (IOException | RuntimeException e) {
                String error = connection.lastError();
                // The client's exception message repeats addresses, which may contain passwords.
                outageLog.onOutage(connectionOptions + " cannot be reached"
                        + (error == null ? " (" + e.getClass().getSimpleName() + ")" : ": " + error));
                pause = nextPause(pause);
            } catch (InterruptedException e) {
                break;
            } finally {
                clearSubscribed(connection);
                connection.closeNow();
            }
            if (!sleepWithJitter(pause)) {
                break;
            }
        }
        notifyDisconnect(busTransportListener, BusDisconnectReason.BROKEN);
    }

    private static long nextPause(long pause) {
        return Math.min(MAX_PAUSE_MILLIS, 2 * pause);
    }

    /**
     * Sleeps for a random time around the pause, so that processes that lost the same server do not reconnect in step.
     */
    private boolean sleepWithJitter(long pause) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
            return !closed;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void open(NatsBusConnection connection, BusTransportListener busTransportListener)
            throws IOException, InterruptedException {
        connection.open(options(), (channel, message) -> {
            synchronized (callbackLock) {
                if (currentConnection == connection) {
                    busTransportListener.onMessage(channel, message);
                }
            }
        });
        connection.servers().forEach(server -> {
            if (discoveredServers.size() < MAX_SERVERS) {
                discoveredServers.add(server);
            }
        });
        synchronized (this) {
            subscribedConnection = connection;
            channels.forEach(connection::subscribe);
        }
        connection.awaitServer();
        synchronized (callbackLock) {
            currentConnection = connection;
            busTransportListener.onConnect(connection);
        }
    }

    private void notifyDisconnect(BusTransportListener busTransportListener, BusDisconnectReason busDisconnectReason) {
        synchronized (callbackLock) {
            if (currentConnection != null) {
                currentConnection = null;
                busTransportListener.onDisconnect(busDisconnectReason);
            }
        }
    }

    private synchronized void clearSubscribed(NatsBusConnection connection) {
        if (subscribedConnection == connection) {
            subscribedConnection = null;
        }
    }

    private Options.Builder options() {
        Options.Builder options = new Options.Builder()
                .connectionName(connectionOptions.name())
                .noReconnect()
                .noEcho()
                .noHeaders()
                .noNoResponders()
                .connectionTimeout(NatsBusConnection.SERVER_TIMEOUT)
                .socketWriteTimeout(NatsBusConnection.SERVER_TIMEOUT.plusSeconds(1))
                // The backlog is bounded by bytes instead.
                .maxMessagesInOutgoingQueue(0)
                .executor(workers)
                .connectExecutor(workers)
                .callbackExecutor(callbacks)
                .scheduledExecutor(timers);
        Set<String> servers = new LinkedHashSet<>();
        connectionOptions.servers().forEach(server -> servers.add(server.toString()));
        servers.addAll(discoveredServers);
        options.servers(servers.toArray(String[]::new));
        authenticate(options);
        return options;
    }

    private void authenticate(Options.Builder options) {
        if (connectionOptions.credentials().isPresent()) {
            options.authHandler(
                    Nats.credentials(connectionOptions.credentials().get().toString()));
        } else if (connectionOptions.token().isPresent()) {
            options.token(connectionOptions.token().get().toCharArray());
        } else if (connectionOptions.user().isPresent()) {
            options.userInfo(
                    connectionOptions.user().get(), connectionOptions.password().orElse(""));
        } else {
            // Servers that the cluster reported come without the user info of the configured address.
            Optional<String> userInfo = connectionOptions.servers().stream()
                    .map(URI::getUserInfo)
                    .filter(Objects::nonNull)
                    .findFirst();
            userInfo.ifPresent(info -> {
                int colon = info.indexOf(':');
                if (colon < 0) {
                    options.token(info.toCharArray());
                } else {
                    options.userInfo(info.substring(0, colon), info.substring(colon + 1));
                }
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        NatsBusConnection last;
        synchronized (callbackLock) {
            last = currentConnection;
        }
        if (last != null) {
            last.closeGracefully(CLOSE_TIMEOUT);
        }
        Thread thread = connectThread;
        if (thread != null) {
            thread.interrupt();
        }
        timers.shutdown();
    }

    /** Logs once that NATS is unavailable, and once that it is available again. */
    private static final class OutageLog {
        private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

        private long since;
        private long loggedAt;
        private String reason = "";
        private boolean logged;
        private boolean wasAvailable;

        void onOutage(String cause) {
            long now = System.nanoTime();
            if (!logged) {
                since = now;
            }
            // A new reason is logged too, but not every time if two reasons alternate.
            if (!logged || (!cause.equals(reason) && now - loggedAt > QUIET_NANOS)) {
                logged = true;
                loggedAt = now;
                reason = cause;
                log.atWarn()
                        .addKeyValue("available", false)
                        .log("The bus is unavailable: " + cause + (cause.endsWith(".") ? "" : ".")
                                + " Until it is available, this process is not ready and refuses envelopes"
                                + " that do not concern a proposal. It reconnects automatically.");
            } else {
                log.debug("The bus is still unavailable: {}", cause);
            }
        }

        void onRecovery(String server) {
            if (logged) {
                log.atInfo()
                        .addKeyValue("available", true)
                        .log(
                                "The bus is available{}. Connected to {} after {} s.",
                                wasAvailable ? " again" : "",
                                server,
                                Duration.ofNanos(System.nanoTime() - since).toMillis() / 1000.0);
            } else {
                log.atInfo().addKeyValue("available", true).log("The bus is available. Connected to {}.", server);
            }
            logged = false;
            wasAvailable = true;
        }
    }
}
