package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.DeliveryBatcher;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.gateway.routing.ResolvedRecipients;
import dev.gavel.gateway.store.OutgoingProposalMessage;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
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
    private final ProposalVisibility visibility;

    /**
     * The receivers that only get envelopes for their member, with the member's id. If members can read only what
     * involves them, these are all receivers.
     */
    private final Map<ConnectionDeliveryState, String> directedReceivers = new LinkedHashMap<>();

    /** All receivers, by their member's id. */
    private final Map<String, Set<ConnectionDeliveryState>> receiversByMember = new HashMap<>();

    /** Those of these receivers that get every message about a proposal that their member can read. */
    private final Set<ConnectionDeliveryState> proposalReceivers = new HashSet<>();

    /** The receivers that are being sent earlier proposal events, with the buffer of what they are sent afterwards. */
    private final Map<ConnectionDeliveryState, ReplayBuffer> replayBuffers = new LinkedHashMap<>();

    /** The last seq that has been sent to the receivers that are not behind; 0 if there was none. */
    private long publishedSeq;

    SubscriberEnvelopeSender(DeliveryBatcher deliveryBatcher, ProposalVisibility visibility) {
        this.deliveryBatcher = deliveryBatcher;
        this.visibility = visibility;
    }

    void add(TopicConnection connection) {
        deliveryBatcher.add(connection.receiver());
        receiversByMember
                .computeIfAbsent(connection.member().id(), id -> new LinkedHashSet<>())
                .add(connection.receiver());
        boolean directed = connection.mode() == SubscriptionScope.DIRECTED;
        if (directed || visibility == ProposalVisibility.INVOLVED) {
            directedReceivers.put(connection.receiver(), connection.member().id());
        }
        if (!directed && visibility == ProposalVisibility.INVOLVED) {
            proposalReceivers.add(connection.receiver());
        }
    }

    void remove(TopicConnection connection) {
        deliveryBatcher.remove(connection.receiver());
        receiversByMember.computeIfPresent(connection.member().id(), (id, receivers) -> {
            receivers.remove(connection.receiver());
            return receivers.isEmpty() ? null : receivers;
        });
        directedReceivers.remove(connection.receiver());
        proposalReceivers.remove(connection.receiver());
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

    /**
     * Sends a replayed event to a receiver that is behind, after the held envelopes that preceded the event.
     *
     * @param member the receiver's member
     */
    void sendReplayed(ConnectionDeliveryState receiver, String member, OutgoingProposalMessage message) {
        ReplayBuffer replayBuffer = replayBuffers.get(receiver);
        if (replayBuffer != null) {
            replayBuffer.releaseBefore(receiver, message.seq());
        }
        deliveryBatcher.sendTo(
                receiver,
                new OutgoingEnvelope(message.seq(), syntaxVersion -> message.encodeFor(member, syntaxVersion)));
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
        OutgoingEnvelope envelope = new OutgoingEnvelope(message.seq(), message::encode);
        publishedSeq = Math.max(publishedSeq, message.seq());
        if (!message.formsByMember().isEmpty()) {
            publishForms(message, envelope);
            return;
        }
        if (directedReceivers.isEmpty() && replayBuffers.isEmpty()) {
            deliveryBatcher.sendToAllExcept(null, envelope);
            return;
        }
        deliveryBatcher.sendToAllExcept(
                null, filteredReceivers(), receiver -> shouldReceive(receiver, message), envelope);
    }

    /**
     * Sends a message with secret arguments: to some members in the form that has the values, and to all others with
     * markers. Each form is encoded once.
     */
    private void publishForms(OutgoingProposalMessage message, OutgoingEnvelope redacted) {
        IdentityHashMap<StoredEnvelope, OutgoingEnvelope> forms = new IdentityHashMap<>();
        Set<ConnectionDeliveryState> formReceivers = new HashSet<>();
        message.formsByMember().forEach((member, form) -> {
            OutgoingEnvelope envelope =
                    forms.computeIfAbsent(form, each -> new OutgoingEnvelope(message.seq(), each::encode));
            for (ConnectionDeliveryState receiver : receiversByMember.getOrDefault(member, Set.of())) {
                formReceivers.add(receiver);
                if (shouldReceive(receiver, message)) {
                    deliveryBatcher.sendTo(receiver, envelope);
                }
            }
        });
        Set<ConnectionDeliveryState> filtered = new LinkedHashSet<>(formReceivers);
        filteredReceivers().forEach(filtered::add);
        deliveryBatcher.sendToAllExcept(
                null,
                filtered,
                receiver -> !formReceivers.contains(receiver) && shouldReceive(receiver, message),
                redacted);
    }

    private boolean shouldReceive(ConnectionDeliveryState receiver, OutgoingProposalMessage message) {
        if (replayBuffers.containsKey(receiver)) {
            return false;
        }
        String participant = directedReceivers.get(receiver);
        return participant == null
                || (message.isVisibleTo(participant)
                        && (proposalReceivers.contains(receiver) || message.concerns(participant)));
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
