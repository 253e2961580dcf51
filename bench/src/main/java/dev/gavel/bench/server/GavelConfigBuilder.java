package dev.gavel.bench.server;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Builds the configuration of a Gavel server under test: its topics, and the proposers, reviewers, servers and watchers
 * in each. Not thread-safe.
 */
public final class GavelConfigBuilder {
    private static final String PROPOSER = "[\"mcp.proposal.*\", \"mcpx.withdraw.proposal\", \"chat.*\"]";
    private static final String REVIEWER = "[\"*\"]";
    private static final String SERVER = "[\"mcp.response.*\"]";
    private static final String WATCHER = "[\"chat.*\"]";

    private final Map<String, StringBuilder> topics = new LinkedHashMap<>();
    private final Set<String> identities = new LinkedHashSet<>();

    /** Adds a topic without members; {@code rules} are the lines before its participants. */
    public GavelConfigBuilder topic(String name, String rules) {
        topics.put(name, new StringBuilder("  " + name + ":\n" + rules + "    participants:\n"));
        return this;
    }

    public GavelConfigBuilder proposer(String topic, String name) {
        return addMember(topic, name, PROPOSER);
    }

    public GavelConfigBuilder reviewer(String topic, String name) {
        return addMember(topic, name, REVIEWER);
    }

    /** Adds a member that runs the calls it receives. */
    public GavelConfigBuilder server(String topic, String name) {
        return addMember(topic, name, SERVER);
    }

    /** Adds a member that decides nothing. */
    public GavelConfigBuilder watcher(String topic, String name) {
        return addMember(topic, name, WATCHER);
    }

    private GavelConfigBuilder addMember(String topic, String name, String capabilities) {
        StringBuilder text = topics.get(topic);
        if (text == null) {
            throw new IllegalArgumentException("unknown topic " + topic);
        }
        text.append("      ").append(name).append(": ").append(capabilities).append('\n');
        identities.add(name);
        return this;
    }

    public static String token(String identity) {
        return identity + "-0123456789abcdef";
    }

    /** The text of the configuration file. */
    String configuration() {
        StringBuilder text = new StringBuilder("""
                limits: {ask: off, bytes: off, rate: 1000000/s, connections: 20000, open: 50000}
                identities:
                """);
        for (String name : identities) {
            text.append("  %s: {token: \"%s\"}\n".formatted(name, token(name)));
        }
        return text.append("topics:\n").append(String.join("", topics.values())).toString();
    }
}
