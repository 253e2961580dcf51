package dev.gavel.client.connection;

import dev.gavel.client.http.RemoteProblem;

/** The result of sending an envelope: stored, written, refused, connection lost or connection closed. */
public sealed interface ClientSendResult {
    /** The gateway has stored the envelope and confirmed it. */
    record Stored() implements ClientSendResult {}

    /** The envelope was written to the socket; its arrival is not confirmed. */
    record Written() implements ClientSendResult {}

    /** The gateway did not accept the envelope. */
    record Refused(RemoteProblem problem) implements ClientSendResult {}

    /** The socket broke during the write, and the envelope must not be sent twice. */
    record ConnectionLost() implements ClientSendResult {}

    /** The connection is closed for good; whether the envelope arrived is unknown. */
    record ConnectionClosed(PermanentCloseReason closeReason) implements ClientSendResult {}
}
