package dev.gavel.bench.load;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Builds the Gavel configuration of a benchmark's topics, with senders and receivers that each have a token and ten
 * capabilities.
 */
public final class BenchTopicConfig {
    private static final String DEFAULT_TOPIC = "bench";

    /** The WebSocket path of the default topic. */
    public static final String WEB_SOCKET_PATH = webSocketPath(DEFAULT_TOPIC);

    /** The capabilities of every participant. */
    public static final List<String> CAPABILITIES = List.of(
            "mcp.request.tools/call:read_*",
            "mcp.request.tools/call:list_*",
            "mcp.request.tools/call:search_*",
            "mcp.request.tools/list",
            "mcp.request.resources/*",
            "mcp.request.prompts/get:review_*",
            "mcp.response.*",
            "mcp.proposal.tools/call:write_*",
            "mcpx.withdraw.proposal",
            "chat.*");

    private final List<String> topics;
    private final List<LoadParticipantCredentials> senders;
    private final List<LoadParticipantCredentials> receivers;

    public BenchTopicConfig(int senders, int receivers, RandomGenerator random) {
        this(List.of(DEFAULT_TOPIC), senders, receivers, random);
    }

    /** Configures several topics with the same participants. */
    public BenchTopicConfig(List<String> topics, int senders, int receivers, RandomGenerator random) {
        this.topics = List.copyOf(topics);
        this.senders = participants("s", senders, random);
        this.receivers = participants("r", receivers, random);
    }

    private static List<LoadParticipantCredentials> participants(String prefix, int count, RandomGenerator random) {
        List<LoadParticipantCredentials> credentials = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] secret = new byte[16];
            random.nextBytes(secret);
            credentials.add(new LoadParticipantCredentials(
                    prefix + i, "bench-" + HexFormat.of().formatHex(secret)));
        }
        return credentials;
    }

    /** The WebSocket path of a topic. */
    public static String webSocketPath(String topic) {
        return "/ws?topic=" + topic;
    }

    /** All senders, followed by this many receivers. */
    public List<LoadParticipantCredentials> participants(int count) {
        return participants(senders.size(), count);
    }

    /** This many senders, followed by this many receivers. */
    public List<LoadParticipantCredentials> participants(int sending, int count) {
        List<LoadParticipantCredentials> credentials = new ArrayList<>(senders.subList(0, sending));
        credentials.addAll(receivers.subList(0, count));
        return credentials;
    }

    /** The text of the configuration file. */
    public String configuration() {
        StringBuilder identities = new StringBuilder();
        StringBuilder members = new StringBuilder();
        String capabilities = "[\"" + String.join("\", \"", CAPABILITIES) + "\"]";
        for (LoadParticipantCredentials loadParticipantCredentials : participants(receivers.size())) {
            identities.append("  %s: {token: \"%s\"}\n"
                    .formatted(loadParticipantCredentials.name(), loadParticipantCredentials.token()));
            members.append("      %s: %s\n".formatted(loadParticipantCredentials.name(), capabilities));
        }
        return """
                limits: {ask: off, bytes: off, frame: 1MiB, rate: 10000000/s, connections: 10000}
                identities:
                %stopics:
                %s""".formatted(
                        identities,
                        topics.stream()
                                .map(topic -> "  %s:\n    ledger: off\n    participants:\n%s".formatted(topic, members))
                                .collect(Collectors.joining()));
    }
}
