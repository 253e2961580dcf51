package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Stay;
import dev.gavel.gateway.bus.shared.Peer.Standing;
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
 * The other processes and who is present there. Each has a lease that whatever it says renews. Thread-safe.
 *
 * <p>Something said long ago can arrive late, where a server held it up; told after what the ledger brought meanwhile, it
 * would be out of order. So a process counts from its latest session on, and where this process lost its own connection, or
 * took the other for dead, from its answer to a question asked after that.
 */
final class Peers {
    /** A process that is not heard of for so long is gone. */
    static final long LEASE_MILLIS = 4_000;

    /** Whoever looks so seldom has itself been asleep, and has to hear first what was said meanwhile. */
    private static final long ASLEEP_MILLIS = 2_000;

    private static final long ASK_EVERY_MILLIS = 500;

    /** Processes that are kept in mind, gone ones among them; there are a handful in earnest. */
    private static final int MOST = 1_000;

    private final Lines lines;
    private final Consumer<String> ask;
    private final LongSupplier clock;
    private final Map<String, Peer> peers = new LinkedHashMap<>();
    private final Set<String> living = ConcurrentHashMap.newKeySet();
    private boolean frozen = true;
    private long looked;

    /**
     * No others, for the time being.
     *
     * @param ask asks a process who is present there
     * @param clock in milliseconds, from anywhere
     */
    Peers(Lines lines, Consumer<String> ask, LongSupplier clock) {
        this.lines = lines;
        this.ask = ask;
        this.clock = clock;
    }

    boolean alive(String process) {
        return living.contains(process);
    }

    int count() {
        return living.size();
    }

    /** Has a topic told from now on, and first of who is present already. */
    synchronized void introduce(String topic, Runnable add) {
        add.run();
        for (Peer peer : peers.values()) {
            peer.present.getOrDefault(topic, Map.of()).values().forEach(stay -> lines.came(topic, peer.name, stay));
        }
    }

    /** This process has a connection: everybody is given a whole lease, and has just been asked. */
    synchronized void thaw() {
        frozen = false;
        long now = clock.getAsLong();
        looked = now;
        for (Peer peer : peers.values()) {
            if (peer.standing != Standing.GONE) {
                peer.standing = Standing.UNSURE;
                peer.heardAt = now;
                peer.askedAt = now;
            }
        }
    }

    /** This process has no connection: nobody comes, and nobody goes. */
    synchronized void freeze() {
        frozen = true;
    }

    /** Looks whose lease has run out. */
    synchronized void look() {
        long now = clock.getAsLong();
        boolean asleep = now - looked > ASLEEP_MILLIS;
        looked = now;
        if (frozen) {
            return;
        }
        for (Peer peer : peers.values()) {
            if (asleep) {
                peer.heardAt = now;
            } else if (peer.standing != Standing.GONE && now - peer.heardAt > LEASE_MILLIS) {
                leave(peer);
            }
        }
    }

    /** Something was heard of a process; gives whether it counts. */
    synchronized boolean counts(String process, long session) {
        return heard(process, session) == Heard.COUNTS;
    }

    private enum Heard {
        COUNTS,
        STALE,
        /** It may be stale, or the process is back: only an answer tells. */
        UNSURE
    }

    private Heard heard(String process, long session) {
        Peer peer = peers.get(process);
        if (peer == null) {
            if (!room()) {
                return Heard.STALE;
            }
            long now = clock.getAsLong();
            peer = new Peer(process, session, now, now - ASK_EVERY_MILLIS);
            peers.put(process, peer);
            living.add(process);
            return Heard.COUNTS;
        }
        if (session < peer.session) {
            return Heard.STALE;
        }
        if (session == peer.session && peer.standing != Standing.HERE) {
            return Heard.UNSURE;
        }
        here(peer, session);
        return Heard.COUNTS;
    }

    private void here(Peer peer, long session) {
        peer.session = session;
        peer.standing = Standing.HERE;
        peer.heardAt = clock.getAsLong();
        living.add(peer.name);
    }

    /** Those who are gone are forgotten where it becomes too many; those who are here are not. */
    private boolean room() {
        Iterator<Peer> all = peers.values().iterator();
        while (peers.size() >= MOST && all.hasNext()) {
            if (all.next().standing == Standing.GONE) {
                all.remove();
            }
        }
        return peers.size() < MOST;
    }

    /** A process says that it lives, and which revision who is present there has. */
    synchronized void beat(String process, long session, long revision) {
        Heard heard = heard(process, session);
        Peer peer = peers.get(process);
        if (peer == null || heard == Heard.STALE) {
            return;
        }
        if (heard == Heard.COUNTS && peer.revision == Peer.UNKNOWN && revision == 0) {
            // Nobody has come there yet, so there is nothing to ask for.
            peer.revision = 0;
        }
        if (heard == Heard.UNSURE || peer.revision != revision) {
            ask(peer);
        }
    }

    private void ask(Peer peer) {
        long now = clock.getAsLong();
        if (now - peer.askedAt >= ASK_EVERY_MILLIS) {
            peer.askedAt = now;
            ask.accept(peer.name);
        }
    }

    synchronized void came(String process, long session, Message.Came came) {
        Peer peer = next(process, session, came.revision());
        if (peer != null) {
            put(peer, came.topic(), came.stay());
        }
    }

    synchronized void left(String process, long session, Message.Left left) {
        Peer peer = next(process, session, left.revision());
        if (peer != null) {
            remove(peer, left.topic(), left.member());
        }
    }

    /** Who changes by this revision; nobody where it was known, or where something is missing before it. */
    private @Nullable Peer next(String process, long session, long revision) {
        Heard heard = heard(process, session);
        Peer peer = peers.get(process);
        if (peer == null || heard == Heard.STALE) {
            return null;
        }
        if (heard == Heard.UNSURE || peer.revision == Peer.UNKNOWN || revision > peer.revision + 1) {
            ask(peer);
            return null;
        }
        if (revision <= peer.revision) {
            return null;
        }
        peer.revision = revision;
        return peer;
    }

    /** A process answered what was asked in this session of ours. */
    synchronized void answered(String process, long session, Message.Answer answer) {
        heard(process, session);
        Peer peer = peers.get(process);
        if (peer == null || session < peer.session) {
            return;
        }
        here(peer, session);
        if (!peer.add(answer)) {
            return;
        }
        Map<String, Map<String, Stay>> present = new HashMap<>();
        peer.pieces.forEach(each -> present.computeIfAbsent(each.topic(), name -> new HashMap<>())
                .put(each.stay().member(), each.stay()));
        peer.pieces = new ArrayList<>();
        peer.revision = answer.revision();
        peer.present.forEach((topic, members) -> new ArrayList<>(members.keySet())
                .stream()
                        .filter(member -> !present.getOrDefault(topic, Map.of()).containsKey(member))
                        .forEach(member -> remove(peer, topic, member)));
        present.forEach((topic, members) -> members.values().forEach(stay -> put(peer, topic, stay)));
    }

    /** A process takes leave; nothing it said counts any more, whenever it arrives. */
    synchronized void farewell(String process, long session) {
        Peer peer = peers.get(process);
        if (peer != null && session >= peer.session) {
            leave(peer);
            peer.session = Long.MAX_VALUE;
        }
    }

    private void leave(Peer peer) {
        peer.standing = Standing.GONE;
        living.remove(peer.name);
        peer.revision = Peer.UNKNOWN;
        peer.pieces = new ArrayList<>();
        peer.present.forEach(
                (topic, members) -> members.keySet().forEach(member -> lines.left(topic, peer.name, member)));
        peer.present.clear();
    }

    private void put(Peer peer, String topic, Stay stay) {
        Stay before =
                peer.present.computeIfAbsent(topic, name -> new HashMap<>()).put(stay.member(), stay);
        if (!stay.equals(before)) {
            lines.came(topic, peer.name, stay);
        }
    }

    private void remove(Peer peer, String topic, String member) {
        Map<String, Stay> members = peer.present.get(topic);
        if (members != null && members.remove(member) != null) {
            lines.left(topic, peer.name, member);
        }
    }
}
