package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Party;
import dev.gavel.gateway.bus.Stay;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The topics of this process, each told on its own loop; of parcels only so many wait there. Thread-safe. */
final class Lines {
    /** What parcels may take that topics have not got round to. */
    private static final long MOST_WAITING_BYTES = 64L << 20;

    /** What a parcel takes besides its envelope. */
    private static final long PARCEL_BYTES = 400;

    private final AtomicLong waiting = new AtomicLong();
    private final Map<String, End> ends = new ConcurrentHashMap<>();

    private record End(Executor loop, Party party) {
        boolean tell(Consumer<Party> what) {
            try {
                loop.execute(() -> what.accept(party));
                return true;
            } catch (RejectedExecutionException e) {
                // The process ends, and nobody is there any more to be told.
                return false;
            }
        }
    }

    void add(String topic, Executor loop, Party party) {
        if (ends.putIfAbsent(topic, new End(loop, party)) != null) {
            throw new IllegalStateException("topic '" + topic + "' has a line already");
        }
    }

    /** Hands a parcel on; says whether there was room for it. */
    boolean received(String topic, Parcel parcel) {
        long bytes = PARCEL_BYTES + parcel.envelope().length;
        if (waiting.addAndGet(bytes) > MOST_WAITING_BYTES) {
            waiting.addAndGet(-bytes);
            return false;
        }
        boolean told = tell(topic, party -> {
            waiting.addAndGet(-bytes);
            party.received(parcel);
        });
        if (!told) {
            waiting.addAndGet(-bytes);
        }
        return true;
    }

    void came(String topic, String process, Stay stay) {
        tell(topic, party -> party.came(process, stay));
    }

    void left(String topic, String process, String member) {
        tell(topic, party -> party.left(process, member));
    }

    void reachable(String topic, boolean now) {
        tell(topic, party -> party.reachable(now));
    }

    void reachable(boolean now) {
        ends.values().forEach(end -> end.tell(party -> party.reachable(now)));
    }

    /** Topics that this process does not have are nothing to it; says whether it has this one. */
    private boolean tell(String topic, Consumer<Party> what) {
        End end = ends.get(topic);
        return end != null && end.tell(what);
    }
}
