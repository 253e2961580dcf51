package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.Spelling;
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
 * Sends a topic's envelopes to its receivers. Everything sent during one pass of the topic's loop is collected, and
 * flushed when the pass ends: framed once, merged, and written with one write a receiver. A receiver whose share
 * differs (a sender is not sent its own; a newcomer is not sent what came before it) gets a buffer of its own.
 *
 * <p>Confined to the topic's loop. Receivers of other loops are handed their pass by one task a loop.
 */
public final class Delivery {
    /** A pass this large is flushed at once, so that a burst is merged but does not grow without bound. */
    private static final int PASS_BYTES = 256 * 1024;

    private static final Receiver[] NOBODY = {};

    private final EventExecutor loop;
    private final ByteBufAllocator allocator;
    private final Map<Group, Receiver[]> receivers = new LinkedHashMap<>();
    private final List<Outgoing> pass = new ArrayList<>();
    private final List<Receiver> differing = new ArrayList<>();
    private final Runnable flush = this::flush;
    private final LongAdder delivered = new LongAdder();
    private long passNumber;
    private int passBytes;
    private long passDelivered;
    private boolean flushing;
    private boolean writing;

    public Delivery(EventExecutor loop, ByteBufAllocator allocator) {
        this.loop = loop;
        this.allocator = allocator;
    }

    /** How many envelopes were handed to receivers so far, each counted once a receiver. Thread-safe. */
    public long delivered() {
        return delivered.sum();
    }

    /** Receivers that can share a buffer and are written by one task. */
    private record Group(EventExecutor loop, Form form) {
        static Group of(Receiver receiver) {
            return new Group(receiver.outlet().loop(), receiver.form());
        }
    }

    /** Adds a receiver of everything sent from now on. */
    public void add(Receiver receiver) {
        Receiver[] known = receivers.getOrDefault(Group.of(receiver), NOBODY);
        Receiver[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = receiver;
        receivers.put(Group.of(receiver), more);
        if (!pass.isEmpty()) {
            differs(receiver);
            receiver.skipped.set(0, pass.size());
        }
    }

    /** Removes a receiver, if it is one; what this pass held for it is dropped. Says whether it was. */
    public boolean remove(Receiver receiver) {
        Group group = Group.of(receiver);
        Receiver[] known = receivers.getOrDefault(group, NOBODY);
        Receiver[] rest =
                Arrays.stream(known).filter(other -> other != receiver).toArray(Receiver[]::new);
        if (rest.length == 0) {
            receivers.remove(group);
        } else {
            receivers.put(group, rest);
        }
        return rest.length < known.length;
    }

    /** Sends an envelope to every receiver but one. */
    public void toAllBut(@Nullable Receiver sender, Outgoing envelope) {
        int bytes = envelope.in(Spelling.CURRENT).length;
        if (sender != null) {
            differs(sender);
            sender.skipped.set(pass.size());
        }
        pass.add(envelope);
        account(bytes);
    }

    /** Sends an envelope to every receiver but those of a list for which the condition does not hold. */
    public void toAllBut(
            @Nullable Receiver sender, Iterable<Receiver> picky, Predicate<Receiver> wants, Outgoing envelope) {
        for (Receiver receiver : picky) {
            if (!wants.test(receiver)) {
                differs(receiver);
                receiver.skipped.set(pass.size());
            }
        }
        toAllBut(sender, envelope);
    }

    /** Sends an envelope to one receiver alone, in order with what everybody is sent. */
    public void toOne(Receiver receiver, Outgoing envelope) {
        int bytes = envelope.in(receiver.spelling()).length;
        differs(receiver);
        receiver.extras.add(new Receiver.Extra(pass.size(), envelope));
        account(bytes);
    }

    /** From here on the receiver is sent another spelling. */
    public void respell(Receiver receiver, Spelling spelling) {
        if (receiver.spelling() != spelling) {
            flush();
            boolean here = remove(receiver);
            receiver.spelling(spelling);
            if (here) {
                add(receiver);
            }
        }
    }

    private void account(int bytes) {
        passBytes += bytes;
        if (passBytes >= PASS_BYTES && !writing) {
            flush();
        } else if (!flushing) {
            flushing = true;
            loop.execute(flush);
        }
    }

    private void differs(Receiver receiver) {
        if (receiver.differsIn != passNumber) {
            receiver.differsIn = passNumber;
            differing.add(receiver);
        }
    }

    /** Ends the pass: writes what it collected. Called by itself when the loop's pass ends. */
    public void flush() {
        flushing = false;
        if (pass.isEmpty() && differing.isEmpty()) {
            return;
        }
        // Writing can close a receiver, whose leaving is sent in turn: by then the next pass must have begun.
        List<Batch> batches = batches();
        writing = true;
        try {
            batches.forEach(Batch::hand);
        } finally {
            writing = false;
        }
    }

    private List<Batch> batches() {
        Merged merged = new Merged(pass, allocator);
        try {
            List<Batch> batches = new ArrayList<>(receivers.size());
            passDelivered = 0;
            receivers.forEach((group, members) -> batches.add(new Batch(
                    group.loop(),
                    members,
                    own(members, merged),
                    merged.whole(group.form()).retain())));
            delivered.add(passDelivered);
            return batches;
        } finally {
            merged.release();
            differing.forEach(Receiver::endPass);
            differing.clear();
            pass.clear();
            passBytes = 0;
            passNumber++;
        }
    }

    /** What some of the receivers are sent instead of what all are; nothing is kept for the others, who are many. */
    private List<Batch.Own> own(Receiver[] members, Merged merged) {
        List<Batch.Own> own = new ArrayList<>(0);
        passDelivered += (long) members.length * pass.size();
        for (int i = 0; i < members.length; i++) {
            if (members[i].differsIn == passNumber) {
                own.add(new Batch.Own(i, merged.shareOf(members[i])));
                passDelivered += members[i].extras.size() - members[i].skipped.cardinality();
            }
        }
        return own;
    }
}
