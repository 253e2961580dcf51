package dev.gavel.client.connection;

import java.util.function.Consumer;

/**
 * An envelope in the client's send queue with its size, durability and result callback.
 *
 * @param bytes the size of the frame
 * @param recipients the number of names in {@code to}
 * @param durable whether the gateway echoes the envelope once it is stored; it is resent until then. Otherwise it is
 *     sent at most once
 * @param callback receives the result once, and a second time if a written envelope turns out to be too large. It must
 *     return at once
 */
record SendQueueEntry(
        String id, String text, int bytes, int recipients, boolean durable, Consumer<ClientSendResult> callback) {
    int characters() {
        return text.length();
    }
}
