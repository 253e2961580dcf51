package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.EnvelopeSyntax;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Merges the envelopes that a topic sends during one run of its event loop (a pass), so that each receiver gets them in
 * one write. When the pass ends, its envelopes are framed once, merged and flushed. A receiver whose share differs gets
 * a separate buffer: a sender is not sent its own envelopes, and a new receiver is not sent what was sent before it was
 * added.
 *
 * <p>Confined to the topic's loop. Receivers of other loops get their pass by one task per loop.
 */
public final class DeliveryBatcher {
    /** A pass that reaches this size is flushed at once, so that a burst is merged but does not grow without bound. */
    private static final int MAX_PASS_BYTES = 256 * 1024;

    private static final ConnectionDeliveryState[] NO_RECEIVERS = {};

    private final EventExecutor loop;
    private final ByteBufAllocator allocator;
    private final Map<Group, ConnectionDeliveryState[]> receiversByGroup = new LinkedHashMap<>();
    private final List<OutgoingEnvelope> passEnvelopes = new ArrayList<>();
    private final List<ConnectionDeliveryState> differingReceivers = new ArrayList<>();
    private final Runnable flushTask = this::flushTask;
    private final LongAdder delivered = new LongAdder();
    private long passNumber;
    private int passBytes;
    private long passDelivered;
    private boolean flushScheduled;
    private boolean writing;

    public DeliveryBatcher(EventExecutor loop, ByteBufAllocator allocator) {
        this.loop = loop;
        this.allocator = allocator;
    }

    /** The number of envelopes handed to receivers so far, each counted once per receiver. Thread-safe. */
    public long deliveredCount() {
        return delivered.sum();
    }

    /** Receivers that can share a buffer and are written by one task. */
    private record Group(EventExecutor loop, FrameFormat format) {
        static Group of(ConnectionDeliveryState receiver) {
            return new Group(receiver.channel().loop(), receiver.frameFormat());
        }
    }

    /** Adds a receiver of everything sent from now on. */
    public void add(ConnectionDeliveryState receiver) {
        ConnectionDeliveryState[] existing = receiversByGroup.getOrDefault(Group.of(receiver), NO_RECEIVERS);
        ConnectionDeliveryState[] extended = Arrays.copyOf(existing, existing.length + 1);
        extended[existing.length] = receiver;
        receiversByGroup.put(Group.of(receiver), extended);
        if (!passEnvelopes.isEmpty()) {
            markDiffering(receiver);
            receiver.skippedIndexes.set(0, passEnvelopes.size());
        }
    }

    /** Removes a receiver and drops what this pass holds for it. Returns whether the receiver was registered. */
    public boolean remove(ConnectionDeliveryState receiver) {
        Group group = Group.of(receiver);
        ConnectionDeliveryState[] existing = receiversByGroup.getOrDefault(group, NO_RECEIVERS);
        ConnectionDeliveryState[] rest =
                Arrays.stream(existing).filter(other -> other != receiver).toArray(ConnectionDeliveryState[]::new);
        if (rest.length == 0) {
            receiversByGroup.remove(group);
        } else {
            receiversByGroup.put(group, rest);
        }
        return rest.length < existing.length;
    }

    /** Sends an envelope to every receiver but one. */
    public void sendToAllExcept(@Nullable ConnectionDeliveryState sender, OutgoingEnvelope envelope) {
        int bytes = envelope.encode(EnvelopeSyntax.CURRENT).length;
        if (sender != null) {
            markDiffering(sender);
            sender.skippedIndexes.set(passEnvelopes.size());
        }
        passEnvelopes.add(envelope);
        addBytes(bytes);
    }

    /** Sends an envelope to every receiver except the sender and those of the list that do not match the condition. */
    public void sendToAllExcept(
            @Nullable ConnectionDeliveryState sender,
            Iterable<ConnectionDeliveryState> filtered,
            Predicate<ConnectionDeliveryState> condition,
            OutgoingEnvelope envelope) {
        for (ConnectionDeliveryState receiver : filtered) {
            if (!condition.test(receiver)) {
                markDiffering(receiver);
                receiver.skippedIndexes.set(passEnvelopes.size());
            }
        }
        sendToAllExcept(sender, envelope);
    }

    /** Sends an envelope to one receiver alone, in order with the envelopes for all receivers. */
    public void sendTo(ConnectionDeliveryState receiver, OutgoingEnvelope envelope) {
        int bytes = envelope.encode(receiver.syntax()).length;
        markDiffering(receiver);
        receiver.exclusiveEnvelopes.add(new ConnectionDeliveryState.ExclusiveEnvelope(passEnvelopes.size(), envelope));
        addBytes(bytes);
    }

    /** Changes the syntax of the envelopes that the receiver is sent from now on. */
    public void changeSyntax(ConnectionDeliveryState receiver, EnvelopeSyntax syntaxVersion) {
        if (receiver.syntax() != syntaxVersion) {
            flushTask();
            boolean registered = remove(receiver);
            receiver.syntax(syntaxVersion);
            if (registered) {
                add(receiver);
            }
        }
    }

    private void addBytes(int bytes) {
        passBytes += bytes;
        if (passBytes >= MAX_PASS_BYTES && !writing) {
            flushTask();
        } else if (!flushScheduled) {
            flushScheduled = true;
            loop.execute(flushTask);
        }
    }

    private void markDiffering(ConnectionDeliveryState receiver) {
        if (receiver.differsInPass != passNumber) {
            receiver.differsInPass = passNumber;
            differingReceivers.add(receiver);
        }
    }

    /** Ends the pass and writes what it collected. Runs automatically when the loop's pass ends. */
    public void flushTask() {
        flushScheduled = false;
        if (passEnvelopes.isEmpty() && differingReceivers.isEmpty()) {
            return;
        }
        // Writing can close a receiver, and the topic then sends that its member left: the next pass must have begun by
        // then.
        List<EventLoopDeliveryBatch> batches = endPass();
        writing = true;
        try {
            batches.forEach(EventLoopDeliveryBatch::writeOnLoop);
        } finally {
            writing = false;
        }
    }

    private List<EventLoopDeliveryBatch> endPass() {
        FrameMerger frameMerger = new FrameMerger(passEnvelopes, allocator);
        try {
            List<EventLoopDeliveryBatch> batches = new ArrayList<>(receiversByGroup.size());
            passDelivered = 0;
            receiversByGroup.forEach((group, groupReceivers) -> batches.add(new EventLoopDeliveryBatch(
                    group.loop(),
                    groupReceivers,
                    differingShares(groupReceivers, frameMerger),
                    frameMerger.allFrames(group.format()).retain())));
            delivered.add(passDelivered);
            return batches;
        } finally {
            frameMerger.release();
            differingReceivers.forEach(ConnectionDeliveryState::endPass);
            differingReceivers.clear();
            passEnvelopes.clear();
            passBytes = 0;
            passNumber++;
        }
    }

    /** Returns the shares of the receivers that differ. Nothing is stored for the others, which are the majority. */
    private List<EventLoopDeliveryBatch.ReceiverShare> differingShares(
            ConnectionDeliveryState[] groupReceivers, FrameMerger frameMerger) {
        List<EventLoopDeliveryBatch.ReceiverShare> shares = new ArrayList<>(0);
        passDelivered += (long) groupReceivers.length * passEnvelopes.size();
        for (int i = 0; i < groupReceivers.length; i++) {
            if (groupReceivers[i].differsInPass == passNumber) {
                shares.add(new EventLoopDeliveryBatch.ReceiverShare(i, frameMerger.framesFor(groupReceivers[i])));
                passDelivered +=
                        groupReceivers[i].exclusiveEnvelopes.size() - groupReceivers[i].skippedIndexes.cardinality();
            }
        }
        return shares;
    }
}
