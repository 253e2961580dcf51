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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the open connections: all of them by the process's file limit, those of one identity, and those that have not
 * authenticated in total and for each address. It never keeps a new connection out. Instead, it closes a connection
 * that has waited for long without authentication, preferably without any data, or that has been idle longest among
 * those of the identity.
 * Thread-safe.
 */
public final class ConnectionLimiter {
    private static final AttributeKey<Slot> SLOT = AttributeKey.valueOf(ConnectionLimiter.class, "slot");

    /** Files that the ledger, bridges, logs and libraries need. */
    private static final long RESERVED_FILES = 256;

    /** How long a new connection is closed only if there is no older one. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many connections are accepted before the event loops have taken over the earlier ones. */
    private static final int MAX_STARTING = 64;

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

    private final LongSupplier nanoTime;
    private final int maxOpen;

    /** More than {@link #maxOpen}, because connections that are closing still have a file. */
    private final int maxFiles;

    private final MemoryQuota bodyQuota;
    private final MemoryQuota responseQuota;

    /** Separate, so that clients without a token cannot use up the memory of the others. */
    private final MemoryQuota unauthenticatedResponseQuota;

    private final MemoryQuota unfinishedMessageQuota;
    private int maxUnauthenticated;
    private int maxPerIdentity;
    private int maxPerAddress = ConnectionLimits.DEFAULT.unauthenticatedPerAddress();
    private ProxyAddresses proxies = new ProxyAddresses(List.of(), false);

    /** Connections that were accepted and that no event loop has taken over yet. */
    private final AtomicInteger starting = new AtomicInteger();

    private int open;

    /** Connections that the limiter has closed, but that still have a file. */
    private int closing;

    private final UnauthenticatedGroup unauthenticated = new UnauthenticatedGroup();
    private final Map<String, UnauthenticatedGroup> byAddress = new HashMap<>();

    /** The connections of each identity, by the identity of the last request. */
    private final Map<String, SequencedSet<Slot>> byIdentity = new HashMap<>();

    private final Map<Reason, Long> closed = new EnumMap<>(Reason.class);

    /** Connections that have not authenticated: all of them, or those of one address. */
    private static final class UnauthenticatedGroup {
        /** The connections whose clients have sent nothing yet, the oldest first. */
        private final SequencedSet<Slot> silent = new LinkedHashSet<>();

        /** The connections whose clients have sent something, the one that did so first at the beginning. */
        private final SequencedSet<Slot> started = new LinkedHashSet<>();

        int size() {
            return silent.size() + started.size();
        }

        void add(Slot slot) {
            silent.add(slot);
        }

        /** Adds a connection as the next one to close. */
        void addFirst(Slot slot) {
            silent.addFirst(slot);
        }

        void markStarted(Slot slot) {
            if (silent.remove(slot)) {
                started.add(slot);
            }
        }

        boolean remove(Slot slot) {
            return silent.remove(slot) || started.remove(slot);
        }

        /**
         * Returns the next connection to close. During a flood, this is one of the flood: a client that sends its
         * request at once is neither silent for long nor in the larger group. The group must not be empty.
         */
        Slot nextToClose(long now) {
            if (!silent.isEmpty() && silent.getFirst().isOlderThanGrace(now)) {
                return silent.getFirst();
            }
            if (!started.isEmpty() && started.getFirst().isOlderThanGrace(now)) {
                return started.getFirst();
            }
            return silent.size() > started.size() ? silent.getFirst() : started.getFirst();
        }
    }

    /** A registered connection. */
    private final class Slot {
        private final Channel channel;
        private final Optional<String> limitedAddress;
        private final FloodMeter refusedRequests = new FloodMeter();
        private final long acceptedNanos;

        /** Whether the token of the connection was revoked. */
        private boolean revoked;

        /** Whether the client has sent something since the limiter last looked for an idle connection. */
        private volatile boolean active;

        /** The caller of the last request; null if the connection has not authenticated. */
        private volatile @Nullable Caller caller;

        private boolean removed;

        Slot(Channel channel, Optional<String> limitedAddress) {
            this.channel = channel;
            this.limitedAddress = limitedAddress;
            this.acceptedNanos = nanoTime.getAsLong();
        }

        /** Whether the client has had enough time to send a request, and the server to read it. */
        boolean isOlderThanGrace(long now) {
            return revoked || now - acceptedNanos > GRACE_NANOS;
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

        MemoryQuota.Reservation reserveBody() {
            Caller current = caller;
            // The number of unauthenticated connections and the maximum size of their forms bound the other bodies.
            return current == null ? MemoryQuota.UNLIMITED : bodyQuota.reserve(current.identity);
        }

        MemoryQuota.Reservation reserveResponse() {
            Caller current = caller;
            return current == null ? unauthenticatedResponseQuota.reserve("") : responseQuota.reserve(current.identity);
        }

        MemoryQuota.Reservation reserveUnfinishedMessage() {
            Caller current = caller;
            return unfinishedMessageQuota.reserve(current == null ? "" : current.identity);
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
        this(fileLimit, heapBytes, System::nanoTime);
    }

    ConnectionLimiter(long fileLimit, long heapBytes, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        long usable = fileLimit > 2 * RESERVED_FILES ? fileLimit - RESERVED_FILES : fileLimit / 2;
        this.maxOpen = Math.clamp(usable, 4, Integer.MAX_VALUE);
        this.maxFiles = Math.clamp((maxOpen + fileLimit) / 2, maxOpen + 1, Integer.MAX_VALUE);
        this.bodyQuota = MemoryQuota.forRequestBodies(heapBytes);
        this.responseQuota = MemoryQuota.forResponses(heapBytes);
        this.unauthenticatedResponseQuota = MemoryQuota.forResponses(heapBytes / 4);
        this.unfinishedMessageQuota = MemoryQuota.forUnfinishedMessages(heapBytes);
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
    static MemoryQuota.Reservation reserveBody(HttpServerRequest request) {
        Slot slot = slotOf(request);
        return slot == null ? MemoryQuota.UNLIMITED : slot.reserveBody();
    }

    /** Starts to count the unsent bytes of the response to a request. Can be called on any thread. */
    public static MemoryQuota.Reservation reserveResponse(HttpServerRequest request) {
        Slot slot = slotOf(request);
        return slot == null ? MemoryQuota.UNLIMITED : slot.reserveResponse();
    }

    /** Starts to count the bytes of a WebSocket's unfinished messages. */
    public static MemoryQuota.Reservation reserveUnfinishedMessage(Channel channel) {
        Slot slot = channel.attr(SLOT).get();
        return slot == null ? MemoryQuota.UNLIMITED : slot.reserveUnfinishedMessage();
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

    private Optional<UnauthenticatedGroup> addressGroup(Slot slot) {
        return slot.limitedAddress.map(
                address -> byAddress.computeIfAbsent(address, key -> new UnauthenticatedGroup()));
    }

    /**
     * Whether the event loops are behind, so that no more connections should be accepted for a moment. Otherwise a flood
     * would replace connections whose requests have arrived, but have not been read.
     */
    boolean isBehind() {
        return starting.get() >= MAX_STARTING;
    }

    /** Records that a connection was accepted; {@link #markTakenOver} must follow once. */
    void markStarting() {
        starting.incrementAndGet();
    }

    /** Records that an event loop has taken over a connection, or that it has ended before. */
    void markTakenOver() {
        starting.decrementAndGet();
    }

    /** Records that the client of a connection has sent its first bytes. */
    void markStarted(Channel channel) {
        Slot slot = channel.attr(SLOT).get();
        if (slot == null) {
            return;
        }
        synchronized (this) {
            unauthenticated.markStarted(slot);
            slot.limitedAddress
                    .flatMap(address -> Optional.ofNullable(byAddress.get(address)))
                    .ifPresent(group -> group.markStarted(slot));
        }
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
            slot.revoked = false;
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
            slot.revoked = true;
            unauthenticated.addFirst(slot);
            addressGroup(slot).ifPresent(group -> group.addFirst(slot));
            victim = removeExcess(slot);
        }
        close(victim, slot.channel.eventLoop());
    }

    /** Removes a connection of a group that has become too large; null if none has. */
    private @Nullable Slot removeExcess(Slot added) {
        long now = nanoTime.getAsLong();
        Optional<UnauthenticatedGroup> sameAddress = addressGroup(added).filter(group -> group.size() > maxPerAddress);
        if (sameAddress.isPresent()) {
            return remove(sameAddress.get().nextToClose(now), Reason.ADDRESS);
        }
        if (unauthenticated.size() > maxUnauthenticated) {
            return remove(unauthenticated.nextToClose(now), Reason.UNAUTHENTICATED);
        }
        if (open <= maxOpen) {
            return null;
        }
        Slot victim = byIdentity.values().stream()
                .max(Comparator.comparingInt(Set::size))
                .filter(largest -> largest.size() >= unauthenticated.size())
                .map(ConnectionLimiter::longestIdle)
                .orElseGet(() -> unauthenticated.nextToClose(now));
        return remove(victim, Reason.FILES);
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
            slot.limitedAddress.ifPresent(address -> byAddress.computeIfPresent(address, (same, group) -> {
                group.remove(slot);
                return group.size() == 0 ? null : group;
            }));
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
        putIfPositive(counts, "bodies", bodyQuota.refusedCount());
        putIfPositive(counts, "responses", responseQuota.refusedCount() + unauthenticatedResponseQuota.refusedCount());
        putIfPositive(counts, "messages", unfinishedMessageQuota.refusedCount());
        return counts;
    }

    private static void putIfPositive(Map<String, Long> counts, String limit, long count) {
        if (count > 0) {
            counts.put(limit, count);
        }
    }
}
