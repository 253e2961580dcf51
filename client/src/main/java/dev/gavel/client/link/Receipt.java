package dev.gavel.client.link;

import dev.gavel.client.http.Problem;

/** What became of an envelope that was to be sent. */
public sealed interface Receipt {
    /** It is kept, and the gateway said so. */
    record Kept() implements Receipt {}

    /** It was given to the socket, and nobody will say whether it arrived. */
    record HandedOver() implements Receipt {}

    /** The gateway did not take it. */
    record Refused(Problem problem) implements Receipt {}

    /** The socket broke while it was being sent, and it is not one that may be sent twice. */
    record Broken() implements Receipt {}

    /** The connection is over; whether it arrived is not known. */
    record Over(Ending why) implements Receipt {}
}
