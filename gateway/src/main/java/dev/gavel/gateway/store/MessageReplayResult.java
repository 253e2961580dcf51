package dev.gavel.gateway.store;

import java.util.List;

/**
 * The result of reading a topic's proposal messages after a seq: the next messages, or that some were pruned and the
 * reader must resync.
 */
public sealed interface MessageReplayResult {
    /**
     * The next of it.
     *
     * @param messages in order; perhaps none, though something happened
     * @param upTo the seq they reach; where nothing came after, the one asked for
     */
    record Messages(List<ProposalEventMessage> messages, long upTo) implements MessageReplayResult {
        public Messages {
            messages = List.copyOf(messages);
        }
    }

    /**
     * Some of it is kept no more, or it never was: whoever asks must read the present state afresh.
     *
     * @param oldest the first seq kept
     * @param last the last there is
     */
    record Resync(long oldest, long last) implements MessageReplayResult {}
}
