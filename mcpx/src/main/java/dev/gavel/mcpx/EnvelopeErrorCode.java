package dev.gavel.mcpx;

import java.util.Locale;

/** The error codes that a {@code system.error} message gives as the reason why the gateway refused an envelope. */
public enum EnvelopeErrorCode {
    MALFORMED("The text is not a valid envelope: not JSON, a missing or wrong field, or a limit exceeded."),
    UNSUPPORTED_PROTOCOL("The envelope's protocol is not mcpx/v0.1."),
    IDENTITY_MISMATCH("The envelope's 'from' is not its sender."),
    DUPLICATE_ID("The id was already used for another envelope."),
    RESERVED_NAMESPACE("Only the gateway can send system envelopes."),
    KIND_PAYLOAD_MISMATCH("The kind and the payload do not match."),
    ACCESS_ENDED("The sender's token was revoked or expired, or the sender was removed from the topic."),
    CAPABILITY_VIOLATION("None of the sender's capabilities allows the envelope."),
    UNKNOWN_PROPOSAL("The topic has no proposal with that id."),
    PROPOSAL_CLOSED("The proposal is already closed."),
    ALREADY_FULFILLED("Another reviewer already approved the proposal."),
    NOT_PROPOSER("Only the proposer can withdraw a proposal."),
    OWN_PROPOSAL("Proposers cannot approve their own proposals in this topic."),
    FULFILMENT_MISMATCH("The request is not the proposed call."),
    INVALID_ARGUMENTS("The edited arguments do not match the tool's schema."),
    DEFINITION_CHANGED("The tool's definition is not the one that the approval is for."),
    APPROVAL_REQUIRED("The call needs a reviewer's approval. Propose it instead."),
    UNKNOWN_TOOL("No connected participant offers the proposed tool. The proposal is stored anyway."),
    NOT_ADDRESSEE("The request was not addressed to the sender of the response."),
    UNKNOWN_RECIPIENT("A name in 'to' is not a member of the topic, or no connected participant matches it."),
    ASK_LIMIT("The sender has asked for too many approvals: too many open proposals, or too many within an hour."),
    QUOTA_EXCEEDED("The sender has used its quota for data in the ledger."),
    RATE_LIMITED("Too many envelopes in too short a time."),
    TOO_LARGE("The envelope exceeds the size limit."),
    UNAVAILABLE("The gateway cannot process the envelope now. Try again later.");

    private final String wireName;
    private final String description;

    EnvelopeErrorCode(String sentence) {
        this.wireName = name().toLowerCase(Locale.ROOT);
        this.description = sentence;
    }

    /** The name on the wire, such as {@code capability_violation}. */
    public String wireName() {
        return wireName;
    }

    /** The general meaning of the code for people; the message of a sent error describes the specific case. */
    public String description() {
        return description;
    }
}
