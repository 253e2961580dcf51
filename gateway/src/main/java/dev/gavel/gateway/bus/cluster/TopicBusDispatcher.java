package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.ForwardedEnvelope;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.TopicBusListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes bus events to each topic's listener on the topic's event loop, and limits the total size of the waiting
 * envelopes. Thread-safe.
 */
final class TopicBusDispatcher {
    /** The number of bytes of envelopes that may wait for the topics' loops. */
    private static final long MAX_QUEUED_BYTES = 64L << 20;

    /** The estimated bytes of a bus envelope besides the envelope itself. */
    private static final long ENVELOPE_OVERHEAD_BYTES = 400;

    private final AtomicLong queuedBytes = new AtomicLong();
    private final Map<String, ListenerOnLoop> listeners = new ConcurrentHashMap<>();

    private record ListenerOnLoop(Executor loop, TopicBusListener listener) {
        boolean dispatch(Consumer<TopicBusListener> action) {
            try {
                loop.execute(() -> action.accept(listener));
                return true;
            } catch (RejectedExecutionException e) {
                // The process stops, and the loop runs no more tasks.
                return false;
            }
        }
    }

    void add(String topic, Executor loop, TopicBusListener topicBusListener) {
        if (listeners.putIfAbsent(topic, new ListenerOnLoop(loop, topicBusListener)) != null) {
            throw new IllegalStateException("topic '" + topic + "' already has a listener");
        }
    }

    /** Dispatches an envelope. Returns whether there was room for it in the queue. */
    boolean onEnvelope(String topic, ForwardedEnvelope forwardedEnvelope) {
        long bytes = ENVELOPE_OVERHEAD_BYTES + forwardedEnvelope.envelope().length;
        if (queuedBytes.addAndGet(bytes) > MAX_QUEUED_BYTES) {
            queuedBytes.addAndGet(-bytes);
            return false;
        }
        boolean dispatched = dispatch(topic, topicBusListener -> {
            queuedBytes.addAndGet(-bytes);
            topicBusListener.onEnvelope(forwardedEnvelope);
        });
        if (!dispatched) {
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
        dispatch(topic, topicBusListener -> topicBusListener.onReachabilityChanged(now));
    }

    void onReachable(boolean now) {
        listeners
                .values()
                .forEach(listenerOnLoop ->
                        listenerOnLoop.dispatch(topicBusListener -> topicBusListener.onReachabilityChanged(now)));
    }

    /** Runs an action on the topic's loop. Returns false if this process does not have the topic. */
    private boolean dispatch(String topic, Consumer<TopicBusListener> action) {
        ListenerOnLoop listenerOnLoop = listeners.get(topic);
        return listenerOnLoop != null && listenerOnLoop.dispatch(action);
    }
}
