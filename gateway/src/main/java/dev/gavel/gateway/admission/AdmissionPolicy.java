package dev.gavel.gateway.admission;

import dev.gavel.gateway.member.Member;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.InputExcerptFormatter;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SystemMessage;

/**
 * Decides whether a member may send an envelope, by checking the envelope's structure, sender, kind and payload against
 * the member's capabilities. A pure function of the bytes and the member. Thread-safe.
 */
public final class AdmissionPolicy {
    private final EnvelopeReader reader;

    public AdmissionPolicy(EnvelopeLimits limits) {
        this.reader = new EnvelopeReader(limits);
    }

    /** Checks the bytes that a member sent. */
    public AdmissionResult check(byte[] bytes, Member sender) {
        return switch (reader.read(bytes, 0, bytes.length)) {
            case EnvelopeRefusal refusal -> new AdmissionResult.Refused(refusal, 0);
            case Envelope envelope -> check(envelope, sender);
        };
    }

    private static AdmissionResult check(Envelope envelope, Member sender) {
        String from = envelope.from();
        if (from != null && !from.equals(sender.id())) {
            return refuse(
                    envelope,
                    EnvelopeErrorCode.IDENTITY_MISMATCH,
                    "You are '" + sender.id() + "'. Set 'from' to that id, or leave it out.");
        }
        if (envelope.id().startsWith(SystemMessage.RESERVED_ID_PREFIX)) {
            return refuse(
                    envelope,
                    EnvelopeErrorCode.RESERVED_NAMESPACE,
                    "Ids that begin with '" + SystemMessage.RESERVED_ID_PREFIX
                            + "' are reserved for the gateway. Choose another id.");
        }
        if (envelope.kind().isReserved()) {
            return refuse(
                    envelope,
                    EnvelopeErrorCode.RESERVED_NAMESPACE,
                    "Only the gateway can send system envelopes. Use another kind.");
        }
        EnvelopeRefusal mismatch = envelope.findKindPayloadMismatch();
        if (mismatch != null) {
            return new AdmissionResult.Refused(mismatch, 0);
        }
        if (!sender.capabilitySet().admits(envelope)) {
            return refuse(envelope, EnvelopeErrorCode.CAPABILITY_VIOLATION, refusalMessage(envelope, sender));
        }
        return new AdmissionResult.Admitted(envelope);
    }

    /** Returns the refusal message. If the sender may propose the call that it may not make, the message says how. */
    private static String refusalMessage(Envelope envelope, Member sender) {
        String prefix = "None of your capabilities allows this envelope.";
        Kind kind = envelope.kindWithContext();
        boolean proposable = kind.protocol().equals("mcp")
                && kind.operation().equals("request")
                && sender.capabilitySet().admitsKind(kind.withOperation("proposal"));
        if (proposable) {
            return prefix + " You can propose it instead: send it as " + kind.withOperation("proposal") + ".";
        }
        return prefix + " Ask an admin for " + missingCapabilityText(kind, sender);
    }

    /**
     * Returns the end of the refusal's sentence, which names the missing capability if possible. It is not named if a
     * capability admits the kind but not the payload. It is not named if the kind is too long for a message or has
     * characters that must be escaped. It is not named if the kind contains '*', because as a pattern it would admit
     * more than this kind.
     */
    private static String missingCapabilityText(Kind kind, Member sender) {
        String name = "'" + kind + "'";
        boolean nameable = !sender.capabilitySet().admitsKind(kind)
                && name.indexOf('*') < 0
                && InputExcerptFormatter.quote(kind.toString()).equals(name);
        return nameable ? "the capability " + name + "." : "a capability that allows it.";
    }

    private static AdmissionResult refuse(Envelope envelope, EnvelopeErrorCode code, String message) {
        return new AdmissionResult.Refused(envelope.refuse(code, message), 0);
    }
}
