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
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tracks other gateway processes by leases, and which members are present in each. Each has a lease that whatever it
 * says renews. Thread-safe.
 *
 * <p>Something said long ago can arrive late, where a server held it up; told after what the ledger brought meanwhile, it
 * would be out of order. So a process counts from its latest session on, and where this process lost its own connection, or
 * took the other for dead, from its answer to a question asked after that.
 */
final class PeerRegistry {
    /** A process that is not heard of for so long is gone. */
    static final long LEASE_MILLIS = 4_000;

    /** Whoever looks so seldom has itself been asleep, and has to hear first what was said meanwhile. */
    private static final long ASLEEP_MILLIS = 2_000;

    private static final long ASK_EVERY_MILLIS = 500;

    /** Processes that are kept in mind, gone ones among them; there are a handful in earnest. */
    private static final int MAX_PEERS = 1_000;

    private final TopicBusDispatcher dispatcher;
    private final Consumer<String> requestPresence;
    private final LongSupplier clock;
    private final Map<String, PeerProcess> peerProcesses = new LinkedHashMap<>();
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private boolean disconnected = true;
    private long lastCheckMillis;

    /**
     * No others, for the time being.
     *
     * @param ask asks a process who is present there
     * @param clock in milliseconds, from anywhere
     */
    PeerRegistry(TopicBusDispatcher topicBusDispatcher, Consumer<String> ask, LongSupplier clock) {
        this.dispatcher = topicBusDispatcher;
        this.requestPresence = ask;
        this.clock = clock;
    }

    boolean isAlive(String process) {
        return alive.contains(process);
    }

    int count() {
        return alive.size();
    }

    /** Has a topic told from now on, and first of who is present already. */
    synchronized void addTopic(String topic, Runnable add) {
        add.run();
        for (PeerProcess peerProcess : peerProcesses.values()) {
            peerProcess
                    .present
                    .getOrDefault(topic, Map.of())
                    .values()
                    .forEach(memberPresence -> dispatcher.onMemberPresent(topic, peerProcess.name, memberPresence));
        }
    }

    /** This process has a connection: everybody is given a whole lease, and has just been asked. */
    synchronized void onConnected() {
        disconnected = false;
        long now = clock.getAsLong();
        lastCheckMillis = now;
        for (PeerProcess peerProcess : peerProcesses.values()) {
            if (peerProcess.liveness != Liveness.GONE) {
                peerProcess.liveness = Liveness.UNSURE;
                peerProcess.lastHeardMillis = now;
                peerProcess.lastRequestMillis = now;
            }
        }
    }

    /** This process has no connection: nobody comes, and nobody goes. */
    synchronized void onDisconnected() {
        disconnected = true;
    }

    /** Looks whose lease has run out. */
    synchronized void expireLeases() {
        long now = clock.getAsLong();
        boolean asleep = now - lastCheckMillis > ASLEEP_MILLIS;
        lastCheckMillis = now;
        if (disconnected) {
            return;
        }
        for (PeerProcess peerProcess : peerProcesses.values()) {
            if (asleep) {
                peerProcess.lastHeardMillis = now;
            } else if (peerProcess.liveness != Liveness.GONE && now - peerProcess.lastHeardMillis > LEASE_MILLIS) {
                markGone(peerProcess);
            }
        }
    }

    /** Something was heard of a process; gives whether it counts. */
    synchronized boolean renewLease(String process, long session) {
        return classify(process, session) == Freshness.COUNTS;
    }

    private enum Freshness {
        COUNTS,
        STALE,
        /** It may be stale, or the process is back: only an answer tells. */
        UNSURE
    }

    private Freshness classify(String process, long session) {
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null) {
            if (!evictGone()) {
                return Freshness.STALE;
            }
            long now = clock.getAsLong();
            peerProcess = new PeerProcess(process, session, now, now - ASK_EVERY_MILLIS);
            peerProcesses.put(process, peerProcess);
            alive.add(process);
            return Freshness.COUNTS;
        }
        if (session < peerProcess.session) {
            return Freshness.STALE;
        }
        if (session == peerProcess.session && peerProcess.liveness != Liveness.HERE) {
            return Freshness.UNSURE;
        }
        markAlive(peerProcess, session);
        return Freshness.COUNTS;
    }

    private void markAlive(PeerProcess peerProcess, long session) {
        peerProcess.session = session;
        peerProcess.liveness = Liveness.HERE;
        peerProcess.lastHeardMillis = clock.getAsLong();
        alive.add(peerProcess.name);
    }

    /** Those who are gone are forgotten where it becomes too many; those who are here are not. */
    private boolean evictGone() {
        Iterator<PeerProcess> all = peerProcesses.values().iterator();
        while (peerProcesses.size() >= MAX_PEERS && all.hasNext()) {
            if (all.next().liveness == Liveness.GONE) {
                all.remove();
            }
        }
        return peerProcesses.size() < MAX_PEERS;
    }

    /** A process says that it lives, and which revision who is present there has. */
    synchronized void onHeartbeat(String process, long session, long revision) {
        Freshness freshness = classify(process, session);
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null || freshness == Freshness.STALE) {
            return;
        }
        if (freshness == Freshness.COUNTS && peerProcess.revision == PeerProcess.UNKNOWN && revision == 0) {
            // Nobody has come there yet, so there is nothing to ask for.
            peerProcess.revision = 0;
        }
        if (freshness == Freshness.UNSURE || peerProcess.revision != revision) {
            requestPresence(peerProcess);
        }
    }

    private void requestPresence(PeerProcess peerProcess) {
        long now = clock.getAsLong();
        if (now - peerProcess.lastRequestMillis >= ASK_EVERY_MILLIS) {
            peerProcess.lastRequestMillis = now;
            requestPresence.accept(peerProcess.name);
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

    /** Who changes by this revision; nobody where it was known, or where something is missing before it. */
    private @Nullable PeerProcess acceptRevision(String process, long session, long revision) {
        Freshness freshness = classify(process, session);
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null || freshness == Freshness.STALE) {
            return null;
        }
        if (freshness == Freshness.UNSURE
                || peerProcess.revision == PeerProcess.UNKNOWN
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

    /** A process answered what was asked in this session of ours. */
    synchronized void onPresenceResponse(String process, long session, BusMessage.PresenceResponse presenceResponse) {
        classify(process, session);
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess == null || session < peerProcess.session) {
            return;
        }
        markAlive(peerProcess, session);
        if (!peerProcess.addChunk(presenceResponse)) {
            return;
        }
        Map<String, Map<String, MemberPresence>> present = new HashMap<>();
        peerProcess.chunks.forEach(each -> present.computeIfAbsent(each.topic(), name -> new HashMap<>())
                .put(each.presence().member(), each.presence()));
        peerProcess.chunks = new ArrayList<>();
        peerProcess.revision = presenceResponse.revision();
        peerProcess.present.forEach((topic, members) -> new ArrayList<>(members.keySet())
                .stream()
                        .filter(member -> !present.getOrDefault(topic, Map.of()).containsKey(member))
                        .forEach(member -> remove(peerProcess, topic, member)));
        present.forEach((topic, members) ->
                members.values().forEach(memberPresence -> put(peerProcess, topic, memberPresence)));
    }

    /** A process takes leave; nothing it said counts any more, whenever it arrives. */
    synchronized void onProcessStopping(String process, long session) {
        PeerProcess peerProcess = peerProcesses.get(process);
        if (peerProcess != null && session >= peerProcess.session) {
            markGone(peerProcess);
            peerProcess.session = Long.MAX_VALUE;
        }
    }

    private void markGone(PeerProcess peerProcess) {
        peerProcess.liveness = Liveness.GONE;
        alive.remove(peerProcess.name);
        peerProcess.revision = PeerProcess.UNKNOWN;
        peerProcess.chunks = new ArrayList<>();
        peerProcess.present.forEach((topic, members) ->
                members.keySet().forEach(member -> dispatcher.onMemberAbsent(topic, peerProcess.name, member)));
        peerProcess.present.clear();
    }

    private void put(PeerProcess peerProcess, String topic, MemberPresence memberPresence) {
        MemberPresence before = peerProcess
                .present
                .computeIfAbsent(topic, name -> new HashMap<>())
                .put(memberPresence.member(), memberPresence);
        if (!memberPresence.equals(before)) {
            dispatcher.onMemberPresent(topic, peerProcess.name, memberPresence);
        }
    }

    private void remove(PeerProcess peerProcess, String topic, String member) {
        Map<String, MemberPresence> members = peerProcess.present.get(topic);
        if (members != null && members.remove(member) != null) {
            dispatcher.onMemberAbsent(topic, peerProcess.name, member);
        }
    }
}
