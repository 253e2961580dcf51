package dev.gavel.app.config;

import dev.gavel.app.edge.WebConfig;
import dev.gavel.app.edge.WebConfig.MetricsAccess;
import dev.gavel.app.identity.Identity;
import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcp.facade.port.Settings;
import dev.gavel.mcp.session.Target;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.sep.process.Processes;
import dev.gavel.sep.sweep.Webhook;
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
 * Everything {@code gavel serve} is told before it starts.
 *
 * @param retention how long proposals are kept after they ended; forever where nothing is said
 * @param publicUrl where users reach it, if that is not where it listens
 * @param observing how it can be watched from outside
 * @param identities by id, in the order of the file
 * @param waiting how the calls of an identity are treated while they wait, where that is not as usual
 * @param topics by name, in the order of the file
 * @param bridges by the member each is in its topic, in the order of the file
 * @param sep how the SEP desk is run
 * @param ledger where proposals are kept
 * @param bus what carries envelopes between processes
 * @param drain how long it goes on as before, though it says that it is not ready, when it is told to stop
 */
public record Config(
        Listen listen,
        Path data,
        Limits limits,
        Optional<Duration> retention,
        Optional<WebConfig.Tls> tls,
        Optional<URI> publicUrl,
        Observing observing,
        Map<String, Identity> identities,
        Map<String, Settings> waiting,
        Map<String, Topic> topics,
        Map<String, Bridge> bridges,
        Sep sep,
        LedgerPlace ledger,
        BusPlace bus,
        Duration drain) {
    private static final String SET_LEDGER = "set 'ledger' to jdbc:postgresql://…";

    public Config {
        identities = new LinkedHashMap<>(identities);
        waiting = Map.copyOf(waiting);
        topics = new LinkedHashMap<>(topics);
        bridges = new LinkedHashMap<>(bridges);
    }

    /** Who may read the metrics: they name topics, which is nobody's business beyond this machine. */
    public MetricsAccess metrics() {
        return observing.metrics().orElse(listen.isLoopback() ? MetricsAccess.OPEN : MetricsAccess.TOKEN);
    }

    /** The settings of the HTTP server and the console of this build. */
    public WebConfig web(String version) {
        return new WebConfig(
                listen,
                publicUrl,
                tls,
                limits.frame(),
                limits.connections(),
                metrics(),
                this::waitingOf,
                data,
                identities.keySet(),
                List.copyOf(topics.keySet()),
                sep.rolesAndAdmin(),
                sep.process(),
                version);
    }

    /** How the calls of an identity are treated while they wait. */
    public Settings waitingOf(String identity) {
        return waiting.getOrDefault(identity, Settings.DEFAULT);
    }

    /** Who comes to a topic by itself, being run by this process: bridges, and the SEP desk. */
    public Set<String> ownIn(String topic) {
        return Stream.concat(
                        bridges.entrySet().stream()
                                .filter(bridge -> bridge.getValue().topic().equals(topic))
                                .map(Map.Entry::getKey),
                        sep.topic().filter(topic::equals).map(here -> Identity.DESK).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The names of those this process itself is in topics: nobody comes under them with a token. */
    public Set<String> own() {
        return Stream.concat(bridges.keySet().stream(), Stream.of(Identity.DESK))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Why the ledger cannot be where it is said to be, if it cannot. */
    public Optional<String> objection() {
        if (!(bus instanceof BusPlace.Nats && ledger instanceof LedgerPlace.Sqlite)) {
            return Optional.empty();
        }
        if (sep.stated() || topics.values().stream().anyMatch(Topic::ledger)) {
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
    public Optional<String> objectionToFile() {
        return bus instanceof BusPlace.Nats && ledger instanceof LedgerPlace.Sqlite && Files.exists(ledgerFile())
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
    public Config withListen(Listen elsewhere) {
        return new Config(
                elsewhere,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                observing,
                identities,
                waiting,
                topics,
                bridges,
                sep,
                ledger,
                bus,
                drain);
    }

    /** The same, with its data elsewhere. */
    public Config withData(Path elsewhere) {
        return new Config(
                listen,
                elsewhere,
                limits,
                retention,
                tls,
                publicUrl,
                observing,
                identities,
                waiting,
                topics,
                bridges,
                sep,
                ledger,
                bus,
                drain);
    }

    /** The same, with its ledger and its bus elsewhere. */
    public Config sharing(LedgerPlace otherLedger, BusPlace otherBus) {
        return new Config(
                listen,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                observing,
                identities,
                waiting,
                topics,
                bridges,
                sep,
                otherLedger,
                otherBus,
                drain);
    }

    /** The same, which goes on for so long when it is told to stop. */
    public Config withDrain(Duration time) {
        return new Config(
                listen,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                observing,
                identities,
                waiting,
                topics,
                bridges,
                sep,
                ledger,
                bus,
                time);
    }

    /** The same with other limits. */
    public Config withLimits(Limits others) {
        return new Config(
                listen,
                data,
                others,
                retention,
                tls,
                publicUrl,
                observing,
                identities,
                waiting,
                topics,
                bridges,
                sep,
                ledger,
                bus,
                drain);
    }

    /** The same, with trace spans sent elsewhere. */
    public Config withTraces(URI collector) {
        Observing more = new Observing(observing.metrics(), Optional.of(collector));
        return new Config(
                listen,
                data,
                limits,
                retention,
                tls,
                publicUrl,
                more,
                identities,
                waiting,
                topics,
                bridges,
                sep,
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
    public record Topic(String name, Map<String, Capabilities> members, ProposalRules rules, boolean ledger) {
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
    public record Observing(Optional<MetricsAccess> metrics, Optional<URI> traces) {
        public static final Observing DEFAULT = new Observing(Optional.empty(), Optional.empty());
    }

    /** An MCP server that is started, or reached, and is a member of a topic. */
    public record Bridge(String topic, Target server) {}

    /**
     * How the SEP desk is run.
     *
     * @param stated whether the configuration speaks of it
     * @param process the rules SEPs live by
     * @param topic where it is a member; none where MCP clients are not offered it
     * @param webhooks where people are told of what they must do
     * @param wip how many SEPs one sponsor should have at most
     * @param sweep how often what is due is done; never by itself where it is empty
     */
    public record Sep(
            boolean stated,
            Process process,
            Optional<String> topic,
            List<Webhook> webhooks,
            int wip,
            Optional<Duration> sweep) {
        static final int WIP = 5;
        static final Duration SWEEP = Duration.ofHours(1);

        /** What somebody brings from another proposal is nobody's for good. */
        private static final String FROM_ANOTHER = "successor-";

        public Sep {
            webhooks = List.copyOf(webhooks);
        }

        /** What it is where nobody says anything of it. */
        public static Sep usual() {
            return new Sep(false, Processes.usual(), Optional.empty(), List.of(), WIP, Optional.of(SWEEP));
        }

        /** The process's roles that an identity may have. */
        public Set<String> roles() {
            return process.roles().values().stream()
                    .filter(role -> role instanceof Role.Brought && !role.name().startsWith(FROM_ANOTHER))
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
