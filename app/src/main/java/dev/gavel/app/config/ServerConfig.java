package dev.gavel.app.config;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.gateway.call.CallRecorder.AuditMode;
import dev.gavel.gateway.proposal.ProposalLimits;
import dev.gavel.gateway.proposal.ProposalLimits.AskLimit;
import dev.gavel.gateway.proposal.ProposalLimits.ByteQuota;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.tool.DefinitionPin;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcp.client.ServerTarget;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.sep.notification.Contact;
import dev.gavel.sep.notification.MailSettings;
import dev.gavel.sep.notification.Webhook;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.web.http.ApiBaseUrl;
import dev.gavel.web.http.ConnectionLimits;
import dev.gavel.web.http.ConsoleHost;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.http.WebConfig.MetricsAccess;
import dev.gavel.web.identity.ConsoleHostNameFile;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.oauth.TrustedIssuer;
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
 * @param retention how long proposals are stored after they end; forever if empty
 * @param publicUrl the URL that users open, if it is not a local name on a loopback address
 * @param observability access to metrics, and trace export
 * @param identities by id, in the order of the file
 * @param issuers the authorization servers whose access tokens MCP clients can use
 * @param pendingCallSettings by identity, how its calls are treated while they wait, if not as by default
 * @param topics by name, in the order of the file
 * @param bridges by the id of the bridge's member, in the order of the file
 * @param sepConfig the SEP service
 * @param ledger where proposals are stored
 * @param bus the connection between gateway processes
 * @param audit how calls are recorded
 * @param drain how long a stopping server continues to serve while it reports that it is not ready
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
        List<TrustedIssuer> issuers,
        Map<String, PendingCallSettings> pendingCallSettings,
        Map<String, Topic> topics,
        Map<String, Bridge> bridges,
        SepConfig sepConfig,
        LedgerConfig ledger,
        BusConfig bus,
        Duration drain,
        AuditConfig audit) {
    private static final String SET_LEDGER = "set 'ledger' to jdbc:postgresql://…";

    public ServerConfig {
        identities = new LinkedHashMap<>(identities);
        issuers = List.copyOf(issuers);
        pendingCallSettings = Map.copyOf(pendingCallSettings);
        topics = new LinkedHashMap<>(topics);
        bridges = new LinkedHashMap<>(bridges);
    }

    /** Access to the metrics. They contain topic names, so by default they are open only on a loopback address. */
    public MetricsAccess metrics() {
        return observability.metrics().orElse(listenAddress.isLoopback() ? MetricsAccess.OPEN : MetricsAccess.TOKEN);
    }

    /** The settings of the HTTP server and the console. */
    public WebConfig web(String version) {
        return new WebConfig(
                listenAddress,
                publicUrl,
                tls,
                new ConsoleHost(listenAddress, publicUrl, () -> ConsoleHostNameFile.loadOrCreate(data)),
                limits.frame(),
                limits.answer(),
                limits.connections(),
                limits.connectionLimits(),
                metrics(),
                this::pendingCallSettingsOf,
                data,
                identities.keySet(),
                List.copyOf(topics.keySet()),
                sepConfig.rolesAndAdmin(),
                sepConfig.processDefinition(),
                version);
    }

    /** How the calls of an identity are treated in a topic while they wait for a decision. */
    public PendingCallSettings pendingCallSettingsOf(String topic, String identity) {
        PendingCallSettings settings = pendingCallSettings.getOrDefault(identity, PendingCallSettings.DEFAULT);
        Topic found = topics.get(topic);
        return found == null || found.joinsRepeatedCalls() ? settings : settings.withSeparateCalls();
    }

    /** The participants that this process itself connects to a topic: bridges and the SEP service. */
    public Set<String> ownParticipantsIn(String topic) {
        return Stream.concat(
                        bridges.entrySet().stream()
                                .filter(bridge -> bridge.getValue().topic().equals(topic))
                                .map(Map.Entry::getKey),
                        sepConfig.topic().filter(topic::equals).map(here -> Identity.SEP_SERVICE).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What a changed tool definition does to calls that need no approval, for each bridge of a topic. */
    public Map<String, DefinitionPin> pinsIn(String topic) {
        return bridges.entrySet().stream()
                .filter(bridge -> bridge.getValue().topic().equals(topic))
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, bridge -> bridge.getValue().pin()));
    }

    /** The ids of the participants that this process itself connects to topics; they cannot connect with a token. */
    public Set<String> ownParticipants() {
        return Stream.concat(bridges.keySet().stream(), Stream.of(Identity.SEP_SERVICE))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The reason why the configured ledger cannot be used with the configured bus, if there is one. */
    public Optional<String> sharingProblem() {
        if (!(bus instanceof BusConfig.Nats && ledger instanceof LedgerConfig.Sqlite)) {
            return Optional.empty();
        }
        if (sepConfig.configured() || topics.values().stream().anyMatch(Topic::ledger)) {
            return Optional.of("processes that share a bus need a shared ledger: " + SET_LEDGER);
        }
        return bridges.keySet().stream()
                .findFirst()
                .map(bridge -> "processes that share a bus need a shared ledger to agree on which one runs the bridge '"
                        + bridge + "': " + SET_LEDGER);
    }

    /**
     * The reason why the existing ledger file cannot be used, if there is one: it records revoked access, and with a
     * bus each process would have its own file.
     */
    public Optional<String> ledgerFileProblem() {
        return bus instanceof BusConfig.Nats && ledger instanceof LedgerConfig.Sqlite && Files.exists(ledgerFile())
                ? Optional.of("processes that share a bus need a shared ledger, but the file " + ledgerFile()
                        + " exists: " + SET_LEDGER + ", or move the file away if you no longer need it")
                : Optional.empty();
    }

    /**
     * The reason why the tokens of an issuer could not be checked, if there is one. Without an audience of its own, the
     * audience is the URL of the MCP endpoint, which must be certain: the client chooses the host that a request names.
     */
    public Optional<String> audienceProblem() {
        return listenAddress.isLoopback() || ApiBaseUrl.shareable(publicUrl).isPresent()
                ? Optional.empty()
                : issuers.stream()
                        .filter(issuer -> issuer.audience().isEmpty())
                        .findFirst()
                        .map(issuer -> "the audience of tokens of the issuer " + issuer.url()
                                + " is unknown, because the server does not listen on a loopback address: set"
                                + " 'publicUrl' to the URL that clients use, or set 'audience' of the issuer");
    }

    /** The SQLite file of the ledger, if that is where the ledger is. */
    public Path ledgerFile() {
        return ledgerFile(data);
    }

    /** The SQLite file of the ledger in a data directory. */
    public static Path ledgerFile(Path data) {
        return data.resolve("ledger.db");
    }

    /** A copy with another listen address. */
    public ServerConfig withListen(ListenAddress replacement) {
        return copy(replacement, data, limits, publicUrl, observability, ledger, bus, drain);
    }

    /** A copy with another public URL. */
    public ServerConfig withPublicUrl(URI replacement) {
        return copy(listenAddress, data, limits, Optional.of(replacement), observability, ledger, bus, drain);
    }

    /** A copy with another data directory. */
    public ServerConfig withData(Path replacement) {
        return copy(listenAddress, replacement, limits, publicUrl, observability, ledger, bus, drain);
    }

    /** A copy with another ledger and bus. */
    public ServerConfig withLedgerAndBus(LedgerConfig otherLedger, BusConfig otherBus) {
        return copy(listenAddress, data, limits, publicUrl, observability, otherLedger, otherBus, drain);
    }

    /** A copy with another drain time. */
    public ServerConfig withDrain(Duration time) {
        return copy(listenAddress, data, limits, publicUrl, observability, ledger, bus, time);
    }

    /** A copy with other limits. */
    public ServerConfig withLimits(Limits newLimits) {
        return copy(listenAddress, data, newLimits, publicUrl, observability, ledger, bus, drain);
    }

    /** A copy with another trace collector. */
    public ServerConfig withTraces(URI collector) {
        Observability changed = new Observability(observability.metrics(), Optional.of(collector));
        return copy(listenAddress, data, limits, publicUrl, changed, ledger, bus, drain);
    }

    /** A copy with other values of those components that callers change. */
    private ServerConfig copy(
            ListenAddress newListenAddress,
            Path newData,
            Limits newLimits,
            Optional<URI> newPublicUrl,
            Observability newObservability,
            LedgerConfig newLedger,
            BusConfig newBus,
            Duration newDrain) {
        return new ServerConfig(
                newListenAddress,
                newData,
                newLimits,
                retention,
                tls,
                newPublicUrl,
                newObservability,
                identities,
                issuers,
                pendingCallSettings,
                topics,
                bridges,
                sepConfig,
                newLedger,
                newBus,
                newDrain,
                audit);
    }

    /**
     * A topic and what each of its members may send.
     *
     * @param members capabilities by identity
     * @param rules the settings of its proposals
     * @param ledger whether its proposals are stored and tracked; otherwise they are relayed like any other envelope
     * @param auditMode whether its calls wait until they are recorded; if empty, as the server's calls do
     * @param joinsRepeatedCalls whether equal calls of a member are one call
     */
    public record Topic(
            String name,
            Map<String, CapabilitySet> members,
            ProposalSettings rules,
            boolean ledger,
            Optional<AuditMode> auditMode,
            boolean joinsRepeatedCalls) {
        public Topic {
            members = new LinkedHashMap<>(members);
        }

        /** Creates a topic whose calls are recorded as those of the server. */
        public Topic(String name, Map<String, CapabilitySet> members, ProposalSettings rules, boolean ledger) {
            this(name, members, rules, ledger, Optional.empty(), true);
        }

        /** A copy with other members. */
        public Topic withMembers(Map<String, CapabilitySet> replacement) {
            return new Topic(name, replacement, rules, ledger, auditMode, joinsRepeatedCalls);
        }
    }

    /**
     * The limits of the server.
     *
     * @param frame the maximum length of an envelope that is not an answer, in bytes
     * @param answer the maximum length of an answer, and of a message of a bridged server, in bytes
     * @param rate the maximum number of envelopes per second from one identity
     * @param connections the maximum number of open WebSocket connections
     * @param open the maximum number of open proposals of one identity in a topic
     * @param reserve the free disk space that is reserved for revocations, in bytes; 0 for none
     * @param proposals how many approvals one identity may ask for, and how many bytes it may store
     * @param connectionLimits the limits of connections that have not authenticated
     */
    public record Limits(
            int frame,
            int answer,
            int rate,
            int connections,
            int open,
            long reserve,
            ProposalLimits proposals,
            ConnectionLimits connectionLimits) {
        public static final Limits DEFAULT = new Limits(
                1024 * 1024,
                16 * 1024 * 1024,
                200,
                10_000,
                50_000,
                64L << 20,
                new ProposalLimits(AskLimit.DEFAULT, Map.of(), ByteQuota.DEFAULT),
                ConnectionLimits.DEFAULT);

        /** The limits of envelopes. */
        public EnvelopeLimits envelopes() {
            return EnvelopeLimits.DEFAULT.withBytes(frame, answer);
        }

        /** A copy with these limits of single identities. */
        Limits withAskLimits(Map<String, AskLimit> askByIdentity) {
            return withProposals(new ProposalLimits(proposals.ask(), askByIdentity, proposals.bytes()));
        }

        /** A copy with other limits of proposals. */
        public Limits withProposals(ProposalLimits proposalLimits) {
            return new Limits(frame, answer, rate, connections, open, reserve, proposalLimits, connectionLimits);
        }
    }

    /**
     * Access to metrics, and trace export.
     *
     * @param metrics who may read the metrics; if empty, the listen address decides
     * @param traces the collector that receives spans; if empty, no spans are created
     */
    public record Observability(Optional<MetricsAccess> metrics, Optional<URI> traces) {
        public static final Observability DEFAULT = new Observability(Optional.empty(), Optional.empty());
    }

    /**
     * An MCP server, local or remote, that is a member of a topic.
     *
     * @param pin what a changed tool definition does to calls that need no approval
     */
    public record Bridge(String topic, ServerTarget server, DefinitionPin pin) {}

    /**
     * The configuration of the SEP service.
     *
     * @param configured whether the file has a section for it
     * @param processDefinition the process of the SEPs
     * @param topic the topic of which the SEP service is a member; if empty, MCP clients cannot use it
     * @param webhooks receive notifications about actions that people must take
     * @param wip the maximum number of SEPs one sponsor should have
     * @param sweep the interval at which due actions run; if empty, they do not run automatically
     */
    public record SepConfig(
            boolean configured,
            ProcessDefinition processDefinition,
            Optional<String> topic,
            List<Webhook> webhooks,
            Optional<MailSettings> mail,
            Map<Person, Contact> contacts,
            int wip,
            Optional<Duration> sweep) {
        static final int DEFAULT_WIP = 5;
        static final Duration DEFAULT_SWEEP = Duration.ofHours(1);

        /**
         * The prefix of roles that a participant has only through another proposal; no identity has them permanently.
         */
        private static final String SUCCESSOR_PREFIX = "successor-";

        public SepConfig {
            webhooks = List.copyOf(webhooks);
            contacts = Map.copyOf(contacts);
        }

        /** Returns the same settings with the ways to reach people. */
        SepConfig withContacts(Map<Person, Contact> newContacts) {
            return new SepConfig(configured, processDefinition, topic, webhooks, mail, newContacts, wip, sweep);
        }

        /** The configuration if the file has no section for it. */
        public static SepConfig defaults() {
            return new SepConfig(
                    false,
                    BuiltInProcesses.defaultProcess(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    Map.of(),
                    DEFAULT_WIP,
                    Optional.of(DEFAULT_SWEEP));
        }

        /** The roles of the process that an identity may have. */
        public Set<String> roles() {
            return processDefinition.roles().values().stream()
                    .filter(role ->
                            role instanceof Role.ActorRole && !role.name().startsWith(SUCCESSOR_PREFIX))
                    .map(Role::name)
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** All roles that an identity may have, sorted: those of the process and the administrator role. */
        public List<String> rolesAndAdmin() {
            return Stream.concat(roles().stream(), Stream.of(Identity.ADMIN))
                    .distinct()
                    .sorted()
                    .toList();
        }
    }
}
