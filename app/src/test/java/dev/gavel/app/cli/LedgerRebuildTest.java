package dev.gavel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.register.Register;
import dev.gavel.app.register.RegisterProjector;
import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerRebuildTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path data;

    private int rebuild() {
        return GavelCommands.run(
                Surroundings.real(),
                new PrintWriter(out),
                new PrintWriter(err),
                "ledger",
                "rebuild",
                "--data",
                data.toString());
    }

    private Optional<Summary> summary(String topic, String proposal) {
        try (SqliteLedger ledger = LedgerFile.open(data)) {
            return ledger.summary(topic, proposal);
        }
    }

    @Test
    void everyProposalStandsAsItsEventsSay() {
        try (SqliteLedger ledger = LedgerFile.open(data)) {
            LedgerFile.fill(ledger);
        }
        assertThat(summary("ops", "p1").map(Summary::state)).contains("unsaid");
        assertThat(rebuild()).isZero();
        assertThat(out.toString()).isEqualTo("rebuilt the index of 3 proposals\n");
        assertThat(err.toString()).isEmpty();
        Summary open = summary("ops", "p1").orElseThrow();
        assertThat(open.open()).isTrue();
        assertThat(open.owner()).isEqualTo("helper");
        assertThat(open.lastSeq()).isEqualTo(4);
        Summary withdrawn = summary("ops", "p2").orElseThrow();
        assertThat(withdrawn.state()).isEqualTo("withdrawn");
        assertThat(withdrawn.open()).isFalse();
        assertThat(withdrawn.endedAt()).isEqualTo(LedgerFile.START.plusSeconds(3));
        assertThat(summary("lab", "p1").map(Summary::owner)).contains("helper");
    }

    @Test
    void identitiesAreNoProposals() {
        try (SqliteLedger ledger = LedgerFile.open(data)) {
            LedgerFile.fill(ledger);
            Event event = new Event(
                    Register.STREAM,
                    1,
                    LedgerFile.START,
                    "helper",
                    "member.removed",
                    "alice",
                    null,
                    Body.of("{\"topic\":\"ops\"}"));
            Summary line = new RegisterProjector().summarise(List.of(event));
            ledger.write(Set.of(Register.STREAM), reader -> new Batch(List.of(event), List.of(line)));
        }
        assertThat(rebuild()).isZero();
        assertThat(out.toString()).isEqualTo("rebuilt the index of 3 proposals and 1 identity\n");
        assertThat(summary(Register.STREAM, "helper").map(Summary::open)).contains(true);
    }

    @Test
    void aLedgerInUseIsLeftAlone() {
        try (SqliteLedger ledger = LedgerFile.open(data)) {
            LedgerFile.fill(ledger);
            assertThat(rebuild()).isEqualTo(2);
            assertThat(err.toString()).contains("in use by another process", "Stop that one first");
            assertThat(ledger.summary("ops", "p1").map(Summary::state)).contains("unsaid");
        }
    }

    @Test
    void anEventThatCannotBeReadIsNamedAndNothingIsChanged() {
        try (SqliteLedger ledger = LedgerFile.open(data)) {
            LedgerFile.fill(ledger);
            LedgerFile.append(ledger, LedgerFile.event("ops", 5, "p1", "marvelled", null, "{}"));
        }
        assertThat(rebuild()).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("gavel: nothing was changed: topic 'ops', seq 5: event 'marvelled' cannot be read");
        assertThat(summary("ops", "p2").map(Summary::state)).contains("unsaid");
    }

    @Test
    void aHistoryThatCannotBeOneIsNamedAndNothingIsChanged() {
        try (SqliteLedger ledger = LedgerFile.open(data)) {
            LedgerFile.append(ledger, LedgerFile.event("ops", 1, "p1", "expired", null, "{}"));
        }
        assertThat(rebuild()).isEqualTo(1);
        assertThat(err.toString()).startsWith("gavel: nothing was changed: topic 'ops', proposal 'p1': ");
    }

    @Test
    void whereNoLedgerIsNoneIsMade() {
        assertThat(rebuild()).isEqualTo(2);
        assertThat(err.toString()).startsWith("gavel: there is no ledger " + data.resolve("ledger.db"));
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void theHelpHasExamples() {
        assertThat(GavelCommands.run(
                        Surroundings.real(), new PrintWriter(out), new PrintWriter(err), "ledger", "rebuild", "--help"))
                .isZero();
        assertThat(out.toString()).contains("--config=FILE", "--data=DIR", "Examples:", "must be stopped");
    }

    @Test
    void aProgramIsToldTheNumber() {
        try (SqliteLedger ledger = LedgerFile.open(data)) {
            LedgerFile.fill(ledger);
        }
        assertThat(GavelCommands.run(
                        Surroundings.real(),
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
