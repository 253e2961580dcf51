package dev.gavel.gateway.bus.nats;

import dev.gavel.gateway.bus.wire.Ears;
import dev.gavel.gateway.bus.wire.Loss;
import dev.gavel.gateway.bus.wire.Wire;
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
 * A wire over NATS. The client's own reconnecting is off: it keeps what was sent meanwhile and sends it seconds later, when
 * the ledger has long told what came after. Here a lost connection is thrown away with all it held, and another is made.
 * Thread-safe.
 */
public final class NatsWire implements Wire {
    private static final Logger log = LoggerFactory.getLogger(NatsWire.class);

    private static final long SHORTEST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 2_000;

    /** Nothing changes by asking a server again and again that does not want this process. */
    private static final long PAUSE_WHERE_REFUSED = 10_000;

    /** A connection that held so long was a good one, and the next attempt need not wait. */
    private static final long GOOD_NANOS = Duration.ofSeconds(5).toNanos();

    private static final Duration FAREWELL = Duration.ofSeconds(1);
    private static final int MOST_SERVERS = 100;

    private final NatsAddress address;
    private final Set<String> channels = new LinkedHashSet<>();
    private final Object hearing = new Object();
    private final ThreadFactory threads =
            Thread.ofPlatform().daemon().name("gavel-bus-nats-", 0).factory();
    private final ExecutorService workers = Executors.newCachedThreadPool(threads);
    private final ExecutorService callbacks = Executors.newSingleThreadExecutor(threads);
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(threads);
    private final Set<String> discovered = new LinkedHashSet<>();
    private @Nullable NatsLink listening;
    private @Nullable NatsLink current;
    private @Nullable Thread keeper;
    private volatile boolean closed;

    public NatsWire(NatsAddress address) {
        this.address = address;
    }

    @Override
    public void start(Ears ears) {
        Thread thread = Thread.ofPlatform().daemon().name("gavel-bus").unstarted(() -> run(ears));
        keeper = thread;
        thread.start();
    }

    @Override
    public synchronized void listen(String channel) {
        if (channels.add(channel) && listening != null) {
            listening.listen(channel);
        }
    }

    @Override
    public synchronized void ignore(String channel) {
        if (channels.remove(channel) && listening != null) {
            listening.ignore(channel);
        }
    }

    private void run(Ears ears) {
        Away away = new Away();
        long pause = SHORTEST_PAUSE;
        while (!closed) {
            NatsLink link = new NatsLink(address.prefix());
            try {
                open(link, ears);
                long since = System.nanoTime();
                away.over(link.server());
                NatsLink.Lost lost = link.keep();
                down(ears, lost.loss());
                away.begin("the connection to " + address + " is lost: " + lost.reason());
                pause = lost.forbidden()
                        ? PAUSE_WHERE_REFUSED
                        : System.nanoTime() - since > GOOD_NANOS ? SHORTEST_PAUSE : longer(pause);
            } catch (AuthenticationException e) {
                away.begin(address + " does not let this process in (" + link.trouble()
                        + "); look at 'user' and 'password', 'token' or 'credentials' under 'bus'");
                pause = PAUSE_WHERE_REFUSED;
            } catch (IOException | IllegalArgumentException | IllegalStateException e) {
                String trouble = link.trouble();
                away.begin(address + " cannot be reached: " + (trouble == null ? e.getMessage() : trouble));
                pause = longer(pause);
            } catch (InterruptedException e) {
                break;
            } finally {
                forget(link);
                link.drop();
            }
            if (!rested(pause)) {
                break;
            }
        }
        down(ears, Loss.BROKEN);
    }

    private static long longer(long pause) {
        return Math.min(LONGEST_PAUSE, 2 * pause);
    }

    /** Rests about so long: many processes that lost the same server do not come back in step. */
    private boolean rested(long pause) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
            return !closed;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void open(NatsLink link, Ears ears) throws IOException, InterruptedException {
        link.open(options(), (channel, message) -> {
            synchronized (hearing) {
                if (current == link) {
                    ears.heard(channel, message);
                }
            }
        });
        link.servers().forEach(server -> {
            if (discovered.size() < MOST_SERVERS) {
                discovered.add(server);
            }
        });
        synchronized (this) {
            listening = link;
            channels.forEach(link::listen);
        }
        link.settle();
        synchronized (hearing) {
            current = link;
            ears.up(link);
        }
    }

    private void down(Ears ears, Loss loss) {
        synchronized (hearing) {
            if (current != null) {
                current = null;
                ears.down(loss);
            }
        }
    }

    private synchronized void forget(NatsLink link) {
        if (listening == link) {
            listening = null;
        }
    }

    private Options.Builder options() {
        Options.Builder options = new Options.Builder()
                .connectionName(address.name())
                .noReconnect()
                .noEcho()
                .noHeaders()
                .noNoResponders()
                .connectionTimeout(NatsLink.PATIENCE)
                .socketWriteTimeout(NatsLink.PATIENCE.plusSeconds(1))
                // What waits is bounded by its bytes instead.
                .maxMessagesInOutgoingQueue(0)
                .executor(workers)
                .connectExecutor(workers)
                .callbackExecutor(callbacks)
                .scheduledExecutor(timers);
        Set<String> servers = new LinkedHashSet<>();
        address.servers().forEach(server -> servers.add(server.toString()));
        servers.addAll(discovered);
        options.servers(servers.toArray(String[]::new));
        authenticate(options);
        return options;
    }

    private void authenticate(Options.Builder options) {
        if (address.credentials().isPresent()) {
            options.authHandler(Nats.credentials(address.credentials().get().toString()));
        } else if (address.token().isPresent()) {
            options.token(address.token().get().toCharArray());
        } else if (address.user().isPresent()) {
            options.userInfo(address.user().get(), address.password().orElse(""));
        } else {
            // Servers that others told of come without what the configured address has.
            Optional<String> within = address.servers().stream()
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
        NatsLink last;
        synchronized (hearing) {
            last = current;
        }
        if (last != null) {
            last.finish(FAREWELL);
        }
        Thread thread = keeper;
        if (thread != null) {
            thread.interrupt();
        }
        timers.shutdown();
    }

    /** Says in the log, once each, that NATS is away and that it is back. */
    private static final class Away {
        private long since = System.nanoTime();
        private boolean said;
        private boolean before;

        void begin(String why) {
            if (!said) {
                said = true;
                since = System.nanoTime();
                log.atWarn()
                        .addKeyValue("available", false)
                        .log("The bus is away: " + why + ". Until it is there this process is not ready, and envelopes"
                                + " that are about no proposal are refused; it tries again by itself.");
            } else {
                log.debug("the bus is still away: {}", why);
            }
        }

        void over(String server) {
            if (said) {
                log.atInfo()
                        .addKeyValue("available", true)
                        .log(
                                "The bus is there{}, by {}, after {} s.",
                                before ? " again" : "",
                                server,
                                Duration.ofNanos(System.nanoTime() - since).toMillis() / 1000.0);
            } else {
                log.atInfo().addKeyValue("available", true).log("The bus is there, by {}.", server);
            }
            said = false;
            before = true;
        }
    }
}
