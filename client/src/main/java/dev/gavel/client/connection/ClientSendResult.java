package dev.gavel.client.connection;

import dev.gavel.client.http.RemoteProblem;

/** The result of sending an envelope: stored, written, refused, connection lost or connection closed. */
public sealed interface ClientSendResult {
    /** It is kept, and the gateway said so. */
    record Stored() implements ClientSendResult {}

    /** It was given to the socket, and nobody will say whether it arrived. */
    record Written() implements ClientSendResult {}

    /** The gateway did not take it. */
    record Refused(RemoteProblem problem) implements ClientSendResult {}

    /** The socket broke while it was being sent, and it is not one that may be sent twice. */
    record ConnectionLost() implements ClientSendResult {}

    /** The connection is over; whether it arrived is not known. */
    record ConnectionClosed(PermanentCloseReason why) implements ClientSendResult {}
}
