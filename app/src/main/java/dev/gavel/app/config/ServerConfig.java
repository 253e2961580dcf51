package dev.gavel.app.config;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcp.client.ServerTarget;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.sep.notification.Webhook;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.http.WebConfig.MetricsAccess;
import dev.gavel.web.identity.Identity;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The complete configuration of {@code gavel serve}.
 *
 * @param retention how long proposals are kept after they ended; forever where nothing is said
 * @param publicUrl where users reach it, if that is not where it listens
 * @param observability how it can be watched from outside
 * @param identities by id, in the order of the file
 * @param pendingCallSettings how the calls of an identity are treated while they wait, where that is not as usual
 * @param topics by name, in the order of the file
 * @param bridges by the member each is in its topic, in the order of the file
 * @param sepConfig how the SEP desk is run
 * @param ledger where proposals are kept
 * @param bus what carries envelopes between processes
 * @param drain how long it goes on as before, though it says that it is not ready, when it is told to stop
 */
public record ServerConfig(
        ListenAddress listenAddress,
        Path data,
        Limits limits,
        Optional<Duration> retention,
        Optional<WebConfig.Tls> tls,
        Optional<URI> publicUrl,
        Observability observability,
        Map<String, Identity> identities,
        Map<String, PendingCallSettings> pendingCallSettings,
        Map<String, Topic> topics,
        Map<String, Bridge> bridges,
        SepConfig sepConfig,
        LedgerConfig ledger,
        BusConfig bus,
        Duration drain) {
    private static final String SET_LEDGER = "set 'ledger' to jdbc:postgresql://…";

    public ServerConfig {
        identities = new LinkedHashMap<>(identities);
        pendingCallSettings = Map.copyOf(pendingCallSettings);
        topics = new LinkedHashMap<>(topics);
        bridges = new LinkedHashMap<>(bridges);
    }

    /** Who may read the metrics: they name topics, which is nobody's business beyond this machine. */
    public MetricsAccess metrics() {
        return observability.metrics().orElse(listenAddress.isLoopback() ? MetricsAccess.OPEN : MetricsAccess.TOKEN);
    }

    /** The settings of the HTTP server and the console of this build. */
    public WebConfig web(String version) {
        return new WebConfig(
                listenAddress,
                publicUrl,
                tls,
                limits.frame(),
                limits.connections(),
                metrics(),
                this::pendingCallSettingsOf,
                data,
                identities.keySet(),
                List.copyOf(topics.keySet()),
                sepConfig.rolesAndAdmin(),
                sepConfig.processDefinition(),
                version);
    }

    /** How the calls of an identity are treated while they wait. */
    public PendingCallSettings pendingCallSettingsOf(String identity) {
        return pendingCallSettings.getOrDefault(identity, PendingCallSettings.DEFAULT);
    }

    /** Who comes to a topic by itself, being run by this process: bridges, and the SEP desk. */
    public Set<String> ownParticipantsIn(String topic) {
        return Stream.concat(
                        bridges.entrySet().stream()
                                .filter(bridge -> bridge.getValue().topic().equals(topic))
                                .map(Map.Entry::getKey),
                        sepConfig.topic().filter(topic::equals).map(here -> Identity.SEP_SERVICE).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The names of those this process itself is in topics: nobody comes under them with a token. */
    public Set<String> ownParticipants() {
        return Stream.concat(bridges.keySet().stream(), Stream.of(Identity.SEP_SERVICE))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Why the ledger cannot be where it is said to be, if it cannot. */
    public Optional<String> sharingProblem() {
        if (!(bus instanceof BusConfig.Nats && ledger instanceof LedgerConfig.Sqlite)) {
            return Optional.empty();
        }
        if (sepConfig.configured() || topics.values().stream().anyMatch(Topic::ledger)) {
            return Optional.of("several processes need one ledger: " + SET_LEDGER);
        }
        return bridges.keySet().stream()
                .findFirst()
                .map(bridge -> "several processes need one ledger to agree on which of them runs the bridge '" + bridge
                        + "': " + SET_LEDGER);
    }

    /**
     * Why the ledger's file that is found there cannot be used, if it cannot: it says who was shut out, and every process
     * would have a file of its own.
     */
    public Optional<String> ledgerFileProblem() {
        return bus instanceof BusConfig.Nats && ledger instanceof LedgerConfig.Sqlite && Files.exists(ledgerFile())
                ? Optional.of("several processes need one ledger, and there is the file " + ledgerFile() + ": "
                        + SET_LEDGER + ", or move the file away if nothing in it is needed any more")
                : Optional.empty();
    }

    /** Where the ledger is kept, where that is in a file. */
    public Path ledgerFile() {
        return ledgerFile(data);
    }

    /** Where the ledger of a data directory is kept. */
    public static Path ledgerFile(Path data) {
        return data.resolve("ledger.db");
    }

    /** The same, listening elsewhere. */
    public ServerConfig withListen(ListenAddress elsewhere) {
        return new ServerConfig(
                elsewhere,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                observability,
                identities,
                pendingCallSettings,
                topics,
                bridges,
                sepConfig,
                ledger,
                bus,
                drain);
    }

    /** The same, with its data elsewhere. */
    public ServerConfig withData(Path elsewhere) {
        return new ServerConfig(
                listenAddress,
                elsewhere,
                limits,
                retention,
                tls,
                publicUrl,
                observability,
                identities,
                pendingCallSettings,
                topics,
                bridges,
                sepConfig,
                ledger,
                bus,
                drain);
    }

    /** The same, with its ledger and its bus elsewhere. */
    public ServerConfig withLedgerAndBus(LedgerConfig otherLedger, BusConfig otherBus) {
        return new ServerConfig(
                listenAddress,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                observability,
                identities,
                pendingCallSettings,
                topics,
                bridges,
                sepConfig,
                otherLedger,
                otherBus,
                drain);
    }

    /** The same, which goes on for so long when it is told to stop. */
    public ServerConfig withDrain(Duration time) {
        return new ServerConfig(
                listenAddress,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                observability,
                identities,
                pendingCallSettings,
                topics,
                bridges,
                sepConfig,
                ledger,
                bus,
                time);
    }

    /** The same with other limits. */
    public ServerConfig withLimits(Limits others) {
        return new ServerConfig(
                listenAddress,
                data,
                others,
                retention,
                tls,
                publicUrl,
                observability,
                identities,
                pendingCallSettings,
                topics,
                bridges,
                sepConfig,
                ledger,
                bus,
                drain);
    }

    /** The same, with trace spans sent elsewhere. */
    public ServerConfig withTraces(URI collector) {
        Observability more = new Observability(observability.metrics(), Optional.of(collector));
        return new ServerConfig(
                listenAddress,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                more,
                identities,
                pendingCallSettings,
                topics,
                bridges,
                sepConfig,
                ledger,
                bus,
                drain);
    }

    /**
     * A topic and what each of its members may send.
     *
     * @param members capabilities by identity
     * @param rules what it settles about its proposals
     * @param ledger whether its proposals are kept and followed; without, they are relayed like anything else
     */
    public record Topic(String name, Map<String, CapabilitySet> members, ProposalSettings rules, boolean ledger) {
        public Topic {
            members = new LinkedHashMap<>(members);
        }
    }

    /**
     * What nobody may exceed.
     *
     * @param frame the longest envelope, in bytes
     * @param rate envelopes a second of one identity
     * @param connections open WebSocket connections in all
     * @param open open proposals of one identity in a topic
     */
    public record Limits(int frame, int rate, int connections, int open) {
        public static final Limits DEFAULT = new Limits(1024 * 1024, 200, 10_000, 50_000);
    }

    /**
     * How it can be watched from outside.
     *
     * @param metrics who may read them; where it is not said, that follows from where the server listens
     * @param traces the collector that spans are sent to; none are made where there is none
     */
    public record Observability(Optional<MetricsAccess> metrics, Optional<URI> traces) {
        public static final Observability DEFAULT = new Observability(Optional.empty(), Optional.empty());
    }

    /** An MCP server that is started, or reached, and is a member of a topic. */
    public record Bridge(String topic, ServerTarget server) {}

    /**
     * How the SEP desk is run.
     *
     * @param configured whether the configuration speaks of it
     * @param processDefinition the rules SEPs live by
     * @param topic where it is a member; none where MCP clients are not offered it
     * @param webhooks where people are told of what they must do
     * @param wip how many SEPs one sponsor should have at most
     * @param sweep how often what is due is done; never by itself where it is empty
     */
    public record SepConfig(
            boolean configured,
            ProcessDefinition processDefinition,
            Optional<String> topic,
            List<Webhook> webhooks,
            int wip,
            Optional<Duration> sweep) {
        static final int DEFAULT_WIP = 5;
        static final Duration DEFAULT_SWEEP = Duration.ofHours(1);

        /** What somebody brings from another proposal is nobody's for good. */
        private static final String SUCCESSOR_PREFIX = "successor-";

        public SepConfig {
            webhooks = List.copyOf(webhooks);
        }

        /** What it is where nobody says anything of it. */
        public static SepConfig defaults() {
            return new SepConfig(
                    false,
                    BuiltInProcesses.defaultProcess(),
                    Optional.empty(),
                    List.of(),
                    DEFAULT_WIP,
                    Optional.of(DEFAULT_SWEEP));
        }

        /** The process's roles that an identity may have. */
        public Set<String> roles() {
            return processDefinition.roles().values().stream()
                    .filter(role ->
                            role instanceof Role.ActorRole && !role.name().startsWith(SUCCESSOR_PREFIX))
                    .map(Role::name)
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** All roles that an identity may have, sorted: those of the process, and the one that is not about SEPs. */
        public List<String> rolesAndAdmin() {
            return Stream.concat(roles().stream(), Stream.of(Identity.ADMIN))
                    .distinct()
                    .sorted()
                    .toList();
        }
    }
}
