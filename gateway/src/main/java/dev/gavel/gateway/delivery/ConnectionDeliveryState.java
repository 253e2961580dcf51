package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.EnvelopeSyntax;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What the gateway needs to deliver envelopes to one connection: its channel, syntax version, and the envelopes to skip
 * or to send only there. Confined to the topic's loop, except for the channel.
 */
public final class ConnectionDeliveryState {
    private final TransportChannel channel;
    private EnvelopeSyntax syntax;

    /** Indexes of the shared envelopes of this pass that this receiver is not sent. */
    final BitSet skippedIndexes = new BitSet();

    /** The envelopes that only this receiver is sent in this pass. */
    final List<ExclusiveEnvelope> exclusiveEnvelopes = new ArrayList<>(0);

    /** The pass in which this receiver last differed from the others. */
    long differsInPass = -1;

    /** An envelope for one receiver, to be sent before the shared envelope of that index. */
    record ExclusiveEnvelope(int beforeIndex, OutgoingEnvelope envelope) {}

    public ConnectionDeliveryState(TransportChannel transportChannel, EnvelopeSyntax syntaxVersion) {
        this.channel = transportChannel;
        this.syntax = syntaxVersion;
    }

    public TransportChannel channel() {
        return channel;
    }

    public EnvelopeSyntax syntax() {
        return syntax;
    }

    FrameFormat frameFormat() {
        return new FrameFormat(channel.framing(), syntax);
    }

    /** Call only while the receiver is not registered with a {@link DeliveryBatcher}. */
    void syntax(EnvelopeSyntax syntaxVersion) {
        this.syntax = syntaxVersion;
    }

    void endPass() {
        skippedIndexes.clear();
        exclusiveEnvelopes.clear();
    }
}
