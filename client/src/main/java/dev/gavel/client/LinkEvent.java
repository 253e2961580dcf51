package dev.gavel.client;

/**
 * A change of a participant's connection: up, down, resynchronised, envelopes missed, or closed for good. Every case is
 * immutable.
 */
public sealed interface LinkEvent {
    /** It is up, for the first time or again. */
    record Up() implements LinkEvent {}

    /** It is down; the library is trying to get it up again. */
    record Down(String why) implements LinkEvent {}

    /**
     * The gateway no longer keeps what happened meanwhile. The library looks up what it waits for itself; whoever listens
     * to envelopes has missed some.
     */
    record Resync() implements LinkEvent {}

    /** A listener is so far behind that envelopes were not handed to it; so many by now. */
    record Missed(long envelopes) implements LinkEvent {}

    /** It is down and does not come back; the exception says why. */
    record Over(GavelException why) implements LinkEvent {}
}
