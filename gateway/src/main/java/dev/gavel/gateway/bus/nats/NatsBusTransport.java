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
 * A bus transport over NATS that replaces a lost connection with a new one and discards unsent messages. The client's
 * own reconnect is off: it stores the messages of an outage and sends them seconds later, after newer events were
 * already published from the ledger. Here a lost connection is discarded with its unsent messages, and a new one is
 * opened. Thread-safe.
 */
public final class NatsBusTransport implements BusTransport {
    private static final Logger log = LoggerFactory.getLogger(NatsBusTransport.class);

    private static final long SHORTEST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 2_000;

    /** Frequent retries do not help if the server refuses this process. */
    private static final long PAUSE_WHERE_REFUSED = 10_000;

    /** A connection that lasted this long was stable, so the next attempt need not wait longer. */
    private static final long GOOD_NANOS = Duration.ofSeconds(5).toNanos();

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    private static final int MOST_SERVERS = 100;

    private final NatsConnectionOptions connectionOptions;
    private final Set<String> channels = new LinkedHashSet<>();
    private final Object callbackLock = new Object();
    private final ThreadFactory threads =
            Thread.ofPlatform().daemon().name("gavel-bus-nats-", 0).factory();
    private final ExecutorService workers = Executors.newCachedThreadPool(threads);
    private final ExecutorService callbacks = Executors.newSingleThreadExecutor(threads);
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(threads);
    private final Set<String> discovered = new LinkedHashSet<>();
    private @Nullable NatsBusConnection subscribed;
    private @Nullable NatsBusConnection current;
    private @Nullable Thread connectThread;
    private volatile boolean closed;

    public NatsBusTransport(NatsConnectionOptions address) {
        this.connectionOptions = address;
    }

    @Override
    public void start(BusTransportListener busTransportListener) {
        Thread thread = Thread.ofPlatform().daemon().name("gavel-bus").unstarted(() -> run(busTransportListener));
        connectThread = thread;
        thread.start();
    }

    @Override
    public synchronized void subscribe(String channel) {
        if (channels.add(channel) && subscribed != null) {
            subscribed.subscribe(channel);
        }
    }

    @Override
    public synchronized void unsubscribe(String channel) {
        if (channels.remove(channel) && subscribed != null) {
            subscribed.unsubscribe(channel);
        }
    }

    private void run(BusTransportListener busTransportListener) {
        OutageLog outageLog = new OutageLog();
        long pause = SHORTEST_PAUSE;
        while (!closed) {
            NatsBusConnection link = new NatsBusConnection(connectionOptions.prefix());
            try {
                open(link, busTransportListener);
                long since = System.nanoTime();
                outageLog.onRecovery(link.server());
                NatsBusConnection.ConnectionLoss connectionLoss = link.awaitLoss();
                notifyDisconnect(busTransportListener, connectionLoss.cause());
                outageLog.onOutage("the connection to " + connectionOptions + " is lost: " + connectionLoss.reason());
                pause = connectionLoss.forbidden()
                        ? PAUSE_WHERE_REFUSED
                        : System.nanoTime() - since > GOOD_NANOS ? SHORTEST_PAUSE : nextPause(pause);
            } catch (AuthenticationException e) {
                outageLog.onOutage(connectionOptions + " does not let this process in (" + link.lastError()
                        + "); look at 'user' and 'password', 'token' or 'credentials' under 'bus'");
                pause = PAUSE_WHERE_REFUSED;
            } catch (IOException | RuntimeException e) {
                String trouble = link.lastError();
                // The client's exception message repeats addresses, which may contain passwords.
                outageLog.onOutage(connectionOptions + " cannot be reached"
                        + (trouble == null ? " (" + e.getClass().getSimpleName() + ")" : ": " + trouble));
                pause = nextPause(pause);
            } catch (InterruptedException e) {
                break;
            } finally {
                clearSubscribed(link);
                link.closeNow();
            }
            if (!pause(pause)) {
                break;
            }
        }
        notifyDisconnect(busTransportListener, BusDisconnectReason.BROKEN);
    }

    private static long nextPause(long pause) {
        return Math.min(LONGEST_PAUSE, 2 * pause);
    }

    /**
     * Sleeps for a random time around the pause, so that processes that lost the same server do not reconnect in step.
     */
    private boolean pause(long pause) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
            return !closed;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void open(NatsBusConnection link, BusTransportListener busTransportListener)
            throws IOException, InterruptedException {
        link.open(options(), (channel, message) -> {
            synchronized (callbackLock) {
                if (current == link) {
                    busTransportListener.onMessage(channel, message);
                }
            }
        });
        link.servers().forEach(server -> {
            if (discovered.size() < MOST_SERVERS) {
                discovered.add(server);
            }
        });
        synchronized (this) {
            subscribed = link;
            channels.forEach(link::subscribe);
        }
        link.awaitServer();
        synchronized (callbackLock) {
            current = link;
            busTransportListener.onConnect(link);
        }
    }

    private void notifyDisconnect(BusTransportListener busTransportListener, BusDisconnectReason busDisconnectReason) {
        synchronized (callbackLock) {
            if (current != null) {
                current = null;
                busTransportListener.onDisconnect(busDisconnectReason);
            }
        }
    }

    private synchronized void clearSubscribed(NatsBusConnection link) {
        if (subscribed == link) {
            subscribed = null;
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
        servers.addAll(discovered);
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
            Optional<String> within = connectionOptions.servers().stream()
                    .map(URI::getUserInfo)
                    .filter(Objects::nonNull)
                    .findFirst();
            within.ifPresent(info -> {
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
            last = current;
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

        void onOutage(String why) {
            long now = System.nanoTime();
            if (!logged) {
                since = now;
            }
            // A new reason is logged too, but not every time if two reasons alternate.
            if (!logged || (!why.equals(reason) && now - loggedAt > QUIET_NANOS)) {
                logged = true;
                loggedAt = now;
                reason = why;
                log.atWarn()
                        .addKeyValue("available", false)
                        .log("The bus is away: " + why + (why.endsWith(".") ? "" : ".")
                                + " Until it is there this process is not ready, and envelopes"
                                + " that are about no proposal are refused; it tries again by itself.");
            } else {
                log.debug("the bus is still away: {}", why);
            }
        }

        void onRecovery(String server) {
            if (logged) {
                log.atInfo()
                        .addKeyValue("available", true)
                        .log(
                                "The bus is there{}, by {}, after {} s.",
                                wasAvailable ? " again" : "",
                                server,
                                Duration.ofNanos(System.nanoTime() - since).toMillis() / 1000.0);
            } else {
                log.atInfo().addKeyValue("available", true).log("The bus is there, by {}.", server);
            }
            logged = false;
            wasAvailable = true;
        }
    }
}
