package dev.gavel.client;

/**
 * Tells a participant that its connection opened, was lost or closed for good, or that it missed events or envelopes.
 * Every case is immutable.
 */
public sealed interface LinkEvent {
    /** The participant is connected, for the first time or again. */
    record Up() implements LinkEvent {}

    /** The connection is lost; the client is reconnecting. */
    record Down(String reason) implements LinkEvent {}

    /**
     * The gateway no longer has all events of the time without a connection. The client looks up its pending proposals
     * itself; listeners for envelopes have missed some.
     */
    record Resync() implements LinkEvent {}

    /**
     * A listener was too slow, so envelopes were not delivered to it.
     *
     * @param envelopes the number of missed envelopes up to now
     */
    record Missed(long envelopes) implements LinkEvent {}

    /** The connection is closed for good; the exception says why. */
    record Over(GavelException why) implements LinkEvent {}
}
