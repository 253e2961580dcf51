package dev.gavel.gateway.bus.cluster;

import java.util.Optional;

/**
 * Defines the names of the bus channels between gateway processes, and converts between topic names and channel names.
 */
final class BusChannelNames {
    /** Heartbeats and presence changes. */
    static final String PRESENCE = "here";

    /** Ledger write announcements. */
    static final String LEDGER_WRITES = "wrote";

    /** Envelopes for every process, whichever topics it subscribes to. */
    static final String ALL_GATEWAYS = "gateways.*";

    private static final String TOPIC = "topic.";
    private static final String GATEWAYS = "gateways.";
    private static final String TO_PROCESS = "to.";

    private BusChannelNames() {}

    static String topic(String name) {
        return TOPIC + encodeTopic(name);
    }

    static String gateways(String topic) {
        return GATEWAYS + encodeTopic(topic);
    }

    /** The channel for messages to one process alone. */
    static String toProcess(String process) {
        return TO_PROCESS + process;
    }

    /** Returns the topic that an envelope channel belongs to. */
    static Optional<String> topicOf(String channel) {
        if (channel.startsWith(TOPIC)) {
            return Optional.of(decodeTopic(channel.substring(TOPIC.length())));
        }
        return channel.startsWith(GATEWAYS)
                ? Optional.of(decodeTopic(channel.substring(GATEWAYS.length())))
                : Optional.empty();
    }

    /**
     * Dots separate the words of a channel name. A topic name is encoded as one word; it contains no {@code =} itself.
     */
    private static String encodeTopic(String topic) {
        return topic.replace('.', '=');
    }

    private static String decodeTopic(String encoded) {
        return encoded.replace('=', '.');
    }
}
