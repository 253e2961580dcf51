package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.gateway.call.CallStreamLayout;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.web.registry.IdentitySummaryProjector;
import dev.gavel.web.registry.RegistrySnapshot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code gavel ledger rebuild}. */
class LedgerRebuildCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path data;

    private int rebuild() {
        return GavelCommands.run(
                CommandEnvironment.ofProcess(),
                new PrintWriter(out),
                new PrintWriter(err),
                "ledger",
                "rebuild",
                "--data",
                data.toString());
    }

    private Optional<SubjectSummary> summary(String topic, String proposal) {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            return ledger.summary(topic, proposal);
        }
    }

    @Test
    void everyProposalStandsAsItsEventsSay() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
        }
        assertThat(summary("ops", "p1").map(SubjectSummary::state)).contains("unsaid");
        assertThat(rebuild()).isZero();
        assertThat(out.toString()).isEqualTo("rebuilt the index of 3 proposals\n");
        assertThat(err.toString()).isEmpty();
        SubjectSummary open = summary("ops", "p1").orElseThrow();
        assertThat(open.open()).isTrue();
        assertThat(open.owner()).isEqualTo("helper");
        assertThat(open.lastSeq()).isEqualTo(4);
        SubjectSummary withdrawn = summary("ops", "p2").orElseThrow();
        assertThat(withdrawn.state()).isEqualTo("withdrawn");
        assertThat(withdrawn.open()).isFalse();
        assertThat(withdrawn.endedAt()).isEqualTo(TestLedgerFile.START.plusSeconds(3));
        assertThat(summary("lab", "p1").map(SubjectSummary::owner)).contains("helper");
    }

    @Test
    void identitiesAreNoProposals() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
            LedgerEvent event = new LedgerEvent(
                    RegistrySnapshot.STREAM,
                    1,
                    TestLedgerFile.START,
                    "helper",
                    "member.removed",
                    "alice",
                    null,
                    LedgerBody.of("{\"topic\":\"ops\"}"));
            SubjectSummary line = new IdentitySummaryProjector().project(List.of(event));
            ledger.write(Set.of(RegistrySnapshot.STREAM), reader -> new LedgerBatch(List.of(event), List.of(line)));
        }
        assertThat(rebuild()).isZero();
        assertThat(out.toString()).isEqualTo("rebuilt the index of 3 proposals, 1 identity\n");
        assertThat(summary(RegistrySnapshot.STREAM, "helper").map(SubjectSummary::open))
                .contains(true);
    }

    @Test
    void recordsOfCallsAreNoProposals() {
        String stream = CallStreamLayout.of("ops");
        LedgerEvent event = new LedgerEvent(
                stream,
                1,
                TestLedgerFile.START,
                "one",
                "started",
                "system:gateway",
                null,
                LedgerBody.of("{\"gateway\":\"one\"}"));
        SubjectSummary period = CallStreamLayout.summaryProjector().project(List.of(event));
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
            ledger.write(Set.of(stream), reader -> new LedgerBatch(List.of(event), List.of(period)));
        }
        assertThat(rebuild()).isZero();
        assertThat(out.toString()).isEqualTo("rebuilt the index of 3 proposals\n");
        assertThat(summary(stream, "one")).contains(period);
    }

    @Test
    void aLedgerInUseIsLeftAlone() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
            assertThat(rebuild()).isEqualTo(2);
            assertThat(err.toString()).contains("in use by another process", "Stop that process");
            assertThat(ledger.summary("ops", "p1").map(SubjectSummary::state)).contains("unsaid");
        }
    }

    @Test
    void anEventThatCannotBeReadIsNamedAndNothingIsChanged() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
            TestLedgerFile.append(ledger, TestLedgerFile.event("ops", 5, "p1", "marvelled", null, "{}"));
        }
        assertThat(rebuild()).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("gavel: nothing was changed: topic 'ops', seq 5: event 'marvelled' cannot be read");
        assertThat(summary("ops", "p2").map(SubjectSummary::state)).contains("unsaid");
    }

    @Test
    void aHistoryThatCannotBeOneIsNamedAndNothingIsChanged() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.append(ledger, TestLedgerFile.event("ops", 1, "p1", "expired", null, "{}"));
        }
        assertThat(rebuild()).isEqualTo(1);
        assertThat(err.toString()).startsWith("gavel: nothing was changed: topic 'ops', proposal 'p1': ");
    }

    @Test
    void whereNoLedgerIsNoneIsMade() {
        assertThat(rebuild()).isEqualTo(2);
        assertThat(err.toString()).startsWith("gavel: the ledger " + data.resolve("ledger.db") + " does not exist.");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void theHelpHasExamples() {
        assertThat(GavelCommands.run(
                        CommandEnvironment.ofProcess(),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        "ledger",
                        "rebuild",
                        "--help"))
                .isZero();
        assertThat(out.toString()).contains("--config=FILE", "--data=DIR", "Examples:", "Stop the server first.");
    }

    @Test
    void aProgramIsToldTheNumber() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
        }
        assertThat(GavelCommands.run(
                        CommandEnvironment.ofProcess(),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        "--json",
                        "ledger",
                        "rebuild",
                        "--data",
                        data.toString()))
                .isZero();
        assertThat(out.toString()).isEqualTo("{\"rebuilt\":3,\"identities\":0,\"desk\":0}\n");
    }
}
