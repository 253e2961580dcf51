package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.SyntaxVersion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A connection that receives a topic's envelopes: its channel, its syntax version, and how its current batch differs
 * from the other connections' batch. Confined to the topic's loop, except for the channel.
 */
public final class EnvelopeReceiver {
    private final TransportChannel channel;
    private SyntaxVersion syntax;

    /** Indexes of the shared envelopes of this pass that this receiver is not sent. */
    final BitSet skippedIndexes = new BitSet();

    /** The envelopes that only this receiver is sent in this pass. */
    final List<ExclusiveEnvelope> exclusiveEnvelopes = new ArrayList<>(0);

    /** The pass in which this receiver last differed from the others. */
    long differsInPass = -1;

    /** An envelope for one receiver, to be sent before the shared envelope of that index. */
    record ExclusiveEnvelope(int beforeIndex, OutgoingEnvelope envelope) {}

    public EnvelopeReceiver(TransportChannel transportChannel, SyntaxVersion syntaxVersion) {
        this.channel = transportChannel;
        this.syntax = syntaxVersion;
    }

    public TransportChannel channel() {
        return channel;
    }

    public SyntaxVersion syntax() {
        return syntax;
    }

    FrameFormat frameFormat() {
        return new FrameFormat(channel.framing(), syntax);
    }

    /** Call only while the receiver is not registered with a {@link DeliveryBatcher}. */
    void syntax(SyntaxVersion syntaxVersion) {
        this.syntax = syntaxVersion;
    }

    void endPass() {
        skippedIndexes.clear();
        exclusiveEnvelopes.clear();
    }
}
