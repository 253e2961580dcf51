package dev.gavel.bench.reliability;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The topics of a trial and who is in them; limits that do not limit. Not thread-safe. */
public final class Setting {
    private static final String PROPOSER = "[\"mcp.proposal.*\", \"mcpx.withdraw.proposal\", \"chat.*\"]";
    private static final String REVIEWER = "[\"*\"]";
    private static final String SERVER = "[\"mcp.response.*\"]";
    private static final String WATCHER = "[\"chat.*\"]";

    private final Map<String, StringBuilder> topics = new LinkedHashMap<>();
    private final Set<String> identities = new LinkedHashSet<>();

    /** A topic without members; {@code rules} stand before its participants. */
    Setting topic(String name, String rules) {
        topics.put(name, new StringBuilder("  " + name + ":\n" + rules + "    participants:\n"));
        return this;
    }

    Setting proposer(String topic, String name) {
        return member(topic, name, PROPOSER);
    }

    Setting reviewer(String topic, String name) {
        return member(topic, name, REVIEWER);
    }

    /** Somebody who runs what is asked of them. */
    Setting server(String topic, String name) {
        return member(topic, name, SERVER);
    }

    /** Somebody who decides nothing. */
    Setting watcher(String topic, String name) {
        return member(topic, name, WATCHER);
    }

    private Setting member(String topic, String name, String capabilities) {
        StringBuilder text = topics.get(topic);
        if (text == null) {
            throw new IllegalArgumentException("no topic " + topic);
        }
        text.append("      ").append(name).append(": ").append(capabilities).append('\n');
        identities.add(name);
        return this;
    }

    public static String token(String identity) {
        return identity + "-0123456789abcdef";
    }

    /** The configuration file's text. */
    String configuration() {
        StringBuilder text = new StringBuilder("""
                limits: {rate: 1000000/s, connections: 20000, open: 50000}
                identities:
                """);
        for (String name : identities) {
            text.append("  %s: {token: \"%s\"}\n".formatted(name, token(name)));
        }
        return text.append("topics:\n").append(String.join("", topics.values())).toString();
    }
}
