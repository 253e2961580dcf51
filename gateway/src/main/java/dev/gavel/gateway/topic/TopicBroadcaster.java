package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.DeliveryBatcher;
import dev.gavel.gateway.delivery.EnvelopeReceiver;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.routing.ResolvedRecipients;
import dev.gavel.gateway.store.ProposalEventMessage;
import dev.gavel.mcpx.SyntaxVersion;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which receivers of a topic get an envelope, by subscription mode and replay position, and passes it to
 * delivery. Confined to the topic's loop.
 */
final class TopicBroadcaster {
    private static final int MOST_HELD_BYTES = 1024 * 1024;

    private final DeliveryBatcher deliveryBatcher;

    /** The receivers that are not sent everything, with whose they are. */
    private final Map<EnvelopeReceiver, String> directed = new LinkedHashMap<>();

    /**
     * The receivers that are being told, in order, what happened to proposals before now, with what else there is for
     * them after that.
     */
    private final Map<EnvelopeReceiver, ReplayBuffer> replaying = new LinkedHashMap<>();

    /** The last seq that those who are not behind have been told of, where anybody has been told of anything. */
    private long publishedSeq;

    TopicBroadcaster(DeliveryBatcher deliveryBatcher) {
        this.deliveryBatcher = deliveryBatcher;
    }

    void add(TopicConnection connection) {
        deliveryBatcher.add(connection.receiver());
        if (connection.mode() == SubscriptionMode.DIRECTED) {
            directed.put(connection.receiver(), connection.member().id());
        }
    }

    void remove(TopicConnection connection) {
        deliveryBatcher.remove(connection.receiver());
        directed.remove(connection.receiver());
        replaying.remove(connection.receiver());
    }

    /**
     * What is sent in the topic is held for a receiver that is behind, except about proposals: that it will be told from
     * the ledger, by {@link #sendReplayed}.
     *
     * @param present the last seq that the others have been told of
     */
    void beginReplay(EnvelopeReceiver receiver, long present) {
        replaying.put(receiver, new ReplayBuffer(present));
    }

    /** Tells a receiver that is behind what happened, after what else was sent in the topic before that. */
    void sendReplayed(EnvelopeReceiver receiver, ProposalEventMessage message) {
        ReplayBuffer replayBuffer = replaying.get(receiver);
        if (replayBuffer != null) {
            replayBuffer.releaseBefore(receiver, message.seq());
        }
        deliveryBatcher.sendTo(receiver, outgoing(message));
    }

    /** From here on the receiver is sent everything as it comes. */
    void endReplay(EnvelopeReceiver receiver) {
        ReplayBuffer replayBuffer = replaying.remove(receiver);
        if (replayBuffer != null) {
            replayBuffer.releaseBefore(receiver, Long.MAX_VALUE);
        }
    }

    /** Something that the others were sent after what happened up to a seq. */
    private record BufferedEnvelope(long after, OutgoingEnvelope envelope) {}

    /** What waits until a receiver has caught up. When it becomes too much it is sent at once, and so is what follows. */
    private final class ReplayBuffer {
        final Queue<BufferedEnvelope> envelopes = new ArrayDeque<>(0);
        final long present;
        int bytes;

        ReplayBuffer(long present) {
            this.present = present;
        }

        void add(EnvelopeReceiver receiver, OutgoingEnvelope envelope) {
            bytes += envelope.encode(receiver.syntax()).length;
            envelopes.add(new BufferedEnvelope(Math.max(present, publishedSeq), envelope));
            if (bytes > MOST_HELD_BYTES) {
                releaseBefore(receiver, Long.MAX_VALUE);
            }
        }

        /** Sends what the others were sent before something happened. */
        void releaseBefore(EnvelopeReceiver receiver, long seq) {
            while (!envelopes.isEmpty() && envelopes.element().after() < seq) {
                deliveryBatcher.sendTo(receiver, envelopes.remove().envelope());
            }
        }
    }

    /** From here on the receiver is sent another spelling. */
    void changeSyntax(EnvelopeReceiver receiver, SyntaxVersion syntaxVersion) {
        deliveryBatcher.changeSyntax(receiver, syntaxVersion);
    }

    void sendTo(EnvelopeReceiver receiver, OutgoingEnvelope envelope) {
        deliveryBatcher.sendTo(receiver, envelope);
    }

    /** Sends something to one receiver, after what it is still to be told of before. */
    void sendInOrder(EnvelopeReceiver receiver, OutgoingEnvelope envelope) {
        ReplayBuffer replayBuffer = replaying.get(receiver);
        if (replayBuffer == null) {
            deliveryBatcher.sendTo(receiver, envelope);
        } else {
            replayBuffer.add(receiver, envelope);
        }
    }

    /** Tells everybody but one. */
    void broadcast(@Nullable EnvelopeReceiver but, OutgoingEnvelope envelope) {
        send(but, receiver -> true, envelope);
    }

    /** Sends an envelope to those it is for; its sender is not sent it. */
    void route(@Nullable EnvelopeReceiver sender, ResolvedRecipients recipients, OutgoingEnvelope envelope) {
        send(sender, receiver -> isFor(receiver, recipients), envelope);
    }

    private boolean isFor(EnvelopeReceiver receiver, ResolvedRecipients recipients) {
        String participant = directed.get(receiver);
        return participant == null
                || recipients.broadcast()
                || recipients.names().contains(participant);
    }

    private void send(@Nullable EnvelopeReceiver sender, Predicate<EnvelopeReceiver> isFor, OutgoingEnvelope envelope) {
        replaying.forEach((receiver, replayBuffer) -> {
            if (!receiver.equals(sender) && isFor.test(receiver)) {
                replayBuffer.add(receiver, envelope);
            }
        });
        if (directed.isEmpty() && replaying.isEmpty()) {
            deliveryBatcher.sendToAllExcept(sender, envelope);
        } else {
            deliveryBatcher.sendToAllExcept(
                    sender,
                    filteredReceivers(),
                    receiver -> !replaying.containsKey(receiver) && isFor.test(receiver),
                    envelope);
        }
    }

    /** The receivers that are not sent everything as it comes. */
    private Iterable<EnvelopeReceiver> filteredReceivers() {
        if (replaying.isEmpty()) {
            return directed.keySet();
        }
        Set<EnvelopeReceiver> picky = new LinkedHashSet<>(directed.keySet());
        picky.addAll(replaying.keySet());
        return picky;
    }

    /** Sends what there is about proposals to those it is for, its sender among them, who gets it as an echo. */
    void publish(ProposalEventMessage message) {
        OutgoingEnvelope envelope = outgoing(message);
        publishedSeq = Math.max(publishedSeq, message.seq());
        if (directed.isEmpty() && replaying.isEmpty()) {
            deliveryBatcher.sendToAllExcept(null, envelope);
            return;
        }
        deliveryBatcher.sendToAllExcept(null, filteredReceivers(), receiver -> wants(receiver, message), envelope);
    }

    private boolean wants(EnvelopeReceiver receiver, ProposalEventMessage message) {
        if (replaying.containsKey(receiver)) {
            return false;
        }
        String participant = directed.get(receiver);
        return participant == null || message.concerns(participant);
    }

    static OutgoingEnvelope outgoing(ProposalEventMessage message) {
        return new OutgoingEnvelope(message.seq(), message::encode);
    }

    /** How many envelopes were handed to receivers so far. Thread-safe. */
    long deliveredCount() {
        return deliveryBatcher.deliveredCount();
    }

    /** Writes what has been collected. */
    void flush() {
        deliveryBatcher.flush();
    }
}
