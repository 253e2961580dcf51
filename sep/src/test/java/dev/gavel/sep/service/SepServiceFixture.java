package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.BuiltInProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A SEP service on a real SQLite ledger, with five people and a clock that tests set. Alice is an author, bob is a
 * maintainer, carol and dave are core maintainers, and erin has no role.
 */
final class SepServiceFixture implements AutoCloseable {
    static final Instant START = Instant.parse("2026-01-05T09:00:00Z");

    private final Path directory;
    private ProcessDefinition processDefinition;
    private final List<PeopleDirectory.KnownPerson> people = new ArrayList<>(List.of(
            new PeopleDirectory.KnownPerson("alice", "Alice", Set.of(), List.of("@alice-writes")),
            new PeopleDirectory.KnownPerson("bob", "Bob", Set.of("maintainer"), List.of()),
            new PeopleDirectory.KnownPerson("carol", "Carol", Set.of("core-maintainer"), List.of("@Carol")),
            new PeopleDirectory.KnownPerson("dave", "Dave", Set.of("core-maintainer", "admin"), List.of()),
            new PeopleDirectory.KnownPerson("erin", "Erin", Set.of(), List.of())));
    private final ExecutorService executor =
            Executors.newFixedThreadPool(2, Thread.ofPlatform().daemon().factory());
    private Instant now = START;
    private long maxDailyBytes = Long.MAX_VALUE;
    private SepLimits.SubmissionLimit submissionLimit = SepLimits.SubmissionLimit.OFF;
    private SqliteLedger ledger;
    private LedgerWriter writer;
    private LedgerSepService service;

    SepServiceFixture(Path directory) {
        this(directory, BuiltInProcesses.defaultProcess());
    }

    SepServiceFixture(Path directory, ProcessDefinition processDefinition) {
        this.directory = directory;
        this.processDefinition = processDefinition;
        open();
    }

    private void open() {
        ledger = ((SqliteOpenResult.Opened) SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT))
                .ledger();
        writer = new LedgerWriter(ledger, () -> now, WriterOptions.DEFAULT);
        service = new LedgerSepService(
                ledger,
                writer,
                new LifecycleEngine(processDefinition),
                () -> List.copyOf(people),
                () -> now,
                ExecutorPools.shared(executor),
                new SepLimits(2, maxDailyBytes, identity -> submissionLimit));
    }

    /** Reopens the ledger with a limit on what one identity may store on one day. */
    void reopen(long newMaxDailyBytes) {
        maxDailyBytes = newMaxDailyBytes;
        reopen();
    }

    /** Limits how many SEPs one identity may submit. */
    void limitSubmissions(int open, int hour) {
        submissionLimit = new SepLimits.SubmissionLimit(open, hour);
    }

    /** Reopens the ledger, as a new server process would. */
    void reopen() {
        closeLedger();
        open();
    }

    /** Reopens the ledger with another process definition. */
    void reopen(ProcessDefinition other) {
        processDefinition = other;
        reopen();
    }

    /** Returns a second service on the same ledger, as another server process would have it. */
    LedgerSepService secondService() {
        return new LedgerSepService(
                ledger,
                writer,
                new LifecycleEngine(processDefinition),
                () -> List.copyOf(people),
                () -> now,
                ExecutorPools.shared(executor),
                SepLimits.forSponsors(2));
    }

    SqliteLedger ledger() {
        return ledger;
    }

    LedgerWriter writer() {
        return writer;
    }

    LedgerSepService service() {
        return service;
    }

    void setPerson(PeopleDirectory.KnownPerson knownPerson) {
        people.removeIf(each -> each.id().equals(knownPerson.id()));
        people.add(knownPerson);
    }

    void advanceClock(Duration time) {
        now = now.plus(time);
    }

    Instant now() {
        return now;
    }

    private SepCaller caller(String who) {
        return people.stream()
                .filter(knownPerson -> knownPerson.id().equals(who))
                .map(knownPerson -> new SepCaller(who, knownPerson.roles()))
                .findFirst()
                .orElseThrow();
    }

    SepResult execute(String who, SepOperation sepOperation, Json arguments) {
        return service.execute(caller(who), sepOperation, arguments)
                .toCompletableFuture()
                .join();
    }

    /** Executes an operation with arguments in pairs: name, value. */
    SepResult execute(String who, SepOperation sepOperation, Object... pairs) {
        return execute(who, sepOperation, arguments(pairs));
    }

    static Json arguments(Object... pairs) {
        Json json = Json.object();
        for (int i = 0; i < pairs.length; i += 2) {
            Json value = switch (pairs[i + 1]) {
                case Integer number -> Json.of(number);
                case Boolean truth -> Json.of(truth);
                case Json ready -> ready;
                default -> Json.ofText(pairs[i + 1].toString());
            };
            json = json.with(pairs[i].toString(), value);
        }
        return json;
    }

    Json executeSuccessfully(String who, SepOperation sepOperation, Object... pairs) {
        SepResult sepResult = execute(who, sepOperation, pairs);
        assertThat(sepResult).isInstanceOf(SepResult.Success.class);
        return ((SepResult.Success) sepResult).body();
    }

    SepResult.Refused executeRefused(String who, SepOperation sepOperation, Object... pairs) {
        SepResult sepResult = execute(who, sepOperation, pairs);
        assertThat(sepResult).isInstanceOf(SepResult.Refused.class);
        return (SepResult.Refused) sepResult;
    }

    /** Returns a document with every section. */
    static String document(String title, String... preamble) {
        StringBuilder text = new StringBuilder("# SEP-XXXX: " + title + "\n\n- **Status**: Draft\n");
        for (String line : preamble) {
            text.append("- ").append(line).append('\n');
        }
        for (String section : List.of(
                "Abstract",
                "Motivation",
                "Specification",
                "Rationale",
                "Backward Compatibility",
                "Security Implications",
                "Reference Implementation")) {
            text.append("\n## ")
                    .append(section)
                    .append("\n\nWhat there is to say of ")
                    .append(title)
                    .append(".\n");
        }
        return text.toString();
    }

    int submit(String who, String title, String... preamble) {
        return (int) executeSuccessfully(who, SepOperation.SUBMIT, "document", document(title, preamble))
                .at("number")
                .asLong(0);
    }

    /** Attaches evidence that another person confirms. */
    void attachConfirmed(String who, int number, String kind, String value, String confirmingPerson) {
        executeSuccessfully(
                who,
                SepOperation.ATTACH,
                "number",
                number,
                "evidence",
                Json.object().with(kind, Json.ofText(value)));
        executeSuccessfully(confirmingPerson, SepOperation.CONFIRM, "number", number, "kind", kind);
    }

    private void closeLedger() {
        writer.close();
        ledger.close();
    }

    @Override
    public void close() {
        closeLedger();
        executor.shutdown();
    }
}
