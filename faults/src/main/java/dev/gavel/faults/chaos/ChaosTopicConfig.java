package dev.gavel.faults.chaos;

import dev.gavel.bench.server.GavelConfigBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Defines the names of a chaos run's participants and builds the Gavel configuration of its topics. Stateless. */
final class ChaosTopicConfig {
    static final List<String> RAW_PROPOSERS = List.of("p0", "p1", "p2");
    static final List<String> LIBRARY_PROPOSERS = List.of("lib0", "lib1");
    private static final List<String> REVIEWERS = List.of("alice", "bob", "r0");
    static final List<String> SERVERS = List.of("files-a", "files-b", "files-c");
    static final List<String> CHATTERS = List.of("w0", "w1");
    private static final List<String> OBSERVERS = List.of("observer", "newcomer");

    private ChaosTopicConfig() {}

    /** The participant with a token; empty if there is none. */
    static Optional<String> participantOf(String token) {
        return capabilities().keySet().stream()
                .filter(name -> GavelConfigBuilder.token(name).equals(token))
                .findFirst();
    }

    private static Map<String, List<String>> capabilities() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        Stream.concat(RAW_PROPOSERS.stream(), LIBRARY_PROPOSERS.stream())
                .forEach(name -> all.put(name, List.of("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*")));
        REVIEWERS.forEach(name -> all.put(name, List.of("*")));
        SERVERS.forEach(name -> all.put(name, List.of("mcp.response.*", "chat.*")));
        CHATTERS.forEach(name -> all.put(name, List.of("chat.*")));
        OBSERVERS.forEach(name -> all.put(name, List.of("chat.*")));
        return all;
    }

    /** The topic and its members in the format of a configuration file. */
    static String configuration() {
        StringBuilder identities = new StringBuilder();
        StringBuilder members = new StringBuilder();
        capabilities().forEach((name, capabilities) -> {
            identities.append("  %s: {token: \"%s\"}\n".formatted(name, GavelConfigBuilder.token(name)));
            members.append("      %s: [\"%s\"]\n".formatted(name, String.join("\", \"", capabilities)));
        });
        return """
                limits: {ask: off, bytes: off, rate: 1000000/s, connections: 20000, open: 50000}
                identities:
                %1$stopics:
                  %2$s:
                    answer: 30s
                    participants:
                %3$s\
                  aside:
                    participants:
                %3$s""".formatted(identities, ChaosParticipants.TOPIC, members);
    }
}
