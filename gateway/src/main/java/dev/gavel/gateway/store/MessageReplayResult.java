package dev.gavel.gateway.store;

import java.util.List;

/**
 * The result of reading a topic's proposal messages from a ledger position: the next messages, or that the reader must
 * reload the current state.
 */
public sealed interface MessageReplayResult {
    /**
     * The next messages.
     *
     * @param messages in order; may be empty although there were events
     * @param upTo the last seq that they cover; the requested seq if no event followed
     */
    record Messages(List<OutgoingProposalMessage> messages, long upTo) implements MessageReplayResult {
        public Messages {
            messages = List.copyOf(messages);
        }
    }

    /**
     * Some of the events are no longer retained, or never existed: the reader must read the current state again.
     *
     * @param oldest the first retained seq
     * @param last the last seq
     */
    record Resync(long oldest, long last) implements MessageReplayResult {}
}
