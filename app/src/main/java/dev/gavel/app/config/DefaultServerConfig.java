package dev.gavel.app.config;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.client.http.LocalServerDefaults;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.InitialTokenFiles;
import dev.gavel.web.identity.TokenHash;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration that {@code gavel serve} uses without a configuration file, with the default names, paths and
 * proposal settings.
 */
public final class DefaultServerConfig {
    /** The data directory, relative to the working directory. */
    public static final Path DATA = LocalServerDefaults.DATA;

    /** The configuration file that is read if none is named. */
    public static final Path FILE = Path.of("gavel.yaml");

    public static final String TOPIC = "main";
    public static final String OWNER = LocalServerDefaults.OWNER;
    public static final String AGENT = LocalServerDefaults.AGENT;

    /** The proposal settings of a topic whose configuration has none. */
    public static final ProposalSettings RULES = new ProposalSettings(
            Duration.ofMinutes(15),
            Duration.ofHours(24),
            Duration.ofMinutes(10),
            ProposalSettings.RejectionPolicy.VETO,
            false);

    private DefaultServerConfig() {}

    /** Returns the default configuration, and creates the tokens if the data directory has none yet. */
    public static ServerConfig config(Path data) throws IOException {
        InitialTokenFiles tokens = new InitialTokenFiles(data);
        Map<String, Identity> identities =
                identities(Optional.of(tokens.loadOrCreateHash(OWNER)), Optional.of(tokens.loadOrCreateHash(AGENT)));
        Map<String, CapabilitySet> members = new LinkedHashMap<>();
        members.put(OWNER, capabilities("*"));
        members.put(AGENT, capabilities("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"));
        return new ServerConfig(
                ListenAddress.DEFAULT,
                data,
                ServerConfig.Limits.DEFAULT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                ServerConfig.Observability.DEFAULT,
                identities,
                List.of(),
                Map.of(),
                Map.of(TOPIC, new ServerConfig.Topic(TOPIC, members, RULES, true)),
                Map.of(),
                ServerConfig.SepConfig.defaults(),
                new LedgerConfig.Sqlite(),
                new BusConfig.Memory(),
                Duration.ZERO,
                AuditConfig.DEFAULT);
    }

    /** Returns the identities of the default configuration, for commands that only need their names. */
    public static Map<String, Identity> identitiesWithoutTokens() {
        return identities(Optional.empty(), Optional.empty());
    }

    private static Map<String, Identity> identities(Optional<TokenHash> ownerToken, Optional<TokenHash> agentToken) {
        Map<String, Identity> identities = new LinkedHashMap<>();
        identities.put(
                OWNER,
                new Identity(
                        OWNER,
                        LocalServerDefaults.OWNER_NAME,
                        Set.of("core-maintainer", "admin"),
                        List.of(),
                        ownerToken));
        identities.put(AGENT, new Identity(AGENT, AGENT, Set.of(), List.of(), agentToken));
        return identities;
    }

    private static CapabilitySet capabilities(String... patterns) {
        return CapabilitySet.compile(List.of(patterns)).orThrow();
    }
}
