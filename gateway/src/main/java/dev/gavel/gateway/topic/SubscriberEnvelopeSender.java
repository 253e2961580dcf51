package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.DeliveryBatcher;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.routing.ResolvedRecipients;
import dev.gavel.gateway.store.OutgoingProposalMessage;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends a topic's envelopes to all its subscribed receivers; while a receiver catches up on earlier events, buffers the
 * new envelopes for it. Confined to the topic's loop.
 */
final class SubscriberEnvelopeSender {
    private static final int MAX_HELD_BYTES = 1024 * 1024;

    private final DeliveryBatcher deliveryBatcher;

    /** The receivers that only get envelopes for their member, with the member's id. */
    private final Map<ConnectionDeliveryState, String> directedReceivers = new LinkedHashMap<>();

    /** The receivers that are being sent earlier proposal events, with the buffer of what they are sent afterwards. */
    private final Map<ConnectionDeliveryState, ReplayBuffer> replayBuffers = new LinkedHashMap<>();

    /** The last seq that has been sent to the receivers that are not behind; 0 if there was none. */
    private long publishedSeq;

    SubscriberEnvelopeSender(DeliveryBatcher deliveryBatcher) {
        this.deliveryBatcher = deliveryBatcher;
    }

    void add(TopicConnection connection) {
        deliveryBatcher.add(connection.receiver());
        if (connection.mode() == SubscriptionScope.DIRECTED) {
            directedReceivers.put(connection.receiver(), connection.member().id());
        }
    }

    void remove(TopicConnection connection) {
        deliveryBatcher.remove(connection.receiver());
        directedReceivers.remove(connection.receiver());
        replayBuffers.remove(connection.receiver());
    }

    /**
     * Starts a replay: holds the topic's envelopes for a receiver that is behind, except those about proposals, which
     * it is sent from the ledger by {@link #sendReplayed}.
     *
     * @param startSeq the last seq that the other receivers have been sent
     */
    void beginReplay(ConnectionDeliveryState receiver, long startSeq) {
        replayBuffers.put(receiver, new ReplayBuffer(startSeq));
    }

    /** Sends a replayed event to a receiver that is behind, after the held envelopes that preceded the event. */
    void sendReplayed(ConnectionDeliveryState receiver, OutgoingProposalMessage message) {
        ReplayBuffer replayBuffer = replayBuffers.get(receiver);
        if (replayBuffer != null) {
            replayBuffer.releaseBefore(receiver, message.seq());
        }
        deliveryBatcher.sendTo(receiver, toOutgoing(message));
    }

    /** Ends a replay: the receiver is sent everything live from now on. */
    void endReplay(ConnectionDeliveryState receiver) {
        ReplayBuffer replayBuffer = replayBuffers.remove(receiver);
        if (replayBuffer != null) {
            replayBuffer.releaseBefore(receiver, Long.MAX_VALUE);
        }
    }

    /** An envelope that the other receivers were sent after the events up to a seq. */
    private record BufferedEnvelope(long afterSeq, OutgoingEnvelope envelope) {}

    /**
     * Envelopes that wait until a receiver has caught up. Once more than {@code MAX_HELD_BYTES} bytes were added in
     * total, they and all later ones are sent at once.
     */
    private final class ReplayBuffer {
        final Queue<BufferedEnvelope> envelopes = new ArrayDeque<>(0);
        final long startSeq;
        int bytes;

        ReplayBuffer(long startSeq) {
            this.startSeq = startSeq;
        }

        void add(ConnectionDeliveryState receiver, OutgoingEnvelope envelope) {
            bytes += envelope.encode(receiver.syntax()).length;
            envelopes.add(new BufferedEnvelope(Math.max(startSeq, publishedSeq), envelope));
            if (bytes > MAX_HELD_BYTES) {
                releaseBefore(receiver, Long.MAX_VALUE);
            }
        }

        /** Sends the held envelopes that the other receivers were sent before an event. */
        void releaseBefore(ConnectionDeliveryState receiver, long seq) {
            while (!envelopes.isEmpty() && envelopes.element().afterSeq() < seq) {
                deliveryBatcher.sendTo(receiver, envelopes.remove().envelope());
            }
        }
    }

    /** Changes the syntax of the envelopes that the receiver is sent from now on. */
    void changeSyntax(ConnectionDeliveryState receiver, EnvelopeSyntax syntaxVersion) {
        deliveryBatcher.changeSyntax(receiver, syntaxVersion);
    }

    void sendTo(ConnectionDeliveryState receiver, OutgoingEnvelope envelope) {
        deliveryBatcher.sendTo(receiver, envelope);
    }

    /** Sends an envelope to one receiver, after the replayed events that precede it. */
    void sendInOrder(ConnectionDeliveryState receiver, OutgoingEnvelope envelope) {
        ReplayBuffer replayBuffer = replayBuffers.get(receiver);
        if (replayBuffer == null) {
            deliveryBatcher.sendTo(receiver, envelope);
        } else {
            replayBuffer.add(receiver, envelope);
        }
    }

    /** Sends an envelope to all receivers except one. */
    void broadcast(@Nullable ConnectionDeliveryState excluded, OutgoingEnvelope envelope) {
        send(excluded, receiver -> true, envelope);
    }

    /** Sends an envelope to its recipients, but not to its sender. */
    void route(@Nullable ConnectionDeliveryState sender, ResolvedRecipients recipients, OutgoingEnvelope envelope) {
        send(sender, receiver -> isRecipient(receiver, recipients), envelope);
    }

    private boolean isRecipient(ConnectionDeliveryState receiver, ResolvedRecipients recipients) {
        String participant = directedReceivers.get(receiver);
        return participant == null
                || recipients.broadcast()
                || recipients.memberIds().contains(participant);
    }

    private void send(
            @Nullable ConnectionDeliveryState sender,
            Predicate<ConnectionDeliveryState> isFor,
            OutgoingEnvelope envelope) {
        replayBuffers.forEach((receiver, replayBuffer) -> {
            if (!receiver.equals(sender) && isFor.test(receiver)) {
                replayBuffer.add(receiver, envelope);
            }
        });
        if (directedReceivers.isEmpty() && replayBuffers.isEmpty()) {
            deliveryBatcher.sendToAllExcept(sender, envelope);
        } else {
            deliveryBatcher.sendToAllExcept(
                    sender,
                    filteredReceivers(),
                    receiver -> !replayBuffers.containsKey(receiver) && isFor.test(receiver),
                    envelope);
        }
    }

    /** The receivers that do not get everything live. */
    private Iterable<ConnectionDeliveryState> filteredReceivers() {
        if (replayBuffers.isEmpty()) {
            return directedReceivers.keySet();
        }
        Set<ConnectionDeliveryState> filtered = new LinkedHashSet<>(directedReceivers.keySet());
        filtered.addAll(replayBuffers.keySet());
        return filtered;
    }

    /**
     * Sends a message about proposals to the receivers that it concerns. The sender of the envelope is one of them, and
     * gets it as an echo.
     */
    void publish(OutgoingProposalMessage message) {
        OutgoingEnvelope envelope = toOutgoing(message);
        publishedSeq = Math.max(publishedSeq, message.seq());
        if (directedReceivers.isEmpty() && replayBuffers.isEmpty()) {
            deliveryBatcher.sendToAllExcept(null, envelope);
            return;
        }
        deliveryBatcher.sendToAllExcept(
                null, filteredReceivers(), receiver -> shouldReceive(receiver, message), envelope);
    }

    private boolean shouldReceive(ConnectionDeliveryState receiver, OutgoingProposalMessage message) {
        if (replayBuffers.containsKey(receiver)) {
            return false;
        }
        String participant = directedReceivers.get(receiver);
        return participant == null || message.concerns(participant);
    }

    static OutgoingEnvelope toOutgoing(OutgoingProposalMessage message) {
        return new OutgoingEnvelope(message.seq(), message::encode);
    }

    /** The number of envelopes passed to receivers so far. Thread-safe. */
    long deliveredCount() {
        return deliveryBatcher.deliveredCount();
    }

    /** Writes the collected envelopes. */
    void flush() {
        deliveryBatcher.flushTask();
    }
}
