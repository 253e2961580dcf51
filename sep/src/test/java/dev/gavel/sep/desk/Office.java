package dev.gavel.sep.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.Processes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A desk on a real ledger, with a clock that is set by hand. Alice writes, bob is a maintainer, carol and dave are core
 * maintainers, erin is nobody in particular.
 */
final class Office implements AutoCloseable {
    static final Instant START = Instant.parse("2026-01-05T09:00:00Z");

    private final Path directory;
    private Process process;
    private final List<People.Known> people = new ArrayList<>(List.of(
            new People.Known("alice", "Alice", Set.of(), List.of("@alice-writes")),
            new People.Known("bob", "Bob", Set.of("maintainer"), List.of()),
            new People.Known("carol", "Carol", Set.of("core-maintainer"), List.of("@Carol")),
            new People.Known("dave", "Dave", Set.of("core-maintainer", "admin"), List.of()),
            new People.Known("erin", "Erin", Set.of(), List.of())));
    private final ExecutorService executor =
            Executors.newFixedThreadPool(2, Thread.ofPlatform().daemon().factory());
    private Instant now = START;
    private SqliteLedger ledger;
    private LedgerWriter writer;
    private LedgerDesk desk;

    Office(Path directory) {
        this(directory, Processes.usual());
    }

    Office(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
        open();
    }

    private void open() {
        ledger = ((Opening.Opened) SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)).ledger();
        writer = new LedgerWriter(ledger, () -> now, WriterOptions.DEFAULT);
        desk = new LedgerDesk(
                ledger, writer, new Lifecycle(process), () -> List.copyOf(people), () -> now, Hands.all(executor), 2);
    }

    /** The same ledger, as another process would find it. */
    void reopen() {
        shut();
        open();
    }

    /** The same ledger by another process. */
    void reopen(Process other) {
        process = other;
        reopen();
    }

    /** Another desk on the same ledger, as another process would have it. */
    LedgerDesk another() {
        return new LedgerDesk(
                ledger, writer, new Lifecycle(process), () -> List.copyOf(people), () -> now, Hands.all(executor), 2);
    }

    SqliteLedger ledger() {
        return ledger;
    }

    LedgerWriter writer() {
        return writer;
    }

    LedgerDesk desk() {
        return desk;
    }

    void hire(People.Known known) {
        people.removeIf(each -> each.id().equals(known.id()));
        people.add(known);
    }

    void later(Duration time) {
        now = now.plus(time);
    }

    Instant now() {
        return now;
    }

    private Caller caller(String who) {
        return people.stream()
                .filter(known -> known.id().equals(who))
                .map(known -> new Caller(who, known.roles()))
                .findFirst()
                .orElseThrow();
    }

    Reply ask(String who, Verb verb, Json arguments) {
        return desk.ask(caller(who), verb, arguments).toCompletableFuture().join();
    }

    /** Asks something with arguments in pairs: name, value. */
    Reply ask(String who, Verb verb, Object... pairs) {
        return ask(who, verb, arguments(pairs));
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

    Json done(String who, Verb verb, Object... pairs) {
        Reply reply = ask(who, verb, pairs);
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done) reply).body();
    }

    Reply.Refused refused(String who, Verb verb, Object... pairs) {
        Reply reply = ask(who, verb, pairs);
        assertThat(reply).isInstanceOf(Reply.Refused.class);
        return (Reply.Refused) reply;
    }

    /** A document with every section. */
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

    int submitted(String who, String title, String... preamble) {
        return (int) done(who, Verb.SUBMIT, "document", document(title, preamble))
                .at("number")
                .number(0);
    }

    private void shut() {
        writer.close();
        ledger.close();
    }

    @Override
    public void close() {
        shut();
        executor.shutdown();
    }
}
