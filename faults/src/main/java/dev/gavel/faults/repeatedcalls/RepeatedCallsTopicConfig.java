package dev.gavel.faults.repeatedcalls;

import dev.gavel.bench.server.GavelConfigBuilder;
import java.util.List;
import java.util.stream.Stream;

/** Defines the members of the topic of the repeated-calls test and builds its Gavel configuration. Stateless. */
final class RepeatedCallsTopicConfig {
    static final String TOPIC = "ops";
    static final String TOOL = "write_file";
    static final String SERVER = "files";
    static final List<String> REVIEWERS = List.of("alice", "bob");

    /** The identities of the MCP clients. They differ in their settings. */
    static final List<String> AGENTS = List.of("patient", "hasty", "keeping");

    /** The identity whose proposals stay open if its clients disconnect. */
    static final String KEEPING_AGENT = "keeping";

    private static final String OBSERVER = "observer";

    private RepeatedCallsTopicConfig() {}

    /** The topic and its members in the format of a configuration file. */
    static String configuration() {
        return """
                limits: {ask: off, bytes: off, rate: 1000000/s, connections: 20000, open: 50000}
                identities:
                  patient: {token: "%s"}
                  hasty: {token: "%s", hold: 1s}
                  keeping: {token: "%s", hold: 2s, onDisconnect: keep}
                %stopics:
                  %s:
                    answer: 30s
                    participants:
                      patient: ["mcp.proposal.*"]
                      hasty: ["mcp.proposal.*"]
                      keeping: ["mcp.proposal.*"]
                      alice: ["*"]
                      bob: ["*"]
                      %s: ["mcp.response.*"]
                      %s: ["chat.*"]
                """.formatted(
                        GavelConfigBuilder.token("patient"),
                        GavelConfigBuilder.token("hasty"),
                        GavelConfigBuilder.token("keeping"),
                        identities(),
                        TOPIC,
                        SERVER,
                        OBSERVER);
    }

    private static String identities() {
        StringBuilder identities = new StringBuilder();
        Stream.concat(REVIEWERS.stream(), Stream.of(SERVER, OBSERVER))
                .forEach(name ->
                        identities.append("  %s: {token: \"%s\"}\n".formatted(name, GavelConfigBuilder.token(name))));
        return identities.toString();
    }
}
