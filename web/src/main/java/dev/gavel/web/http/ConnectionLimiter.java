package dev.gavel.web.http;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.gavel.gateway.delivery.FloodMeter;
import dev.gavel.gateway.member.RevocableAccessGrant;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the open connections: all of them by the process's file limit, those of one identity, and those that have not
 * authenticated in total and for each address. It never keeps a new connection out. Instead, it closes the connection
 * that has waited longest without authentication, or that has been idle longest among those of the identity.
 * Thread-safe.
 */
public final class ConnectionLimiter {
    private static final AttributeKey<Slot> SLOT = AttributeKey.valueOf(ConnectionLimiter.class, "slot");

    /** Files that the ledger, bridges, logs and libraries need. */
    private static final long RESERVED_FILES = 256;

    /** Why the limiter closed a connection. */
    enum Reason {
        /** Too many connections had not authenticated. */
        UNAUTHENTICATED,
        /** Too many connections of one address had not authenticated. */
        ADDRESS,
        /** One identity had too many connections. */
        IDENTITY,
        /** The process had no more files for connections. */
        FILES,
        /** The client kept sending requests that were refused. */
        FLOODING
    }

    private final int maxOpen;

    /** More than {@link #maxOpen}, because connections that are closing still have a file. */
    private final int maxFiles;

    private final RequestBodyQuota bodyQuota;
    private int maxUnauthenticated;
    private int maxPerIdentity;
    private int maxPerAddress = ConnectionLimits.DEFAULT.unauthenticatedPerAddress();
    private ProxyAddresses proxies = new ProxyAddresses(List.of(), false);

    private int open;

    /** Connections that the limiter has closed, but that still have a file. */
    private int closing;

    /** The connections that have not authenticated, the oldest first. */
    private final SequencedSet<Slot> unauthenticated = new LinkedHashSet<>();

    private final Map<String, SequencedSet<Slot>> byAddress = new HashMap<>();

    /** The connections of each identity, by the identity of the last request. */
    private final Map<String, SequencedSet<Slot>> byIdentity = new HashMap<>();

    private final Map<Reason, Long> closed = new EnumMap<>(Reason.class);

    /** A registered connection. */
    private final class Slot {
        private final Channel channel;
        private final Optional<String> limitedAddress;
        private final FloodMeter refusedRequests = new FloodMeter();

        /** Whether the client has sent something since the limiter last looked for an idle connection. */
        private volatile boolean active;

        /** The caller of the last request; null if the connection has not authenticated. */
        private volatile @Nullable Caller caller;

        private boolean removed;

        Slot(Channel channel, Optional<String> limitedAddress) {
            this.channel = channel;
            this.limitedAddress = limitedAddress;
        }

        void markActive() {
            if (!active) {
                active = true;
            }
        }

        boolean countRefused() {
            synchronized (ConnectionLimiter.this) {
                boolean flooding = refusedRequests.countAndCheck();
                if (flooding) {
                    count(Reason.FLOODING);
                }
                return flooding;
            }
        }

        void markAuthenticated(String identity, RevocableAccessGrant grant) {
            Caller current = caller;
            if (current != null && current.grant == grant) {
                markActive();
            } else {
                setCaller(this, new Caller(identity, grant, () -> onRevoke(this, grant)));
            }
        }

        RequestBodyQuota.Reservation reserveBody() {
            Caller current = caller;
            // The number of unauthenticated connections and the maximum size of their forms bound the other bodies.
            return current == null ? RequestBodyQuota.UNLIMITED : bodyQuota.reserve(current.identity);
        }
    }

    /** The identity that uses a connection, with its token's grant. */
    private record Caller(String identity, RevocableAccessGrant grant, Runnable onRevoke) {}

    /** Creates a limiter with the default limits, and the file limit and heap size of this process. */
    public ConnectionLimiter() {
        this(fileLimit(), Runtime.getRuntime().maxMemory());
    }

    /** Creates a limiter with the default limits for a process with this maximum of open files and this heap size. */
    public ConnectionLimiter(long fileLimit, long heapBytes) {
        long usable = fileLimit > 2 * RESERVED_FILES ? fileLimit - RESERVED_FILES : fileLimit / 2;
        this.maxOpen = Math.clamp(usable, 4, Integer.MAX_VALUE);
        this.maxFiles = Math.clamp((maxOpen + fileLimit) / 2, maxOpen + 1, Integer.MAX_VALUE);
        this.bodyQuota = new RequestBodyQuota(heapBytes);
        this.maxUnauthenticated = bounded(ConnectionLimits.DEFAULT.unauthenticated());
        this.maxPerIdentity = boundedPerIdentity(ConnectionLimits.DEFAULT.perIdentity());
    }

    private static long fileLimit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Integer.MAX_VALUE;
    }

    /** Sets the configured limits. */
    public synchronized void configure(ConnectionLimits limits, ProxyAddresses proxyAddresses) {
        maxUnauthenticated = bounded(limits.unauthenticated());
        maxPerAddress = limits.unauthenticatedPerAddress();
        maxPerIdentity = boundedPerIdentity(limits.perIdentity());
        proxies = proxyAddresses;
    }

    /** At most half of the connections, so that unauthenticated ones never take all of them. */
    private int bounded(int configured) {
        return Math.min(configured, maxOpen / 2);
    }

    /** At most a quarter of the connections, so that one identity never takes all of them. */
    private int boundedPerIdentity(int configured) {
        return Math.min(configured, maxOpen / 4);
    }

    /**
     * Records that the sender of a request has authenticated. Its connection then counts as one of this identity, until
     * the grant is revoked or another identity uses the connection.
     */
    public static void markAuthenticated(HttpServerRequest request, String identity, RevocableAccessGrant grant) {
        if (request.connection() instanceof ConnectionBase connection) {
            markAuthenticated(connection.channel(), identity, grant);
        }
    }

    static void markAuthenticated(Channel channel, String identity, RevocableAccessGrant grant) {
        Slot slot = channel.attr(SLOT).get();
        if (slot != null) {
            slot.markAuthenticated(identity, grant);
        }
    }

    /** Records that the client of a connection has sent something. */
    public static void markActive(Channel channel) {
        Slot slot = channel.attr(SLOT).get();
        if (slot != null) {
            slot.markActive();
        }
    }

    /** Starts to count the bytes of a request's body. */
    static RequestBodyQuota.Reservation reserveBody(HttpServerRequest request) {
        Slot slot = slotOf(request);
        return slot == null ? RequestBodyQuota.UNLIMITED : slot.reserveBody();
    }

    /**
     * Counts a request that is refused. Returns whether the client sends so many of them that its connection must be
     * closed.
     */
    static boolean countRefused(HttpServerRequest request) {
        Slot slot = slotOf(request);
        return slot != null && slot.countRefused();
    }

    private static @Nullable Slot slotOf(HttpServerRequest request) {
        return request.connection() instanceof ConnectionBase connection
                ? connection.channel().attr(SLOT).get()
                : null;
    }

    /**
     * Registers a connection that was just accepted, and closes another one if a limit is exceeded. Returns false if
     * this connection must be closed, because no file is left until other connections have closed.
     *
     * @param executor runs later attempts to close a connection that has no event loop yet
     */
    boolean register(Channel channel, EventExecutor executor) {
        Slot victim;
        synchronized (this) {
            if (open + closing >= maxFiles) {
                count(Reason.FILES);
                return false;
            }
            Slot slot = new Slot(channel, limitedAddress(channel));
            channel.attr(SLOT).set(slot);
            open++;
            unauthenticated.add(slot);
            addressGroup(slot).ifPresent(group -> group.add(slot));
            victim = removeExcess(slot);
        }
        close(victim, executor);
        return true;
    }

    private Optional<SequencedSet<Slot>> addressGroup(Slot slot) {
        return slot.limitedAddress.map(address -> byAddress.computeIfAbsent(address, key -> new LinkedHashSet<>()));
    }

    private void setCaller(Slot slot, Caller caller) {
        Slot victim = null;
        synchronized (this) {
            if (slot.removed) {
                return;
            }
            leaveGroup(slot);
            SequencedSet<Slot> group = byIdentity.computeIfAbsent(caller.identity, key -> new LinkedHashSet<>());
            if (group.size() >= maxPerIdentity) {
                victim = longestIdle(group);
            }
            group.add(slot);
            slot.caller = caller;
            if (victim != null) {
                remove(victim, Reason.IDENTITY);
            }
        }
        close(victim, slot.channel.eventLoop());
        caller.grant.onRevoke(caller.onRevoke);
        if (!caller.equals(slot.caller)) {
            // The connection ended meanwhile.
            caller.grant.removeCallback(caller.onRevoke);
        }
    }

    /**
     * Counts a connection as unauthenticated again. It is the first one to be closed if there are too many, so that a
     * revoked identity with many connections does not replace clients that are about to authenticate.
     */
    private void onRevoke(Slot slot, RevocableAccessGrant grant) {
        Slot victim;
        synchronized (this) {
            Caller caller = slot.caller;
            if (slot.removed || caller == null || caller.grant != grant) {
                return;
            }
            leaveGroup(slot);
            unauthenticated.addFirst(slot);
            addressGroup(slot).ifPresent(group -> group.addFirst(slot));
            victim = removeExcess(slot);
        }
        close(victim, slot.channel.eventLoop());
    }

    /** Removes a connection of a group that has become too large; null if none has. */
    private @Nullable Slot removeExcess(Slot added) {
        Optional<SequencedSet<Slot>> sameAddress = addressGroup(added).filter(group -> group.size() > maxPerAddress);
        if (sameAddress.isPresent()) {
            return remove(sameAddress.get().getFirst(), Reason.ADDRESS);
        }
        if (unauthenticated.size() > maxUnauthenticated) {
            return remove(unauthenticated.getFirst(), Reason.UNAUTHENTICATED);
        }
        if (open <= maxOpen) {
            return null;
        }
        SequencedSet<Slot> largest = byIdentity.values().stream()
                .max(Comparator.comparingInt(Set::size))
                .orElse(unauthenticated);
        return remove(
                largest.size() < unauthenticated.size() ? unauthenticated.getFirst() : longestIdle(largest),
                Reason.FILES);
    }

    /**
     * Returns the connection of a group that has been idle longest. Connections that were active since the last search
     * go to the end of the group, so a search visits each of them at most once.
     */
    private static Slot longestIdle(SequencedSet<Slot> group) {
        for (int i = group.size(); i > 0 && group.getFirst().active; i--) {
            Slot slot = group.removeFirst();
            slot.active = false;
            group.add(slot);
        }
        return group.getFirst();
    }

    /** The address to which the limit for one address applies; empty if the limit does not apply. */
    private Optional<String> limitedAddress(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
            return Optional.empty();
        }
        InetAddress address = remote.getAddress();
        return address.isLoopbackAddress() || proxies.isProxy(address)
                ? Optional.empty()
                : Optional.of(ClientAddressKey.of(address));
    }

    private Slot remove(Slot slot, Reason reason) {
        count(reason);
        leaveGroup(slot);
        slot.removed = true;
        open--;
        closing++;
        return slot;
    }

    private void count(Reason reason) {
        closed.merge(reason, 1L, Long::sum);
    }

    private void leaveGroup(Slot slot) {
        Caller caller = slot.caller;
        if (caller != null) {
            slot.caller = null;
            caller.grant.removeCallback(caller.onRevoke);
            removeFrom(byIdentity, caller.identity, slot);
        } else if (unauthenticated.remove(slot)) {
            slot.limitedAddress.ifPresent(address -> removeFrom(byAddress, address, slot));
        }
    }

    private static void removeFrom(Map<String, SequencedSet<Slot>> groups, String key, Slot slot) {
        groups.computeIfPresent(key, (same, slots) -> {
            slots.remove(slot);
            return slots.isEmpty() ? null : slots;
        });
    }

    private static void close(@Nullable Slot slot, EventExecutor executor) {
        if (slot != null) {
            close(slot.channel, executor);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed has ended already
    private static void close(Channel channel, EventExecutor executor) {
        if (!channel.isRegistered()) {
            if (channel.isOpen()) {
                // It was accepted a moment ago, and Netty has not assigned it to an event loop yet.
                executor.schedule(() -> close(channel, executor), 1, TimeUnit.MILLISECONDS);
            }
        } else if (channel.eventLoop().inEventLoop()) {
            // Not through the pipeline: the TLS handler would keep the file open until the client reads its last
            // message.
            channel.unsafe().close(channel.voidPromise());
        } else {
            channel.eventLoop().execute(() -> close(channel, executor));
        }
    }

    /** Unregisters a connection that has ended. */
    synchronized void unregister(Channel channel) {
        Slot slot = channel.attr(SLOT).getAndSet(null);
        if (slot == null) {
            return;
        }
        if (slot.removed) {
            closing--;
        } else {
            leaveGroup(slot);
            slot.removed = true;
            open--;
        }
    }

    /** How many connections have not authenticated. */
    public synchronized int unauthenticatedCount() {
        return unauthenticated.size();
    }

    /** How many connections were closed, by reason. */
    public synchronized Map<String, Long> closedCounts() {
        Map<String, Long> counts = new TreeMap<>();
        closed.forEach((reason, count) -> counts.put(reason.name().toLowerCase(Locale.ROOT), count));
        if (bodyQuota.refusedCount() > 0) {
            counts.put("bodies", bodyQuota.refusedCount());
        }
        return counts;
    }
}
