package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.cluster.PeerProcess.Liveness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which other gateway processes are alive, by leases that their messages renew, and which members are present in
 * each. Every message from a process renews its lease. Thread-safe.
 *
 * <p>A message can arrive long after it was sent, if a server delayed it. Delivered after newer events from the ledger,
 * it would be out of order. So messages of a process count only from its latest session on. If this process lost its
 * own connection, or considered the other process dead, they count only from the response to a request sent after that.
 */
final class PeerRegistry {
    /** A process from which no message arrives for this long is gone. */
    static final long LEASE_MILLIS = 4_000;

    /**
     * If two checks are this far apart, this process itself was suspended, and first has to receive the messages of
     * that time.
     */
    private static final long SUSPENDED_MILLIS = 2_000;

    private static final long REQUEST_INTERVAL_MILLIS = 500;

    /** The number of processes stored, including those that are gone. Real deployments have a handful. */
    private static final int MAX_PEERS = 1_000;

    private final TopicBusDispatcher dispatcher;
    private final ObjLongConsumer<String> requestPresence;
    private final LongSupplier clock;
    private final Map<String, PeerProcess> peerProcesses = new LinkedHashMap<>();
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private boolean disconnected = true;
    private long lastCheckMillis;
    private long lastRequestId;

    /** The first request of the current connection. */
    private long connectionRequestId;

    /**
     * Creates an empty registry.
     *
     * @param requestPresence requests the members present in a process, with the id of the request
     * @param clock in milliseconds, from any origin
     */
    PeerRegistry(TopicBusDispatcher topicBusDispatcher, ObjLongConsumer<String> requestPresence, LongSupplier clock) {
        this.dispatcher = topicBusDispatcher;
        this.requestPresence = requestPresence;
        this.clock = clock;
    }

    boolean isAlive(String process) {
        return alive.contains(process);
    }

    int count() {
        return alive.size();
    }

    /** Registers a topic, and first reports the members that are already present in other processes. */
    synchronized void addTopic(String topic, Runnable add) {
        add.run();
        for (PeerProcess peerProcess : peerProcesses.values()) {
            peerProcess
                    .presencesByTopic
                    .getOrDefault(topic, Map.of())
                    .values()
                    .forEach(memberPresence -> dispatcher.onMemberPresent(topic, peerProcess.name, memberPresence));
        }
    }

    /**
     * This process has connected: every peer gets a full lease. Returns the id of the request that the caller now sends
     * to all of them.
     */
    synchronized long onConnected() {
        disconnected = false;
        connectionRequestId = ++lastRequestId;
        long now = clock.getAsLong();
        lastCheckMillis = now;
        for (PeerProcess peerProcess : peerProcesses.values()) {
            if (peerProcess.liveness != Liveness.GONE) {
                peerProcess.liveness = Liveness.UNCONFIRMED;
                peerProcess.lastMessageMillis = now;
                peerProcess.lastRequestMillis = now;
            }
        }
        return connectionRequestId;
    }

    /** This process has lost its connection: peers are neither added nor removed until it reconnects. */
    synchronized void onDisconnected() {
        disconnected = true;
    }

    /** Marks the processes gone whose leases have expired. */
    synchronized void expireLeases() {
        long now = clock.getAsLong();
        boolean suspended = now - lastCheckMillis > SUSPENDED_MILLIS;
        lastCheckMillis = now;
        if (disconnected) {
            return;
        }
        for (PeerProcess peerProcess : peerProcesses.values()) {
            if (suspended) {
                peerProcess.lastMessageMillis = now;
            } else if (peerProcess.liveness != Liveness.GONE && now - peerProcess.lastMessageMillis > LEASE_MILLIS) {
                markGone(peerProcess);
            }
        }
    }

    /** A message arrived from a process. Returns whether it counts. */
    synchronized boolean renewLease(String process, long session) {
        return classify(process, session) == Freshness.FRESH;
    }

    private enum Freshness {
        FRESH,
        STALE,
        /** The message is stale, or the process is back: only a response to a new request can decide. */
        UNCONFIRMED
    }

    private Freshness classify(String process, long session) {
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null) {
            if (!evictGone()) {
                return Freshness.STALE;
            }
            long now = clock.getAsLong();
            peerProcess = new PeerProcess(process, session, now, now - REQUEST_INTERVAL_MILLIS);
            peerProcesses.put(process, peerProcess);
            alive.add(process);
            return Freshness.FRESH;
        }
        if (session < peerProcess.session) {
            return Freshness.STALE;
        }
        if (session == peerProcess.session && peerProcess.liveness != Liveness.ALIVE) {
            return Freshness.UNCONFIRMED;
        }
        markAlive(peerProcess, session);
        return Freshness.FRESH;
    }

    private void markAlive(PeerProcess peerProcess, long session) {
        peerProcess.session = session;
        peerProcess.liveness = Liveness.ALIVE;
        peerProcess.lastMessageMillis = clock.getAsLong();
        alive.add(peerProcess.name);
    }

    /**
     * Removes processes that are gone if there are too many; live ones are never removed. Returns whether there is
     * room.
     */
    private boolean evictGone() {
        Iterator<PeerProcess> all = peerProcesses.values().iterator();
        while (peerProcesses.size() >= MAX_PEERS && all.hasNext()) {
            if (all.next().liveness == Liveness.GONE) {
                all.remove();
            }
        }
        return peerProcesses.size() < MAX_PEERS;
    }

    /** A process reports that it is alive, and the current revision of its presence. */
    synchronized void onHeartbeat(String process, long session, long revision) {
        Freshness freshness = classify(process, session);
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null || freshness == Freshness.STALE) {
            return;
        }
        if (freshness == Freshness.FRESH && peerProcess.revision == PeerProcess.UNKNOWN_REVISION && revision == 0) {
            // No member has joined there yet, so there is nothing to request.
            peerProcess.revision = 0;
        }
        if (freshness == Freshness.UNCONFIRMED || peerProcess.revision != revision) {
            requestPresence(peerProcess);
        }
    }

    private void requestPresence(PeerProcess peerProcess) {
        long now = clock.getAsLong();
        if (now - peerProcess.lastRequestMillis >= REQUEST_INTERVAL_MILLIS) {
            peerProcess.lastRequestMillis = now;
            requestPresence.accept(peerProcess.name, ++lastRequestId);
        }
    }

    synchronized void onMemberJoined(String process, long session, BusMessage.MemberJoined memberJoined) {
        PeerProcess peerProcess = acceptRevision(process, session, memberJoined.revision());
        if (peerProcess != null) {
            put(peerProcess, memberJoined.topic(), memberJoined.presence());
        }
    }

    synchronized void onMemberLeft(String process, long session, BusMessage.MemberLeft left) {
        PeerProcess peerProcess = acceptRevision(process, session, left.revision());
        if (peerProcess != null) {
            remove(peerProcess, left.topic(), left.member());
        }
    }

    /**
     * Returns the process to which this revision applies; null if the revision is already known or an earlier one is
     * missing.
     */
    private @Nullable PeerProcess acceptRevision(String process, long session, long revision) {
        Freshness freshness = classify(process, session);
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null || freshness == Freshness.STALE) {
            return null;
        }
        if (freshness == Freshness.UNCONFIRMED
                || peerProcess.revision == PeerProcess.UNKNOWN_REVISION
                || revision > peerProcess.revision + 1) {
            requestPresence(peerProcess);
            return null;
        }
        if (revision <= peerProcess.revision) {
            return null;
        }
        peerProcess.revision = revision;
        return peerProcess;
    }

    /**
     * A process responded to a request. The response counts only if the request was sent over the current connection,
     * and after the process was last marked gone: an earlier response may have been delayed together with envelopes.
     */
    synchronized void onPresenceResponse(String process, long session, BusMessage.PresenceResponse presenceResponse) {
        if (presenceResponse.requestId() < connectionRequestId) {
            return;
        }
        classify(process, session);
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null
                || session < peerProcess.session
                || presenceResponse.requestId() < peerProcess.minRequestId) {
            return;
        }
        markAlive(peerProcess, session);
        if (!peerProcess.addChunk(presenceResponse)) {
            return;
        }
        Map<String, Map<String, MemberPresence>> presencesByTopic = new HashMap<>();
        peerProcess.chunks.forEach(each -> presencesByTopic
                .computeIfAbsent(each.topic(), name -> new HashMap<>())
                .put(each.presence().member(), each.presence()));
        peerProcess.chunks = new ArrayList<>();
        peerProcess.revision = presenceResponse.revision();
        peerProcess.presencesByTopic.forEach((topic, members) -> new ArrayList<>(members.keySet())
                .stream()
                        .filter(member ->
                                !presencesByTopic.getOrDefault(topic, Map.of()).containsKey(member))
                        .forEach(member -> remove(peerProcess, topic, member)));
        presencesByTopic.forEach((topic, members) ->
                members.values().forEach(memberPresence -> put(peerProcess, topic, memberPresence)));
    }

    /** A process announces its stop. None of its messages count any more, whenever they arrive. */
    synchronized void onProcessStopping(String process, long session) {
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess != null && session >= peerProcess.session) {
            markGone(peerProcess);
            peerProcess.session = Long.MAX_VALUE;
        }
    }

    private void markGone(PeerProcess peerProcess) {
        peerProcess.liveness = Liveness.GONE;
        peerProcess.minRequestId = lastRequestId + 1;
        alive.remove(peerProcess.name);
        peerProcess.revision = PeerProcess.UNKNOWN_REVISION;
        peerProcess.chunks = new ArrayList<>();
        peerProcess.presencesByTopic.forEach((topic, members) ->
                members.keySet().forEach(member -> dispatcher.onMemberAbsent(topic, peerProcess.name, member)));
        peerProcess.presencesByTopic.clear();
    }

    private void put(PeerProcess peerProcess, String topic, MemberPresence memberPresence) {
        MemberPresence before = peerProcess
                .presencesByTopic
                .computeIfAbsent(topic, name -> new HashMap<>())
                .put(memberPresence.member(), memberPresence);
        if (!memberPresence.equals(before)) {
            dispatcher.onMemberPresent(topic, peerProcess.name, memberPresence);
        }
    }

    private void remove(PeerProcess peerProcess, String topic, String member) {
        Map<String, MemberPresence> members = peerProcess.presencesByTopic.get(topic);
        if (members != null && members.remove(member) != null) {
            dispatcher.onMemberAbsent(topic, peerProcess.name, member);
        }
    }
}
