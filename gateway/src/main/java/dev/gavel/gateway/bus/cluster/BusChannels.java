package dev.gavel.gateway.bus.cluster;

import java.util.Optional;

/** The names of the bus channels, and the conversion between topic names and channel names. */
final class BusChannels {
    /** Heartbeats, comings and goings. */
    static final String PRESENCE = "here";

    /** That the ledger has grown. */
    static final String LEDGER_WRITES = "wrote";

    /** What every process hears, whichever topics it follows. */
    static final String ALL_GATEWAYS = "gateways.*";

    private static final String TOPIC = "topic.";
    private static final String GATEWAYS = "gateways.";
    private static final String TO = "to.";

    private BusChannels() {}

    static String topic(String name) {
        return TOPIC + word(name);
    }

    static String gateways(String topic) {
        return GATEWAYS + word(topic);
    }

    /** What is for one process alone. */
    static String toProcess(String process) {
        return TO + process;
    }

    /** The topic that a channel for envelopes belongs to. */
    static Optional<String> topicOf(String channel) {
        if (channel.startsWith(TOPIC)) {
            return Optional.of(name(channel.substring(TOPIC.length())));
        }
        return channel.startsWith(GATEWAYS)
                ? Optional.of(name(channel.substring(GATEWAYS.length())))
                : Optional.empty();
    }

    /** Dots divide the words of a channel; a topic's name is one word, and has no {@code =} of its own. */
    private static String word(String topic) {
        return topic.replace('.', '=');
    }

    private static String name(String word) {
        return word.replace('=', '.');
    }
}
