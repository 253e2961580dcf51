package dev.gavel.gateway.bus;

import dev.gavel.ledger.Growth;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells those who follow a stream of the ledger that other processes wrote to it: at once where the bus says so, and after
 * a moment by looking, should that be lost. Thread-safe.
 */
public final class Lookout {
    private final Map<String, List<Follower>> followers = new ConcurrentHashMap<>();

    /** Who follows a stream. Called on any thread, which it must not hold up. */
    public interface Follower {
        /** Another process says that it wrote these; whatever it sent before has been heard. */
        void told(long first, long last);

        /** Somebody looked, and there were events up to here; they may be old news. */
        void seen(long last);
    }

    /** Follows a stream from now on. */
    public void follow(String stream, Follower follower) {
        followers.computeIfAbsent(stream, name -> new CopyOnWriteArrayList<>()).add(follower);
    }

    /** Another process says that it wrote. */
    public void told(Growth growth) {
        followers
                .getOrDefault(growth.stream(), List.of())
                .forEach(follower -> follower.told(growth.first(), growth.last()));
    }

    /** Somebody looked how far each stream reaches. */
    public void seen(Map<String, Long> heads) {
        heads.forEach(
                (stream, last) -> followers.getOrDefault(stream, List.of()).forEach(follower -> follower.seen(last)));
    }
}
