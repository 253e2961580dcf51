package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.wire.Link;

/**
 * What this process says by one connection. Thread-safe.
 *
 * @param session counts the connections of this process
 */
record Voice(Link link, String process, long session) {
    Sent say(String channel, Message message) {
        byte[] written = MessageFormat.write(process, session, message);
        return written.length > link.limit() ? Sent.TOO_LARGE : link.send(channel, written);
    }

    /** Gives the connection up, since something that came by it did not fit in. */
    void overrun() {
        link.overrun();
    }
}
