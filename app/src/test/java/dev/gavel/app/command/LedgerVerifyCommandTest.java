package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.gateway.store.ProposalSummaryProjector;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@code gavel ledger verify}. */
class LedgerVerifyCommandTest {
    private String out = "";
    private String err = "";

    @TempDir
    Path data;

    @BeforeEach
    void fill() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
        }
    }

    private int verify(String... arguments) {
        List<String> all = new ArrayList<>(List.of("ledger", "verify", "--data", data.toString()));
        all.addAll(List.of(arguments));
        StringWriter printed = new StringWriter();
        StringWriter complained = new StringWriter();
        int code = GavelCommands.run(
                CommandEnvironment.ofProcess(),
                new PrintWriter(printed),
                new PrintWriter(complained),
                all.toArray(String[]::new));
        out = printed.toString();
        err = complained.toString();
        return code;
    }

    private JsonNode json(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        verify(all.toArray(String[]::new));
        return JsonMapper.shared().readTree(out);
    }

    private String head(String topic) {
        return json("--topic", topic).path("topics").path(0).path("head").asString();
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("ledger.db"));
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.executeUpdate(each);
            }
        }
    }

    @Test
    void aSoundLedgerShowsItsHeads() {
        assertThat(verify()).isZero();
        assertThat(out.lines())
                .satisfiesExactly(
                        lab -> assertThat(lab).matches("lab: 1 event verified; head lab=1:[0-9a-f]{64}"),
                        ops -> assertThat(ops).matches("ops: 4 events verified; head ops=4:[0-9a-f]{64}"),
                        last -> assertThat(last).isEqualTo("no findings: all events are unchanged"));
        assertThat(err).isEmpty();
    }

    @Test
    void aLedgerInUseIsVerifiedToo() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            assertThat(verify("--topic", "ops")).isZero();
            TestLedgerFile.append(ledger, TestLedgerFile.proposedEvent("ops", 5, "p5"));
            assertThat(verify("--topic", "ops")).isZero();
            assertThat(out).startsWith("ops: 5 events verified; head ops=5:");
        }
    }

    @Test
    void eachFindingIsALineThatNamesTheEvent() throws Exception {
        sql("UPDATE event SET actor = 'mallory\u001b[2J' WHERE seq = 3", "DELETE FROM event WHERE seq = 4");
        assertThat(verify()).isEqualTo(1);
        assertThat(out.lines().skip(1))
                .containsExactly(
                        "ops: 3 events verified; head unknown",
                        "ops, seq 3, proposal p2: edited: it is not what was written; it is now 'withdrawn' by 'mallory\\u001b[2J'",
                        "ops, seq 4: missing: the event is missing, and retention did not delete it",
                        "2 findings");
        assertThat(verify("--topic", "lab")).isZero();
    }

    @Test
    void aWholeTopicIsMissed() throws Exception {
        sql("DELETE FROM stream WHERE name = 'ops'");
        assertThat(verify()).isEqualTo(1);
        assertThat(out.lines().skip(1)).containsExactly("missing: 1 whole topic; its name is unknown", "1 finding");
        assertThat(json().path("lostTopics").asInt()).isEqualTo(1);
    }

    @Test
    void aNotedHeadFindsACutTailAndAMissingTopic() throws Exception {
        String ops = head("ops");
        String lab = head("lab");
        assertThat(verify("--head", ops, "--head", lab)).isZero();
        sql(
                "DELETE FROM event WHERE stream = 1 AND seq = 4",
                "UPDATE stream SET last_seq = 3, head = (SELECT hash FROM event WHERE stream = 1 AND seq = 3) WHERE id = 1",
                "DELETE FROM event WHERE stream = 2",
                "DELETE FROM subject WHERE stream = 2",
                "DELETE FROM summary WHERE stream = 2",
                "DELETE FROM stream WHERE id = 2");
        assertThat(verify()).isZero();
        assertThat(verify("--head", ops, "--head", lab)).isEqualTo(1);
        assertThat(out)
                .contains("ops, seq 4: head: the head to compare with is " + ops.substring(6))
                .contains("lab, seq 1: head: the head to compare with is " + lab.substring(6))
                .endsWith("2 findings\n");
        assertThat(json("--head", ops).path("heads"))
                .isEqualTo(JsonMapper.shared().readTree("[{\"head\":\"" + ops + "\",\"result\":\"wrong\"}]"));
    }

    @Test
    void aHeadThatRetentionHasForgottenCannotBeCompared() {
        String head = json("--topic", "ops").path("topics").path(0).path("head").asString();
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.append(ledger, TestLedgerFile.event("ops", 5, "p1", "withdrawn", "w-2", """
                    {"by":"helper","reference":"w-2"}"""));
            ledger.rebuildSummaries(new ProposalSummaryProjector());
            ledger.prune(Instant.MAX, 10);
        }
        assertThat(verify("--topic", "ops", "--head", head)).isZero();
        assertThat(out.lines().toList())
                .contains(
                        "ops, seq 4: this head cannot be compared: retention has deleted the event and the one after it",
                        "no findings: all events are unchanged");
        assertThat(out).startsWith("ops: 0 events verified, 5 deleted by retention; head ops=5:");
    }

    @Test
    void theAnswerInJsonSaysTheSame() throws Exception {
        JsonNode sound = json();
        assertThat(sound.path("ok").asBoolean()).isTrue();
        assertThat(sound.path("topics").path(1).path("topic").asString()).isEqualTo("ops");
        assertThat(sound.path("topics").path(1).path("events").asInt()).isEqualTo(4);
        assertThat(sound.path("topics").path(1).path("head").asString())
                .isEqualTo("ops=4:" + sound.path("topics").path(1).path("hash").asString());
        sql("UPDATE event SET type = 'fulfilled' WHERE seq = 3");
        JsonNode edited = json();
        assertThat(edited.path("ok").asBoolean()).isFalse();
        assertThat(edited.path("findings").size()).isEqualTo(1);
        JsonNode finding = edited.path("findings").path(0);
        assertThat(finding.path("topic").asString()).isEqualTo("ops");
        assertThat(finding.path("seq").asInt()).isEqualTo(3);
        assertThat(finding.path("proposal").asString()).isEqualTo("p2");
        assertThat(finding.path("what").asString()).isEqualTo("edited");
    }

    @Test
    void manyFindingsEndWithACount() throws Exception {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            for (int seq = 5; seq <= 120; seq++) {
                TestLedgerFile.append(ledger, TestLedgerFile.proposedEvent("ops", seq, "p" + seq));
            }
        }
        sql("UPDATE event SET actor = 'mallory'");
        assertThat(verify()).isEqualTo(1);
        assertThat(out.lines()).hasSize(2 + 100 + 2);
        assertThat(out).endsWith("and 21 more\n121 findings\n");
    }

    @Test
    void wrongUsageIsNamed() {
        assertThat(verify("--topic", "opps")).isEqualTo(2);
        assertThat(err).isEqualTo("gavel: the ledger has no events of a topic 'opps'. Did you mean 'ops'?\n");
        for (String head : List.of("ops", "ops=4", "ops=4:abc", "=4:" + "0".repeat(64), "ops=0:" + "0".repeat(64))) {
            assertThat(verify("--head", head)).isEqualTo(2);
            assertThat(err).contains("'" + head + "' is not a head. Use TOPIC=SEQ:HASH");
        }
        assertThat(verify("--topic", "lab", "--head", "ops=4:" + "0".repeat(64)))
                .isEqualTo(2);
        assertThat(err).contains("--head is for the topic 'ops', but --topic is 'lab'");
    }

    @Test
    void whatCannotBeReadIsNoFinding() throws Exception {
        Files.writeString(data.resolve("ledger.db"), "Dear diary, this is not a database, but it is longer than one.");
        assertThat(verify()).isEqualTo(2);
        assertThat(err).contains("cannot be opened");
    }

    @Test
    void theHelpHasExamples() {
        assertThat(verify("--help")).isZero();
        assertThat(out).contains("--config=FILE", "--data=DIR", "--head=TOPIC=SEQ:HASH", "--json", "Examples:");
    }
}
