package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.ExitCode;
import dev.gavel.ledger.postgres.PostgresLedger;
import dev.gavel.ledger.postgres.TestPostgresLedgers;
import dev.gavel.ledger.postgres.TestPostgresServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server and the ledger commands on PostgreSQL. */
class PostgresLedgerCommandsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final String url = TestPostgresServer.shared().freshDatabase();

    @TempDir
    Path directory;

    private Path config;

    @BeforeEach
    void fill() throws IOException {
        try (PostgresLedger ledger = TestPostgresLedgers.shared(url)) {
            TestLedgerFile.fill(ledger);
        }
        config = Files.writeString(directory.resolve("gavel.yaml"), configuration());
    }

    private String configuration() {
        return "ledger: \"" + url + "\"\ndata: " + directory.resolve("data") + "\n"
                + TestServer.CONFIG.replace("ledger: off", "ledger: on");
    }

    private int gavel(String... arguments) {
        return GavelCommands.run(CommandEnvironment.ofProcess(), new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void eventsAreExportedAndVerifiedBesideARunningServerAndTheIndexIsRebuiltWithoutOne() throws Exception {
        Path target = directory.resolve("events.jsonl");
        try (TestServer server = new TestServer(configuration(), 1)) {
            assertThat(server.join("alice")).isNotNull();
            assertThat(gavel("ledger", "export", "--config", config.toString(), "--out", target.toString()))
                    .as(err.toString())
                    .isZero();
            // The open proposal's time to live had passed, so it expired when the server started.
            assertThat(Files.readAllLines(target)).hasSizeGreaterThanOrEqualTo(5);
            assertThat(gavel("ledger", "verify", "--config", config.toString()))
                    .as(out.toString())
                    .isZero();
            assertThat(out.toString()).contains("ops:", "no findings: all events are unchanged");
            assertThat(gavel("ledger", "rebuild", "--config", config.toString()))
                    .isEqualTo(ExitCode.USAGE);
            assertThat(err.toString()).contains("Another gateway is using the ledger");
        }
        assertThat(gavel("ledger", "rebuild", "--config", config.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("rebuilt the index of 3 proposals");
    }

    @Test
    void whatWasEditedInTheDatabaseIsFound() {
        TestPostgresServer.shared().execute(url, "UPDATE event SET actor = 'mallory' WHERE type = 'withdrawn'");
        assertThat(gavel("ledger", "verify", "--config", config.toString())).isEqualTo(ExitCode.FAILURE);
        assertThat(out.toString()).contains("ops, seq 3, proposal p2: edited", "mallory");
    }

    @Test
    void aServerThatCannotListenSaysSoAndLetsGoOfTheLedger() throws Exception {
        try (TestServer other = new TestServer(TestServer.CONFIG, 1)) {
            String same = configuration()
                    .replace("127.0.0.1:0", "127.0.0.1:" + other.listen().port());
            assertThatExceptionOfType(BindException.class)
                    .isThrownBy(() -> new TestServer(same, 1).close())
                    .withMessageContaining(
                            "cannot listen on 127.0.0.1:" + other.listen().port());
        }
        new TestServer(configuration(), 1).close();
        assertThat(gavel("ledger", "rebuild", "--config", config.toString()))
                .as(err.toString())
                .isZero();
    }

    @Test
    void aServerThatHasNothingToWriteNoticesThatTheDatabaseIsAwayAndBack() throws Exception {
        TestPostgresServer database = TestPostgresServer.shared();
        String name = url.replaceFirst(".*/(\\w+)\\?.*", "$1");
        String administrator = url.replace("/" + name + "?", "/postgres?");
        try (TestServer server = new TestServer(configuration(), 1)) {
            assertThat(server.metrics()).contains("gavel_ledger_available 1");
            database.execute(administrator, "ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
            database.execute(
                    administrator,
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '" + name + "'");
            await().atMost(PATIENCE).until(() -> server.metrics().contains("gavel_ledger_available 0"));
            database.execute(administrator, "ALTER DATABASE " + name + " ALLOW_CONNECTIONS true");
            await().atMost(PATIENCE).until(() -> server.metrics().contains("gavel_ledger_available 1"));
        }
    }

    @Test
    void aSecondServerWithoutABusDoesNotStart() throws Exception {
        try (TestServer server = new TestServer(configuration(), 1)) {
            assertThat(server.listen().port()).isPositive();
            assertThatIOException()
                    .isThrownBy(() -> new TestServer(configuration(), 1).close())
                    .withMessageContaining("Another gateway is using the ledger")
                    .withMessageContaining("bus: nats://");
        }
        assertThat(List.of(directory.toFile().list())).doesNotContain("ledger.db");
    }
}
