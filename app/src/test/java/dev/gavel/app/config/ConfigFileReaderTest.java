package dev.gavel.app.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.gateway.call.CallRecorder.AuditMode;
import dev.gavel.gateway.proposal.ProposalLimits;
import dev.gavel.gateway.proposal.ProposalLimits.AskLimit;
import dev.gavel.gateway.proposal.ProposalLimits.ByteQuota;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.web.http.ConnectionLimits;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.yaml.FileProblem;
import dev.gavel.yaml.ProblemCollector;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileReaderTest {
    private static final String TOPIC = "\ntopics: {ops: {participants: {}}}\n";

    private final ProblemCollector problemCollector = new ProblemCollector();

    private ServerConfig read(String text) {
        return read(text, Map.of("ALICE_TOKEN", "alice-0123456789abcdef"));
    }

    private ServerConfig read(String text, Map<String, String> environment) {
        return new ConfigFileReader(environment::get, problemCollector).read("gavel.yaml", text);
    }

    private static Identity identity(ServerConfig config, String id) {
        return requireNonNull(config.identities().get(id));
    }

    private String complaints() {
        return problemCollector.list().stream().map(FileProblem::toString).collect(Collectors.joining("\n"));
    }

    @Test
    void whatIsNotSaidIsTheDefault() {
        ServerConfig config = read(TOPIC);
        assertThat(complaints()).isEmpty();
        assertThat(config.listenAddress()).isEqualTo(new ListenAddress("127.0.0.1", 4285));
        assertThat(config.data()).isEqualTo(Path.of(".gavel"));
        assertThat(config.limits())
                .isEqualTo(new ServerConfig.Limits(
                        1024 * 1024,
                        16 * 1024 * 1024,
                        200,
                        10_000,
                        50_000,
                        64 * 1024 * 1024,
                        new ProposalLimits(
                                new AskLimit(20, 60), Map.of(), new ByteQuota(16 * 1024 * 1024, 256 * 1024 * 1024)),
                        ConnectionLimits.DEFAULT));
        assertThat(config.retention()).isEmpty();
        assertThat(config.ledgerFile()).isEqualTo(Path.of(".gavel", "ledger.db"));
        assertThat(config.tls()).isEmpty();
        assertThat(config.publicUrl()).isEmpty();
        assertThat(config.observability()).isEqualTo(ServerConfig.Observability.DEFAULT);
        assertThat(config.identities()).isEmpty();
        ServerConfig.Topic ops = requireNonNull(config.topics().get("ops"));
        assertThat(ops.members()).isEmpty();
        assertThat(ops.rules())
                .isEqualTo(new ProposalSettings(
                        Duration.ofMinutes(15),
                        Duration.ofHours(24),
                        Duration.ofMinutes(10),
                        ProposalSettings.RejectionPolicy.VETO,
                        false));
        assertThat(ops.ledger()).isTrue();
    }

    @Test
    void anIdentitySaysHowItsCallsWait() {
        ServerConfig config = read("""
                identities:
                  alice: {token: alice-0123456789abcdef}
                  hasty: {token: hasty-0123456789abcdef, hold: 5s, linger: 0s, onDisconnect: keep, duplicates: separate}
                topics:
                  ops: {participants: {alice: ["*"]}}
                  lab: {duplicates: separate, participants: {alice: ["*"]}}
                """);
        assertThat(problemCollector.list()).isEmpty();
        assertThat(config.pendingCallSettingsOf("ops", "hasty"))
                .isEqualTo(new PendingCallSettings(Duration.ofSeconds(5), true, Duration.ZERO, true, false));
        assertThat(config.pendingCallSettingsOf("ops", "alice"))
                .isEqualTo(new PendingCallSettings(Duration.ofSeconds(12), false, Duration.ofMinutes(2), false, true));
        assertThat(config.pendingCallSettingsOf("lab", "alice").joinsRepeatedCalls())
                .isFalse();
    }

    @Test
    void aWrongWayToWaitIsNamed() {
        read("""
                identities:
                  alice: {token: alice-0123456789abcdef, hold: 2h, onDisconnect: maybe}
                topics: {ops: {participants: {alice: ["*"]}}}
                """);
        assertThat(problemCollector.list()).hasSize(2);
        assertThat(problemCollector.list().toString()).contains("'hold'").contains("withdraw or keep");
    }

    @Test
    void howItIsWatchedIsSaid() {
        assertThat(read("metrics: token\ntraces: https://collector.example.org/otlp" + TOPIC)
                        .observability())
                .isEqualTo(new ServerConfig.Observability(
                        Optional.of(WebConfig.MetricsAccess.TOKEN),
                        Optional.of(URI.create("https://collector.example.org/otlp"))));
        assertThat(complaints()).isEmpty();
    }

    /** Messages must not repeat an address that contains a password. */
    @ParameterizedTest
    @CsvSource({
        "http://user:pass-word@host:4318",
        "host:4318",
        "ftp://host",
        "http://host?key=pass-word",
        "'http://a b'"
    })
    void tracesGoToACollectorsAddress(String address) {
        read("traces: \"" + address + "\"" + TOPIC);
        assertThat(complaints())
                .isEqualTo("gavel.yaml:1: 'traces' must be the URL of an OTLP/HTTP collector, such as"
                        + " http://127.0.0.1:4318, without a user or query");
    }

    @Test
    void whereNothingIsConfiguredProposalsAreKeptByTheUsualRules(@TempDir Path directory) throws IOException {
        ServerConfig config = DefaultServerConfig.config(directory);
        ServerConfig.Topic written = requireNonNull(read(TOPIC).topics().get("ops"));
        ServerConfig.Topic main = requireNonNull(config.topics().get(DefaultServerConfig.TOPIC));
        assertThat(main.rules()).isEqualTo(written.rules());
        assertThat(main.ledger()).isTrue();
        assertThat(config.retention()).isEmpty();
        assertThat(config.ledgerFile()).isEqualTo(directory.resolve("ledger.db"));
    }

    @Test
    void everythingThatCanBeSaidIsRead(@TempDir Path directory) throws IOException {
        Path certificate = Files.createFile(directory.resolve("cert.pem"));
        Path key = Files.createFile(directory.resolve("key.pem"));
        Path secret = Files.writeString(directory.resolve("helper"), "helper-0123456789abcdef\n");
        ServerConfig config = read("""
                listen: "[::1]:0"
                data: /var/lib/gavel
                ledger: sqlite
                bus: memory
                retention: 90d
                limits: {frame: 64KiB, rate: 50/s, connections: 7, open: 3, reserve: off, ask: {hour: 5}, bytes: {day: 1GiB, open: off}}
                tls: {certificate: "%s", key: "%s"}
                publicUrl: https://gavel.example.org
                identities:
                  alice: {token: "env:ALICE_TOKEN", roles: [core-maintainer, admin], name: Alice, handles: ["@alice"]}
                  helper: {token: "file:%s", ask: {open: 2}}
                  carol: {token: "sha256:%s"}
                  files: {ask: off}
                topics:
                  ops:
                    ttl: {default: 5m, max: 2h}
                    answer: 30s
                    rejection: all
                    selfApproval: true
                    ledger: off
                    participants:
                      alice: ["*"]
                      helper:
                        - mcp.proposal.*
                        - kind: mcp.request.tools/call
                          payload: {params: {name: write_file, arguments: {path: ["/tmp/*", "!/tmp/secret"]}}}
                      files: [mcp.response.*]
                """.formatted(certificate, key, secret, "0123456789abcdef".repeat(4)));
        assertThat(complaints()).isEmpty();
        assertThat(config.listenAddress()).isEqualTo(new ListenAddress("::1", 0));
        assertThat(config.data()).isEqualTo(Path.of("/var/lib/gavel"));
        assertThat(config.ledgerFile()).isEqualTo(Path.of("/var/lib/gavel/ledger.db"));
        assertThat(config.limits())
                .isEqualTo(new ServerConfig.Limits(
                        65_536,
                        16 * 1024 * 1024,
                        50,
                        7,
                        3,
                        0,
                        new ProposalLimits(
                                new AskLimit(20, 5),
                                Map.of("helper", new AskLimit(2, 60), "files", AskLimit.OFF),
                                new ByteQuota(Long.MAX_VALUE, 1L << 30)),
                        ConnectionLimits.DEFAULT));
        assertThat(config.retention()).contains(Duration.ofDays(90));
        assertThat(config.tls()).contains(new WebConfig.Tls(certificate, key));
        assertThat(config.publicUrl()).contains(URI.create("https://gavel.example.org"));
        assertThat(config.identities()).containsOnlyKeys("alice", "helper", "carol", "files");
        Identity alice = identity(config, "alice");
        assertThat(alice.name()).isEqualTo("Alice");
        assertThat(alice.roles()).containsExactlyInAnyOrder("core-maintainer", "admin");
        assertThat(alice.handles()).containsExactly("@alice");
        assertThat(alice.token()).contains(TokenHash.of("alice-0123456789abcdef"));
        assertThat(identity(config, "helper").token()).contains(TokenHash.of("helper-0123456789abcdef"));
        assertThat(identity(config, "carol").token()).contains(new TokenHash("0123456789abcdef".repeat(4)));
        assertThat(identity(config, "files").token()).isEmpty();
        ServerConfig.Topic ops = requireNonNull(config.topics().get("ops"));
        assertThat(ops.members()).containsOnlyKeys("alice", "helper", "files");
        assertThat(requireNonNull(ops.members().get("helper")).asList()).hasSize(2);
        assertThat(ops.rules())
                .isEqualTo(new ProposalSettings(
                        Duration.ofMinutes(5),
                        Duration.ofHours(2),
                        Duration.ofSeconds(30),
                        ProposalSettings.RejectionPolicy.ALL,
                        true));
        assertThat(ops.ledger()).isFalse();
    }

    @Test
    void neverForgettingCanBeSaid() {
        assertThat(read("retention: never" + TOPIC).retention()).isEmpty();
        assertThat(read("retention: 1h" + TOPIC).retention()).contains(Duration.ofHours(1));
        assertThat(complaints()).isEmpty();
    }

    @Test
    void theAuditOfCallsIsOnAndCanWait() {
        assertThat(read(TOPIC).audit()).isEqualTo(AuditConfig.DEFAULT);
        assertThat(read("audit: sync" + TOPIC).audit().mode()).isEqualTo(AuditMode.SYNC);
        assertThat(read("audit: {retention: 30d, size: 2GiB}" + TOPIC).audit())
                .isEqualTo(new AuditConfig(AuditMode.ON, Duration.ofDays(30), 2L * 1024 * 1024 * 1024));
        ServerConfig config =
                read("audit: sync\ntopics: {ops: {audit: on, participants: {}}, lab: {participants: {}}}\n");
        assertThat(requireNonNull(config.topics().get("ops")).auditMode()).contains(AuditMode.ON);
        assertThat(requireNonNull(config.topics().get("lab")).auditMode()).isEmpty();
        assertThat(complaints()).isEmpty();
    }

    @Test
    void theLongestTtlAloneCanBeRaisedAndTheUsualOneAloneLowered() {
        ServerConfig config = read("topics: {a: {ttl: {max: 30d}}, b: {ttl: {default: 1m}}}");
        assertThat(complaints()).isEmpty();
        assertThat(requireNonNull(config.topics().get("a")).rules().maxTtl()).isEqualTo(Duration.ofDays(30));
        assertThat(requireNonNull(config.topics().get("a")).rules().ttl()).isEqualTo(Duration.ofMinutes(15));
        assertThat(requireNonNull(config.topics().get("b")).rules().ttl()).isEqualTo(Duration.ofMinutes(1));
        assertThat(requireNonNull(config.topics().get("b")).rules().maxTtl()).isEqualTo(Duration.ofHours(24));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            ledger: jdbc:postgresql://db/gavel | GAVEL_LEDGER | sqlite             | -
            ledger: sqlite                     | GAVEL_LEDGER | jdbc:postgresql:db | -
            listen: 127.0.0.1:0                | GAVEL_LEDGER | oracle             | gavel.yaml:1: GAVEL_LEDGER must be sqlite or the URL of a PostgreSQL database, such as jdbc:postgresql://host/gavel
            bus: nats://host:4222              | GAVEL_BUS    | memory             | -
            bus: memory                        | GAVEL_BUS    | kafka://host       | gavel.yaml:1: GAVEL_BUS must be memory or the URL of a NATS server, such as nats://host:4222
            bus: memory                        | GAVEL_BUS    | ' '                | -
            ledger: jdbc:postgresql://db/gavel | GAVEL_BUS    | nats://host:4222   | -
            ledger: sqlite                     | GAVEL_BUS    | nats://host:4222   | gavel.yaml:1: processes that share a bus need a shared ledger: set 'ledger' to jdbc:postgresql://…
            """)
    void theEnvironmentsLedgerAndBusBeatTheFilesAndAreJudgedLikeThem(
            String text, String variable, String value, @Nullable String complaint) {
        read(text + TOPIC, Map.of(variable, value));
        assertThat(complaints()).isEqualTo(complaint == null ? "" : complaint);
    }

    @Test
    void processesThatKeepNoLedgerMayShareTopicsButNoBridges() {
        String relay = "bus: nats://host:4222\ntopics: {ops: {ledger: off}}\n";
        read(relay);
        assertThat(complaints()).isEmpty();
        read(relay + "bridges: {files: {topic: ops, command: [ls]}}\n");
        assertThat(complaints())
                .isEqualTo(
                        "gavel.yaml:1: processes that share a bus need a shared ledger to agree on which one runs the bridge"
                                + " 'files': set 'ledger' to jdbc:postgresql://…");
    }

    @Test
    void aLedgerFileThatIsThereIsNotUsedByEachProcessForItself(@TempDir Path data) throws IOException {
        ServerConfig config = read("bus: nats://host:4222\ndata: " + data + "\ntopics: {ops: {ledger: off}}\n");
        assertThat(config.ledgerFileProblem()).isEmpty();
        Files.createFile(config.ledgerFile());
        assertThat(complaints()).isEmpty();
        assertThat(config.ledgerFileProblem().orElseThrow())
                .contains("ledger.db", "set 'ledger' to jdbc:postgresql://…");
        assertThat(config.withLedgerAndBus(config.ledger(), new BusConfig.Memory())
                        .ledgerFileProblem())
                .isEmpty();
    }

    @Test
    void anAddressWithAPasswordIsNotRepeated() {
        read("ledger: postgres://gavel:hunter2@db/gavel" + TOPIC);
        assertThat(complaints()).startsWith("gavel.yaml:1: ").doesNotContain("hunter2");
    }

    /** The driver itself would print some of these, to standard error or in its exceptions. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://gavel:hunter2@db/gavel",
                "jdbc:postgresql://gavel:hunter2@db:5432/gavel?sslmode=require",
                "jdbc:postgresql://gavel:hunter2/3@db/gavel",
                "jdbc:postgresql://hunter2@db/gavel",
                "jdbc:postgresql://db:hunter2/gavel",
                "jdbc:postgresql://db?password=hunter2",
                "jdbc:postgresql://db:99999/gavel?password=hunter2",
                "jdbc:postgresql://db/gavel?password=hunter2%zz",
            })
    void anAddressThatNoDatabaseCanBeReachedByIsRefusedAndNotRepeated(String address) {
        List<String> logged = new ArrayList<>();
        Handler listening = new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger driver = Logger.getLogger("org.postgresql");
        driver.addHandler(listening);
        try {
            read("ledger: {url: \"" + address + "\"}" + TOPIC);
        } finally {
            driver.removeHandler(listening);
        }
        assertThat(complaints()).startsWith("gavel.yaml:1: 'ledger' ").doesNotContain("hunter2");
        assertThat(logged).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:gavel",
                "jdbc:postgresql://db/gavel?user=gavel&password=hunter2",
                "jdbc:postgresql://db/gavel?password=a@b",
                "jdbc:postgresql://one:5432,two:5433/gavel?targetServerType=primary",
                "jdbc:postgresql://[::1]:5432/gavel",
            })
    void anAddressThatTheDriverUnderstandsIsTaken(String address) {
        assertThat(read("ledger: {url: \"" + address + "\"}" + TOPIC).ledger())
                .isEqualTo(new LedgerConfig.Postgres(address, Optional.empty(), Optional.empty()));
        assertThat(complaints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            listne: here                                  | gavel.yaml:1: unknown key 'listne'. Did you mean 'listen'?
            listen: nowhere                               | gavel.yaml:1: 'listen' must be HOST:PORT, such as 127.0.0.1:4285, not 'nowhere'
            listen: 127.0.0.1:70000                       | gavel.yaml:1: 'listen' must be HOST:PORT, such as 127.0.0.1:4285, not '127.0.0.1:70000'
            limits: {frame: huge}                         | gavel.yaml:1: 'frame' must be a size such as 64KiB or 1MiB, not 'huge'
            limits: {frame: 1b}                           | gavel.yaml:1: 'frame' must be between 1KiB and 64MiB
            limits: {rate: 0/s}                           | gavel.yaml:1: 'rate' must be a rate such as 200/s, not '0/s'
            limits: {ask: {open: 0}}                      | gavel.yaml:1: 'open' must be between 1 and 1000000
            limits: {ask: {hour: 20000}}                  | gavel.yaml:1: 'hour' must be between 1 and 10000
            limits: {ask: {minute: 1}}                    | gavel.yaml:1: unknown key 'minute'. Known keys: open, hour
            limits: {ask: many}                           | gavel.yaml:1: expected a mapping (keys and values), not 'many'
            limits: {bytes: {day: lots}}                  | gavel.yaml:1: 'day' must be a size such as 16MiB or 1GiB, or off, not 'lots'
            limits: {connections: 0}                      | gavel.yaml:1: 'connections' must be at least 1
            limits: {unauthenticated: 0}                  | gavel.yaml:1: 'unauthenticated' must be at least 1
            limits: {unauthenticatedPerAddress: 0}        | gavel.yaml:1: 'unauthenticatedPerAddress' must be at least 1
            limits: {connectionsPerIdentity: 0}           | gavel.yaml:1: 'connectionsPerIdentity' must be at least 1
            limits: {proxies: [balancer]}                 | gavel.yaml:1: 'proxies' must list IP addresses and networks such as 10.0.0.0/8, not 'balancer'
            limits: {proxies: [10.0.0.0/33]}              | gavel.yaml:1: 'proxies' must list IP addresses and networks such as 10.0.0.0/8, not '10.0.0.0/33'
            tls: {key: a}                                 | gavel.yaml:1: 'certificate' is missing
            tls: {certificate: /not/there, key: /}        | gavel.yaml:1: cannot read the file /not/there
            publicUrl: ftp://x                            | gavel.yaml:1: 'publicUrl' must be a URL such as https://gavel.example.org, not 'ftp://x'
            identities: {a: {roles: [amdin]}}             | gavel.yaml:1: unknown role 'amdin'. Did you mean 'admin'?
            identities: {a: {token: short}}               | gavel.yaml:1: the token is too short: use at least 16 random characters
            identities: {a: {token: "${ALICE_TOKEN}"}}    | gavel.yaml:1: the token is a variable, and Gavel does not expand variables: write env:ALICE_TOKEN
            identities: {a: {token: "your-token-here-123"}} | gavel.yaml:1: the token is a placeholder: use a random token, for example from 'openssl rand -hex 32'
            identities: {a: {token: "<your token here>"}} | gavel.yaml:1: the token is a placeholder: use a random token, for example from 'openssl rand -hex 32'
            identities: {a: {token: "xxxxxxxxxxxxxxxxxxxx"}} | gavel.yaml:1: the token is a placeholder: use a random token, for example from 'openssl rand -hex 32'
            identities: {a: {token: "hunter2hunter2hunter2"}} | gavel.yaml:1: the token is too easy to guess: use a random token, for example from 'openssl rand -hex 32'
            publicUrl: http://localhost:8080/             | gavel.yaml:1: 'publicUrl' must not have the host 'localhost', because a browser sends the console's cookie to all programs at this host. On a loopback address, remove publicUrl: 'gavel console' shows the address of the console. Behind a proxy on your machine, use a name that other programs cannot guess, such as http://gavel-RANDOM.localhost:8080
            publicUrl: http://localhost.:8080/| gavel.yaml:1: 'publicUrl' must not have the host 'localhost.', because a browser sends the console's cookie to all programs at this host. On a loopback address, remove publicUrl: 'gavel console' shows the address of the console. Behind a proxy on your machine, use a name that other programs cannot guess, such as http://gavel-RANDOM.localhost:8080
            publicUrl: http://ip6-localhost:8080/| gavel.yaml:1: 'publicUrl' must not have the host 'ip6-localhost', because a browser sends the console's cookie to all programs at this host. On a loopback address, remove publicUrl: 'gavel console' shows the address of the console. Behind a proxy on your machine, use a name that other programs cannot guess, such as http://gavel-RANDOM.localhost:8080
            publicUrl: http://localhost.localdomain:8080/| gavel.yaml:1: 'publicUrl' must not have the host 'localhost.localdomain', because a browser sends the console's cookie to all programs at this host. On a loopback address, remove publicUrl: 'gavel console' shows the address of the console. Behind a proxy on your machine, use a name that other programs cannot guess, such as http://gavel-RANDOM.localhost:8080
            publicUrl: http://0.0.0.0:8080/ | gavel.yaml:1: 'publicUrl' must not have the host '0.0.0.0'. Write the name of the server, or an IP address as four decimal numbers, such as 192.0.2.7
            publicUrl: http://0x7f000001:8080/ | gavel.yaml:1: 'publicUrl' must not have the host '0x7f000001'. Write the name of the server, or an IP address as four decimal numbers, such as 192.0.2.7
            publicUrl: http://2130706433:8080/ | gavel.yaml:1: 'publicUrl' must not have the host '2130706433'. Write the name of the server, or an IP address as four decimal numbers, such as 192.0.2.7
            publicUrl: http://[::]:8080/ | gavel.yaml:1: 'publicUrl' must not have the host '[::]'. Write the name of the server, or an IP address as four decimal numbers, such as 192.0.2.7
            publicUrl: http://[::ffff:0.0.0.0]:8080/ | gavel.yaml:1: 'publicUrl' must not have the host '[::ffff:0.0.0.0]'. Write the name of the server, or an IP address as four decimal numbers, such as 192.0.2.7
            identities: {a: {token: "env:"}}              | gavel.yaml:1: 'env:' must be followed by the name of an environment variable
            identities: {a: {token: "env:NOT_THERE"}}     | gavel.yaml:1: the environment variable NOT_THERE is not set
            identities: {a: {token: "file:/not/there"}}   | gavel.yaml:1: cannot read the token file /not/there
            identities: {a: {token: "sha256:xyz"}}        | gavel.yaml:1: 'sha256:' must be followed by 64 hexadecimal digits
            identities: {a: {token: k-0123456789abcdef}, b: {token: k-0123456789abcdef}} | gavel.yaml:1: 'b' has the same token as 'a'
            topics: {t: {participants: {bob: []}}}        | gavel.yaml:1: 'bob' is not listed under 'identities'
            limits: {open: 0}                             | gavel.yaml:1: 'open' must be at least 1
            ledger: {user: gavel}                         | gavel.yaml:1: 'url' is missing under 'ledger'
            ledger: {url: "jdbc:postgresql://db/g", password: "env:NOT_THERE"} | gavel.yaml:1: the environment variable 'NOT_THERE' is not set
            ledger: {url: "jdbc:postgresql://db/g", password: "${DB}"} | gavel.yaml:1: Gavel does not expand variables such as '${DB}': write env:DB
            ledger: on                                    | gavel.yaml:1: 'ledger' must be sqlite or the URL of a PostgreSQL database, such as jdbc:postgresql://host/gavel
            bus: {url: "nats://host", prefix: "a.b"}        | gavel.yaml:1: 'prefix' must be 1 to 40 letters, digits, - and _, not 'a.b'
            bus: {url: "nats://host", credentials: "/no/such"} | gavel.yaml:1: 'credentials': cannot read the file /no/such
            bus: kafka                                    | gavel.yaml:1: 'bus' must be memory or the URL of a NATS server, such as nats://host:4222
            bus: nats://host:4222                         | gavel.yaml:1: processes that share a bus need a shared ledger: set 'ledger' to jdbc:postgresql://…
            retention: soon                               | gavel.yaml:1: 'retention' must be never or a duration such as 90d, not 'soon'
            retention: 59m                                | gavel.yaml:1: 'retention' must be at least 1h
            audit: off                                    | gavel.yaml:1: 'audit' must be on or sync, not 'off'
            audit: {retention: 59m}                       | gavel.yaml:1: 'retention' must be at least 1h
            audit: {size: 1KiB}                           | gavel.yaml:1: 'size' must be at least 1MiB
            audit: {size: much}                           | gavel.yaml:1: 'size' must be a size such as 500MiB or 2GiB, not 'much'
            audit: {mode: later}                          | gavel.yaml:1: 'mode' must be on or sync, not 'later'
            topics: {t: {ledger: off, audit: sync}}       | gavel.yaml:1: 'audit' has no effect with 'ledger: off'; remove one of the two
            topics: {t: {ledger: sqlite}}                 | gavel.yaml:1: 'ledger' must be true or false, not 'sqlite'
            topics: {t: {ttl: 15m}}                       | gavel.yaml:1: expected a mapping (keys and values), not '15m'
            topics: {t: {ttl: {default: 0s}}}             | gavel.yaml:1: 'default' must be above 0
            topics: {t: {ttl: {default: 2h, max: 1h}}}    | gavel.yaml:1: 'default' must not be longer than 'max'
            topics: {t: {ttl: {default: 25h}}}            | gavel.yaml:1: 'default' must not be longer than 'max', which is 24h by default
            topics: {t: {ttl: {max: 5m}}}                 | gavel.yaml:1: 'max' must not be shorter than 'default', which is 15m by default
            topics: {t: {ttl: {longest: 5m}}}             | gavel.yaml:1: unknown key 'longest'. Known keys: default, max
            topics: {t: {answer: quickly}}                | gavel.yaml:1: 'answer' must be a duration such as 15m or 14d, not 'quickly'
            topics: {t: {answer: 0m}}                     | gavel.yaml:1: 'answer' must be above 0
            topics: {t: {rejection: some}}                | gavel.yaml:1: 'rejection' must be veto or all, not 'some'
            topics: {t: {selfApproval: perhaps}}          | gavel.yaml:1: 'selfApproval' must be true or false, not 'perhaps'
            """)
    void aMistakeIsNamedWithItsLine(String text, String complaint) {
        String rest = text.startsWith("topics") ? "" : TOPIC;
        read(text + rest);
        assertThat(complaints()).isEqualTo(complaint);
    }

    @Test
    void everyMistakeInATopicsRulesIsNamedWithItsLine() {
        read("""
                retention: 5m
                topics:
                  ops:
                    ttl:
                      default: 2h
                      max: 1h
                    answer: 0s
                    rejection: nobody
                """);
        assertThat(complaints().lines().map(line -> line.substring(0, line.indexOf(' '))))
                .containsExactly("gavel.yaml:1:", "gavel.yaml:5:", "gavel.yaml:7:", "gavel.yaml:8:");
    }

    @Test
    void badNamesAndPatternsAreNamedWithTheirLines() {
        read("""
                identities:
                  "system:x": {}
                  a: {}
                topics:
                  Ops:
                    participants:
                      a:
                        - "nonsense pattern"
                        - kind: chat.*
                          paylaod: {}
                """);
        assertThat(complaints().lines())
                .anyMatch(line -> line.startsWith("gavel.yaml:2: member"))
                .anyMatch(line -> line.startsWith("gavel.yaml:5: topic"))
                .anyMatch(line -> line.startsWith("gavel.yaml:8: capability"))
                .anyMatch(line -> line.startsWith("gavel.yaml:10: unknown key 'paylaod'. Did you mean 'payload'?"));
    }

    @Test
    void aLiteralTokenIsNotShownByItsSource() {
        assertThat(TokenSource.parse("very-secret-token-text").toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:0, OPEN",
        "127.9.9.9:4285, OPEN",
        "localhost:4285, OPEN",
        "'[::1]:4285', OPEN",
        "0.0.0.0:4285, TOKEN",
        "'[::]:4285', TOKEN",
        "192.0.2.1:4285, TOKEN",
    })
    void metricsAreOpenOnlyWhereNobodyFromOutsideCanConnect(String listen, WebConfig.MetricsAccess access) {
        ServerConfig config = read(TOPIC).withListen(ListenAddress.parse(listen).orElseThrow());

        assertThat(config.metrics()).isEqualTo(access);
    }
}
