package dev.gavel.gateway;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Excerpt;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.SystemMessage;

/**
 * Decides whether an envelope may pass: its structure, who it says it is from, whether kind and payload agree, and
 * whether its sender may send it. A pure function of the bytes and the member. Thread-safe.
 */
public final class Admission {
    private final EnvelopeReader reader;

    public Admission(Limits limits) {
        this.reader = new EnvelopeReader(limits);
    }

    /** Judges what a member sent. */
    public Verdict judge(byte[] bytes, Member sender) {
        return switch (reader.read(bytes, 0, bytes.length)) {
            case Refusal refusal -> new Verdict.Refuse(refusal, 0);
            case Envelope envelope -> judge(envelope, sender);
        };
    }

    private static Verdict judge(Envelope envelope, Member sender) {
        String from = envelope.from();
        if (from != null && !from.equals(sender.id())) {
            return refuse(
                    envelope,
                    ErrorCode.IDENTITY_MISMATCH,
                    "You are '" + sender.id() + "': leave 'from' out, or say so.");
        }
        if (envelope.id().startsWith(SystemMessage.RESERVED_ID)) {
            return refuse(
                    envelope,
                    ErrorCode.RESERVED_NAMESPACE,
                    "Ids that begin with '" + SystemMessage.RESERVED_ID + "' are the gateway's; choose another.");
        }
        if (envelope.kind().reserved()) {
            return refuse(
                    envelope,
                    ErrorCode.RESERVED_NAMESPACE,
                    "Only the gateway sends system envelopes; use another kind.");
        }
        Refusal disagreement = envelope.disagreement();
        if (disagreement != null) {
            return new Verdict.Refuse(disagreement, 0);
        }
        if (!sender.capabilities().admits(envelope)) {
            return refuse(envelope, ErrorCode.CAPABILITY_VIOLATION, notAdmitted(envelope, sender));
        }
        return new Verdict.Admit(envelope);
    }

    /** Where the sender may propose what it may not do, that is what to do about it. */
    private static String notAdmitted(Envelope envelope, Member sender) {
        String allowed = "None of your capabilities admits this envelope.";
        Kind kind = envelope.effectiveKind();
        boolean proposable = kind.protocol().equals("mcp")
                && kind.operation().equals("request")
                && sender.capabilities().admitsKind(kind.withOperation("proposal"));
        if (proposable) {
            return allowed + " You may propose it: send it as " + kind.withOperation("proposal") + ".";
        }
        return allowed + " Ask whoever runs this gateway for " + missing(kind, sender);
    }

    /**
     * The capability that is missing, where that is the kind: not where the payload is what is not admitted, and not where
     * the kind is too long for a message, unfit for one, or would admit more than itself if read as a pattern.
     */
    private static String missing(Kind kind, Member sender) {
        String name = "'" + kind + "'";
        boolean known = !sender.capabilities().admitsKind(kind)
                && name.indexOf('*') < 0
                && Excerpt.of(kind.toString()).equals(name);
        return known ? "the capability " + name + "." : "one that does.";
    }

    private static Verdict refuse(Envelope envelope, ErrorCode code, String message) {
        return new Verdict.Refuse(envelope.refuse(code, message), 0);
    }
}
