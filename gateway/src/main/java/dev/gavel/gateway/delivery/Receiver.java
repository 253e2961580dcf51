package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.Spelling;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One connection's receiving end in a topic: its outlet, the spelling it is sent, and how its share of the current pass
 * differs from everybody's. Confined to the topic's loop, but for the outlet.
 */
public final class Receiver {
    private final Outlet outlet;
    private Spelling spelling;

    /** The shared envelopes of this pass, by index, that this receiver is not sent. */
    final BitSet skipped = new BitSet();

    /** What this receiver alone is sent in this pass. */
    final List<Extra> extras = new ArrayList<>(0);

    /** The pass in which this receiver last differed from the others. */
    long differsIn = -1;

    /** An envelope for one receiver, standing before the shared one of that index. */
    record Extra(int before, Outgoing envelope) {}

    public Receiver(Outlet outlet, Spelling spelling) {
        this.outlet = outlet;
        this.spelling = spelling;
    }

    public Outlet outlet() {
        return outlet;
    }

    public Spelling spelling() {
        return spelling;
    }

    Form form() {
        return new Form(outlet.framing(), spelling);
    }

    /** Only while the receiver is in no {@link Delivery}. */
    void spelling(Spelling spelling) {
        this.spelling = spelling;
    }

    void endPass() {
        skipped.clear();
        extras.clear();
    }
}
