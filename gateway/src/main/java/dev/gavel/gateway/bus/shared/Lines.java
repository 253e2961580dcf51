package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Party;
import dev.gavel.gateway.bus.Stay;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** The topics of this process, each told on its own loop. Thread-safe. */
final class Lines {
    private final Map<String, End> ends = new ConcurrentHashMap<>();

    private record End(Executor loop, Party party) {
        void tell(Consumer<Party> what) {
            try {
                loop.execute(() -> what.accept(party));
            } catch (RejectedExecutionException e) {
                // The process ends, and nobody is there any more to be told.
            }
        }
    }

    void add(String topic, Executor loop, Party party) {
        if (ends.putIfAbsent(topic, new End(loop, party)) != null) {
            throw new IllegalStateException("topic '" + topic + "' has a line already");
        }
    }

    void received(String topic, Parcel parcel) {
        tell(topic, party -> party.received(parcel));
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

    /** Topics that this process does not have are nothing to it. */
    private void tell(String topic, Consumer<Party> what) {
        End end = ends.get(topic);
        if (end != null) {
            end.tell(what);
        }
    }
}
