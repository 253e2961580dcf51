package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.cli.CommandEnvironment;
import dev.gavel.gateway.store.ProposalSummaryProjector;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.mcpx.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@code gavel ledger export} to files. */
class LedgerExportCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    private Path data;
    private Path target;

    @BeforeEach
    void setUp() {
        data = directory.resolve("data");
        target = directory.resolve("events.jsonl");
    }

    private int export(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "ledger";
        all[1] = "export";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return GavelCommands.run(CommandEnvironment.ofProcess(), new PrintWriter(out), new PrintWriter(err), all);
    }

    private int runExport(String... more) {
        String[] all = new String[more.length + 4];
        all[0] = "--data";
        all[1] = data.toString();
        all[2] = "--out";
        all[3] = target.toString();
        System.arraycopy(more, 0, all, 4, more.length);
        return export(all);
    }

    private void filled() {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
        }
    }

    private List<JsonNode> lines() throws IOException {
        String text = Files.readString(target);
        assertThat(text).endsWith("\n").doesNotContain("\r");
        return text.lines().map(line -> JsonMapper.shared().readTree(line)).toList();
    }

    @Test
    void aTerminalGetsHiddenCharactersAsEscapes() throws IOException {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        String line = "{\"note\":\"a\u009bb\u007fc\u202ed\u200be é\"}\n";
        try (SafeJsonLineOutputStream stream = new SafeJsonLineOutputStream(terminal)) {
            stream.write(line.getBytes(UTF_8));
            stream.write("{}".getBytes(UTF_8));
        }
        assertThat(terminal.toString(UTF_8)).isEqualTo("{\"note\":\"a\\u009bb\\u007fc\\u202ed\\u200be é\"}\n{}");
    }

    @Test
    void everyEventIsALineOfJsonWithItsBodyAsItWas() throws IOException {
        filled();
        assertThat(runExport("--format", "jsonl")).isZero();
        assertThat(lines()).hasSize(5);
        LedgerEvent event = TestLedgerFile.proposedEvent("ops", 1, "p1");
        byte[] body = event.body().bytes();
        String breaks = IntStream.range(0, body.length)
                .filter(i -> body[i] == '\n' || body[i] == '\r')
                .mapToObj(i -> "[" + i + "," + body[i] + "]")
                .collect(Collectors.joining(","));
        JsonNode expected = JsonMapper.shared().readTree("""
                {"topic":"ops","seq":1,"at":"2026-01-05T10:00:01Z","proposal":"p1","type":"proposed","by":"helper",
                 "envelope":"p1","hash":"%s","breaks":[%s],"body":%s}""".formatted(
                HashChainCalculator.nextHash(HashChainCalculator.GENESIS_HASH, 1, HashChainCalculator.digest(event)),
                breaks,
                event.body()));
        assertThat(lines().getFirst()).isEqualTo(expected);
        assertThat(Files.readString(target)).contains("grün ☂\\n\\r", "1.50e+2");
        assertThat(err.toString()).isEqualTo("exported 5 events to " + target + "\n");
        assertThat(out.toString()).isEmpty();
    }

    /** Follows the procedure for auditors in docs/ledger.md. */
    @Test
    void everyLineCanBeCheckedWithoutGavel() throws Exception {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
            ledger.rebuildSummaries(new ProposalSummaryProjector());
            assertThat(ledger.prune(Instant.MAX, 10)).isEqualTo(1);
        }
        assertThat(runExport("--topic", "ops")).isZero();
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        byte[] before = new byte[32];
        List<Boolean> follows = new ArrayList<>();
        for (String line : Files.readAllLines(target)) {
            JsonNode json = JsonMapper.shared().readTree(line);
            byte[] body = line.substring(line.indexOf(",\"body\":") + 8, line.length() - 1)
                    .getBytes(UTF_8);
            json.path("breaks")
                    .forEach(each ->
                            body[each.path(0).asInt()] = (byte) each.path(1).asInt());
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(1);
            for (String name : List.of("topic", "at", "proposal", "type", "by", "envelope")) {
                if (name.equals("at")) {
                    Duration since = Duration.between(
                            Instant.EPOCH, Instant.parse(json.path(name).asString()));
                    out.writeLong(since.toNanos() / 1000);
                } else if (json.has(name)) {
                    out.writeInt(json.path(name).asString().getBytes(UTF_8).length);
                    out.write(json.path(name).asString().getBytes(UTF_8));
                } else {
                    out.writeInt(-1);
                }
            }
            out.writeInt(body.length);
            out.write(body);
            follows.add(json.has("follows"));
            if (json.has("follows")) {
                before = HexFormat.of().parseHex(json.path("follows").asString());
            }
            byte[] digest = sha.digest(bytes.toByteArray());
            bytes.reset();
            out.write(before);
            out.writeLong(json.path("seq").asLong());
            out.write(digest);
            before = sha.digest(bytes.toByteArray());
            assertThat(json.path("hash").asString()).isEqualTo(HexFormat.of().formatHex(before));
        }
        assertThat(follows).containsExactly(false, true);
    }

    @Test
    void anEventNoEnvelopeCausedNamesNone() throws IOException {
        filled();
        assertThat(runExport()).isZero();
        JsonNode last = lines().getLast();
        assertThat(last.path("type").asString()).isEqualTo("unreachable");
        assertThat(last.has("envelope")).isFalse();
    }

    @Test
    void oneTopicAloneIsInItsOrder() throws IOException {
        filled();
        assertThat(runExport("--topic", "ops")).isZero();
        assertThat(lines().stream().map(line -> line.path("topic").asString())).containsOnly("ops");
        assertThat(lines().stream().map(line -> line.path("seq").asLong())).containsExactly(1L, 2L, 3L, 4L);
        assertThat(err.toString()).startsWith("exported 4 events");
    }

    @Test
    void aTopicNothingWasWrittenToIsAMistake() {
        filled();
        assertThat(runExport("--topic", "opps")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: the ledger has no events of a topic 'opps'. Did you mean 'ops'?\n");
        assertThat(target).doesNotExist();
    }

    @Test
    void aLedgerThatIsBeingWrittenIsExportedAsItIsAtThatMoment() throws IOException {
        try (SqliteLedger ledger = TestLedgerFile.open(data)) {
            TestLedgerFile.fill(ledger);
            assertThat(runExport()).isZero();
            assertThat(lines()).hasSize(5);
            TestLedgerFile.append(ledger, TestLedgerFile.proposedEvent("ops", 5, "p5"));
            assertThat(runExport()).isZero();
            assertThat(lines()).hasSize(6);
        }
    }

    @Test
    void theFileIsItsOwnersAloneAndNothingIsLeftBeside() throws IOException {
        filled();
        Files.writeString(target, "of yesterday");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(runExport()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-------");
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(data, target);
        }
    }

    @Test
    void anExportThatFailsLeavesTheEarlierFile() throws Exception {
        filled();
        Files.writeString(target, "of yesterday");
        // Damage that is detected only when the event is read.
        try (var connection = java.sql.DriverManager.getConnection("jdbc:sqlite:" + data.resolve("ledger.db"));
                var statement = connection.createStatement()) {
            statement.executeUpdate("ALTER TABLE event RENAME COLUMN actor TO somebody");
        }
        assertThat(runExport()).isEqualTo(1);
        assertThat(err.toString()).startsWith("gavel: the ledger could not be read: ");
        assertThat(Files.readString(target)).isEqualTo("of yesterday");
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(data, target);
        }
    }

    @Test
    void anEmptyLedgerIsAnEmptyFile() throws IOException {
        TestLedgerFile.open(data).close();
        assertThat(runExport()).isZero();
        assertThat(target).isEmptyFile();
        assertThat(err.toString()).startsWith("exported 0 events");
    }

    @Test
    void whereNoLedgerIsNoneIsMade() {
        assertThat(runExport()).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: the ledger " + data.resolve("ledger.db")
                        + " does not exist. Set its data directory with --data.\n");
        assertThat(data).doesNotExist();
        assertThat(target).doesNotExist();
    }

    @Test
    void theConfigurationSaysWhereTheLedgerIs() throws IOException {
        filled();
        Path config = Files.writeString(
                directory.resolve("gavel.yaml"), "data: " + data + "\ntopics: {ops: {participants: {}}}\n");
        assertThat(export("--config", config.toString(), "--out", target.toString()))
                .isZero();
        assertThat(lines()).hasSize(5);
    }

    @Test
    void secretsOfTheConfigurationAreNotNeeded() throws IOException {
        filled();
        Path config = Files.writeString(directory.resolve("gavel.yaml"), """
                data: %s
                identities: {alice: {token: "env:NO_SUCH_VARIABLE_HERE"}, bob: {token: "file:/not/there"}}
                topics: {ops: {participants: {alice: ["*"]}}}
                bridges: {files: {topic: ops, command: [x], env: {KEY: "env:NO_SUCH_VARIABLE_HERE"}}}
                sep: {webhooks: ["env:NO_SUCH_VARIABLE_HERE"]}
                """.formatted(data));
        assertThat(export("--config", config.toString(), "--out", target.toString()))
                .as(err.toString())
                .isZero();
        assertThat(lines()).hasSize(5);
        for (String command : List.of("verify", "rebuild")) {
            assertThat(GavelCommands.run(
                            CommandEnvironment.ofProcess(),
                            new PrintWriter(out),
                            new PrintWriter(err),
                            "ledger",
                            command,
                            "--config",
                            config.toString()))
                    .as(command + err)
                    .isZero();
        }
    }

    @Test
    void aConfigurationThatCannotBeReadIsNamedUnlessTheDataDirectoryIsGiven() throws IOException {
        filled();
        Path config = Files.writeString(directory.resolve("gavel.yaml"), "data: [\n");
        assertThat(export("--config", config.toString(), "--out", target.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).startsWith("gavel: " + config + ":");
        assertThat(runExport("--config", config.toString())).isZero();
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() {
        filled();
        Path nowhere = directory.resolve("not/there.jsonl");
        assertThat(export("--data", data.toString(), "--out", nowhere.toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("gavel: cannot write " + nowhere + ": the directory " + requireNonNull(nowhere.getParent())
                        + " does not exist\n");
    }

    @Test
    void theLedgerIsNotWrittenOver() throws IOException {
        filled();
        Path ledger = data.resolve("ledger.db");
        byte[] before = Files.readAllBytes(ledger);
        assertThat(export("--data", data.toString(), "--out", ledger.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("is the ledger itself");
        assertThat(Files.readAllBytes(ledger)).isEqualTo(before);
    }

    @Test
    void anotherFormatIsWrongUsage() {
        assertThat(runExport("--format", "csv")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("gavel: unknown format 'csv'. Use jsonl. See 'gavel ledger export --help'.\n");
    }

    @Test
    void theHelpHasExamples() {
        assertThat(export("--help")).isZero();
        assertThat(out.toString())
                .contains("--data=DIR", "--format=FORMAT", "--out=FILE", "--topic=TOPIC", "Examples:");
    }

    @Test
    void aProgramIsToldHowManyAndWhere() {
        filled();
        assertThat(runExport("--json")).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(Json.parse(out.toString()).orElseThrow().at("exported").asLong(0))
                .isEqualTo(5);
        assertThat(Json.parse(out.toString()).orElseThrow().at("file").text()).isEqualTo(target.toString());
    }
}
