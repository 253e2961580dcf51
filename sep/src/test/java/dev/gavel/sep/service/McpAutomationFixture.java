package dev.gavel.sep.service;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.notification.SepNotification;
import dev.gavel.sep.notification.SepNotificationReader;
import dev.gavel.sep.process.BuiltInProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Test fixture: a SEP service with the process mcp-2026, and the list of test cases of the MCP project's own automation
 * in the decision record. Alice is the author of the SEPs, and Bob is their sponsor.
 */
final class McpAutomationFixture implements AutoCloseable {
    static final ProcessDefinition PROCESS = BuiltInProcesses.find("mcp-2026").orElseThrow();

    /** How many cases each test file of the automation has. */
    static final Map<String, Integer> CASES_BY_FILE =
            Map.of("comment", 6, "config", 5, "hooks", 4, "ping", 9, "sep-types", 9, "transition", 6);

    private static final Path RECORD = Path.of("../docs/decisions/0098-mcp-2026-and-the-automation-of-mcp.md");
    private static final String NO_COUNTERPART = "No counterpart";

    private final SepServiceFixture sepServiceFixture;

    McpAutomationFixture(Path directory) {
        sepServiceFixture = new SepServiceFixture(directory, PROCESS);
    }

    /** A mirrored case: its name in the decision record, and the test of what Gavel does. */
    record Case(String name, Test test) {
        static Case of(String name, Test test) {
            return new Case(name, test);
        }
    }

    /** A test with a new SEP service. */
    interface Test {
        void run(McpAutomationFixture fixture) throws IOException;
    }

    static Stream<DynamicTest> tests(List<Case> cases, Path directory) {
        return cases.stream()
                .map(each -> DynamicTest.dynamicTest(each.name(), () -> {
                    try (McpAutomationFixture fixture =
                            new McpAutomationFixture(Files.createDirectory(directory.resolve(each.name())))) {
                        each.test().run(fixture);
                    }
                }));
    }

    /** A row of the table in the decision record: the name of a case, and what Gavel does. */
    record RecordedCase(String name, String answer) {
        boolean isMirrored() {
            return !answer.startsWith(NO_COUNTERPART);
        }
    }

    static List<RecordedCase> recordedCases() {
        try (Stream<String> lines = Files.lines(RECORD)) {
            return lines.map(line -> Arrays.stream(line.split("\\|", -1))
                            .map(String::strip)
                            .toList())
                    .filter(cells -> cells.size() == 5 && cells.get(1).matches("[a-z-]+ [0-9]+"))
                    .map(cells -> new RecordedCase(cells.get(1), cells.get(3)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Continues with another process. */
    void useProcess(ProcessDefinition other) {
        sepServiceFixture.reopen(other);
    }

    /** Submits a SEP by Alice. */
    int proposal() {
        return sepServiceFixture.submit("alice", "Streams");
    }

    /** Submits a SEP by Alice that Bob sponsors. */
    int draft() {
        int number = proposal();
        execute("bob", SepOperation.SPONSOR, number);
        return number;
    }

    Json execute(String who, SepOperation operation, int number, Object... more) {
        return sepServiceFixture.executeSuccessfully(who, operation, withNumber(number, more));
    }

    SepResult.Refused refuse(String who, SepOperation operation, int number, Object... more) {
        return sepServiceFixture.executeRefused(who, operation, withNumber(number, more));
    }

    private static Object[] withNumber(int number, Object... more) {
        return Stream.concat(Stream.of("number", number), Arrays.stream(more)).toArray();
    }

    Json importDocument(String document) {
        return sepServiceFixture.executeSuccessfully("dave", SepOperation.IMPORT, "document", document);
    }

    void advanceDays(int days) {
        sepServiceFixture.advanceClock(Duration.ofDays(days));
    }

    /** Sweeps, and returns the actions of the sweep. */
    List<Json> sweep() {
        return sepServiceFixture
                .executeSuccessfully("dave", SepOperation.SWEEP)
                .at("due")
                .elements();
    }

    /** Returns the actions that a sweep would perform now. */
    List<Json> sweepDry() {
        return sepServiceFixture
                .executeSuccessfully("erin", SepOperation.SWEEP, "dryRun", true)
                .at("due")
                .elements();
    }

    /** Sweeps every day for some days, and returns the actions of all sweeps. */
    List<Json> sweepDaily(int days) {
        return Stream.generate(() -> {
                    advanceDays(1);
                    return sweep();
                })
                .limit(days)
                .flatMap(List::stream)
                .toList();
    }

    String state(int number) {
        return execute("erin", SepOperation.SHOW, number).at("status").text();
    }

    /** Returns the sentences of the history, the earliest first. */
    List<String> history(int number) {
        return execute("erin", SepOperation.HISTORY, number).at("events").elements().stream()
                .map(event -> event.at("says").text())
                .toList();
    }

    SepNotification lastNotification() {
        return service().notificationReaders(Optional.empty()).getFirst().readAfter(0, 1_000).stream()
                .map(SepNotificationReader.Entry::notification)
                .flatMap(Optional::stream)
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    LedgerSepService service() {
        return sepServiceFixture.service();
    }

    @Override
    public void close() {
        sepServiceFixture.close();
    }
}
