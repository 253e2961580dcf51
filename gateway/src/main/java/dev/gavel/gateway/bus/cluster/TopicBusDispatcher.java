package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.TopicBusListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Dispatches bus events to each topic's listener on the topic's loop, and limits how many envelopes wait there.
 * Thread-safe.
 */
final class TopicBusDispatcher {
    /** What parcels may take that topics have not got round to. */
    private static final long MOST_WAITING_BYTES = 64L << 20;

    /** What a parcel takes besides its envelope. */
    private static final long PARCEL_BYTES = 400;

    private final AtomicLong queuedBytes = new AtomicLong();
    private final Map<String, ListenerOnLoop> listeners = new ConcurrentHashMap<>();

    private record ListenerOnLoop(Executor loop, TopicBusListener listener) {
        boolean dispatch(Consumer<TopicBusListener> what) {
            try {
                loop.execute(() -> what.accept(listener));
                return true;
            } catch (RejectedExecutionException e) {
                // The process ends, and nobody is there any more to be told.
                return false;
            }
        }
    }

    void add(String topic, Executor loop, TopicBusListener topicBusListener) {
        if (listeners.putIfAbsent(topic, new ListenerOnLoop(loop, topicBusListener)) != null) {
            throw new IllegalStateException("topic '" + topic + "' has a line already");
        }
    }

    /** Hands a parcel on; says whether there was room for it. */
    boolean onEnvelope(String topic, BusEnvelope busEnvelope) {
        long bytes = PARCEL_BYTES + busEnvelope.envelope().length;
        if (queuedBytes.addAndGet(bytes) > MOST_WAITING_BYTES) {
            queuedBytes.addAndGet(-bytes);
            return false;
        }
        boolean told = dispatch(topic, topicBusListener -> {
            queuedBytes.addAndGet(-bytes);
            topicBusListener.onEnvelope(busEnvelope);
        });
        if (!told) {
            queuedBytes.addAndGet(-bytes);
        }
        return true;
    }

    void onMemberPresent(String topic, String process, MemberPresence memberPresence) {
        dispatch(topic, topicBusListener -> topicBusListener.onMemberPresent(process, memberPresence));
    }

    void onMemberAbsent(String topic, String process, String member) {
        dispatch(topic, topicBusListener -> topicBusListener.onMemberAbsent(process, member));
    }

    void onReachable(String topic, boolean now) {
        dispatch(topic, topicBusListener -> topicBusListener.onReachable(now));
    }

    void onReachable(boolean now) {
        listeners
                .values()
                .forEach(listenerOnLoop ->
                        listenerOnLoop.dispatch(topicBusListener -> topicBusListener.onReachable(now)));
    }

    /** Topics that this process does not have are nothing to it; says whether it has this one. */
    private boolean dispatch(String topic, Consumer<TopicBusListener> what) {
        ListenerOnLoop listenerOnLoop = listeners.get(topic);
        return listenerOnLoop != null && listenerOnLoop.dispatch(what);
    }
}
