package dev.gavel.client.connection;

import java.util.function.Consumer;

/**
 * An envelope in the client's send queue with its size, durability and result callback.
 *
 * @param bytes how long a frame it makes
 * @param recipients how many names its {@code to} has
 * @param durable whether it will be echoed once it is kept; then it is sent until it is, else once at most
 * @param callback hears what became of it, once; and once more where what was handed over turns out to have been too large.
 *     Must return at once
 */
record SendQueueEntry(
        String id, String text, int bytes, int recipients, boolean durable, Consumer<ClientSendResult> callback) {
    int characters() {
        return text.length();
    }
}
