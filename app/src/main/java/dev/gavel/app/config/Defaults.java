package dev.gavel.app.config;

import dev.gavel.app.identity.Identity;
import dev.gavel.app.identity.TokenFiles;
import dev.gavel.client.http.LocalServer;
import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.mcpx.Capabilities;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code gavel serve} is where nobody configured anything: one topic, somebody who may do everything, and an agent
 * that may only propose.
 */
public final class Defaults {
    /** Where data is kept, seen from the working directory. */
    public static final Path DATA = LocalServer.DATA;

    /** The configuration file that is read where none is named. */
    public static final Path FILE = Path.of("gavel.yaml");

    public static final String TOPIC = "main";
    public static final String OWNER = LocalServer.OWNER;
    public static final String AGENT = LocalServer.AGENT;

    /** What a topic settles about its proposals where its configuration says nothing. */
    public static final ProposalRules RULES = new ProposalRules(
            Duration.ofMinutes(15), Duration.ofHours(24), Duration.ofMinutes(10), ProposalRules.Rejection.VETO, false);

    private Defaults() {}

    /** The default configuration; the tokens are made where the data directory has none yet. */
    public static Config config(Path data) throws IOException {
        TokenFiles tokens = new TokenFiles(data);
        Map<String, Identity> identities = new LinkedHashMap<>();
        identities.put(
                OWNER,
                new Identity(
                        OWNER,
                        OWNER,
                        Set.of("core-maintainer", "admin"),
                        List.of(),
                        Optional.of(tokens.hashOf(OWNER))));
        identities.put(AGENT, new Identity(AGENT, AGENT, Set.of(), List.of(), Optional.of(tokens.hashOf(AGENT))));
        Map<String, Capabilities> members = new LinkedHashMap<>();
        members.put(OWNER, capabilities("*"));
        members.put(AGENT, capabilities("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"));
        return new Config(
                Listen.DEFAULT,
                data,
                Config.Limits.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Config.Observing.DEFAULT,
                identities,
                Map.of(),
                Map.of(TOPIC, new Config.Topic(TOPIC, members, RULES, true)),
                Map.of(),
                Config.Sep.usual(),
                new LedgerPlace.Sqlite(),
                new BusPlace.Memory(),
                Duration.ZERO);
    }

    private static Capabilities capabilities(String... patterns) {
        return Capabilities.compile(List.of(patterns)).orThrow();
    }
}
