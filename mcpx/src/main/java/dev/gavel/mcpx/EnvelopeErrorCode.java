package dev.gavel.mcpx;

import java.util.Locale;

/** The error codes that a {@code system.error} message gives as the reason why the gateway refused an envelope. */
public enum EnvelopeErrorCode {
    MALFORMED("The text is not an envelope: not JSON, a field missing or of the wrong type, or beyond the limits."),
    UNSUPPORTED_PROTOCOL("The envelope is of a protocol other than mcpx/v0.1."),
    IDENTITY_MISMATCH("The envelope says it is from somebody other than its sender."),
    DUPLICATE_ID("The id was used before for something else."),
    RESERVED_NAMESPACE("Only the gateway sends system envelopes."),
    KIND_PAYLOAD_MISMATCH("The kind says one thing and the payload another."),
    CAPABILITY_VIOLATION("None of the sender's capabilities admits the envelope."),
    UNKNOWN_PROPOSAL("No proposal of this topic has that id."),
    PROPOSAL_CLOSED("The proposal has already ended."),
    ALREADY_FULFILLED("Somebody else fulfilled the proposal first."),
    NOT_PROPOSER("Only who made a proposal may withdraw it."),
    OWN_PROPOSAL("Nobody fulfils their own proposal here."),
    FULFILMENT_MISMATCH("The request is not the call that was proposed."),
    NOT_ADDRESSEE("The response is not from one the request was addressed to."),
    UNKNOWN_RECIPIENT("A name in 'to' is no member of the topic, or nobody here can do what it asks for."),
    RATE_LIMITED("Too many envelopes in too short a time."),
    TOO_LARGE("The envelope is longer than the limit."),
    UNAVAILABLE("The gateway cannot take this now; it may later.");

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
