package dev.gavel.sep.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.kept.Streams;
import dev.gavel.sep.process.Processes;
import dev.gavel.sep.sweep.Notice;
import dev.gavel.sep.sweep.Outbox;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is at hand, whatever else is in the ledger. */
class ShelfTest {
    private static final URI BASE = URI.create("https://example.org/gavel/");

    @TempDir
    private Path directory;

    private Office office;

    @BeforeEach
    void open() {
        office = new Office(directory);
    }

    @AfterEach
    void close() {
        office.close();
    }

    /** Writes something no version knows, as a newer one might. */
    private void write(String stream, String subject, String type, String body) {
        CompletableFuture<Object> written = new CompletableFuture<>();
        office.writer()
                .submit(
                        stream,
                        view -> {
                            Event event = view.event(subject, type, "bob", null, Body.of(body));
                            Summary old = view.summary(subject).orElseThrow();
                            return Decided.one(
                                    true,
                                    event,
                                    new Summary(
                                            stream,
                                            subject,
                                            old.state(),
                                            old.open(),
                                            old.owner(),
                                            old.dueAt(),
                                            old.startedAt(),
                                            old.endedAt(),
                                            event.seq(),
                                            stream.equals(Streams.SEPS) ? old.body() : event.body()));
                        },
                        written::complete);
        written.join();
    }

    private List<Long> inbox(String who) {
        return numbers(office.done(who, Verb.INBOX));
    }

    private static List<Long> numbers(Json answer) {
        return answer.at("seps").elements().stream()
                .map(sep -> sep.at("number").number(0))
                .toList();
    }

    private List<Notice> notices() {
        return office.desk().outbox(Optional.of(BASE)).after(0, 1000).stream()
                .map(Outbox.Letter::notice)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Process changed(String from, String to) {
        String text = Processes.text(Processes.USUAL).orElseThrow();
        assertThat(text).contains(from);
        return switch (ProcessFile.read("changed.yaml", text.replace(from, to))) {
            case Reading.Sound sound -> sound.process();
            case Reading.Unsound unsound -> throw new AssertionError(unsound.problems());
        };
    }

    private int asleep() {
        int number = office.submitted("alice", "A");
        office.done("bob", Verb.SPONSOR, "number", number);
        office.done("bob", Verb.MOVE, "number", number, "to", "dormant", "reason", "no time");
        return number;
    }

    @Test
    void aProposalThatCannotBeReadTakesNoOtherDown() {
        String text = Office.document("Streaming of results")
                .replace("What there is to say of", "Servers stream partial results while a long tool call runs, in");
        office.done("alice", Verb.SUBMIT, "document", text);
        office.done("alice", Verb.SUBMIT, "document", text.replace("Streaming of", "Streaming partial"));
        office.done("erin", Verb.SUBMIT, "document", text.replace("Streaming of", "Streams of"));
        assertThat(inbox("bob")).containsExactly(1L, 2L, 3L);
        write(Streams.SEPS, "1", "danced", "{}");
        office.done("alice", Verb.ASK, "number", 2, "whom", "carol", "question", "Well?");
        for (int i = 0; i < 2; i++) {
            assertThat(office.ask("bob", Verb.SHOW, "number", 1)).isInstanceOf(Reply.Unavailable.class);
            assertThat(inbox("bob")).containsExactly(2L, 3L);
            assertThat(notices()).extracting(Notice::number).containsExactly(2);
            assertThat(office.desk()
                            .feed(Optional.of(BASE))
                            .toCompletableFuture()
                            .join())
                    .contains("SEP-2: Streaming partial results", "https://example.org/gavel/seps/2")
                    .contains("https://example.org/gavel/seps/feed.atom");
            office.done("bob", Verb.STATS);
            office.done("bob", Verb.SWEEP, "dryRun", true);
            assertThat(office.done("bob", Verb.SIMILAR, "number", 2)
                            .at("similar")
                            .elements())
                    .extracting(each -> each.at("number").number(0))
                    .containsExactly(3L);
            office.reopen();
        }
        // Whether what it names can be read or not: it is kept, and that is the answer.
        assertThat(office.done("alice", Verb.SUBMIT, "document", Office.document("Instead", "**Replaces**: SEP-1"))
                        .at("number")
                        .number(0))
                .isEqualTo(4);
    }

    @Test
    void aStateThatIsOpenByNowIsAtHandAndListedSo() {
        int number = asleep();
        assertThat(numbers(office.done("bob", Verb.LIST, "open", true))).isEmpty();
        office.reopen(changed("  dormant:\n    is: settled\n", "  dormant:\n    act: author\n"));
        assertThat(office.desk().adopt()).isEmpty();
        assertThat(inbox("alice")).containsExactly((long) number);
        assertThat(numbers(office.done("bob", Verb.LIST, "open", true))).containsExactly((long) number);
        assertThat(numbers(office.done("bob", Verb.LIST, "open", false))).isEmpty();
        office.done("alice", Verb.COMMENT, "number", number, "text", "Soon.");
        office.reopen(Processes.usual());
        assertThat(inbox("alice")).isEmpty();
        assertThat(numbers(office.done("bob", Verb.LIST, "open", true))).isEmpty();
        assertThat(numbers(office.done("bob", Verb.LIST, "open", false))).containsExactly((long) number);
    }

    @Test
    void whereNoProcessIsNotedProposalsAreLookedAtThemselves() {
        int number = office.submitted("alice", "A");
        office.done("bob", Verb.SPONSOR, "number", number);
        office.done("bob", Verb.MOVE, "number", number, "to", "provisional", "evidence", minutes());
        write(Streams.PROCESS, "process", "adopted", "{}");
        office.reopen(Processes.builtIn("mcp-2026").orElseThrow());
        assertThat(office.desk().adopt())
                .hasValueSatisfying(why -> assertThat(why).contains("no state 'provisional', where SEP 1 is"));
        office.reopen(Processes.usual());
        assertThat(office.desk().adopt()).isEmpty();
    }

    private static Json minutes() {
        return Json.object().with("minutes", Json.ofText("https://example.org/minutes"));
    }

    @Test
    void aProcessThatCouldNotBeNotedIsNotedBeforeAnythingChanges() {
        AtomicBoolean full = new AtomicBoolean(true);
        LedgerStore moody = (LedgerStore) Proxy.newProxyInstance(
                ShelfTest.class.getClassLoader(), new Class<?>[] {LedgerStore.class}, (proxy, method, arguments) -> {
                    if (full.get() && Set.of("write", "probe").contains(method.getName())) {
                        return new Commit.Unavailable("no space left");
                    }
                    try {
                        return method.invoke(office.ledger(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (LedgerWriter writer = new LedgerWriter(moody, office::now, WriterOptions.DEFAULT)) {
            LedgerDesk desk = new LedgerDesk(
                    moody,
                    writer,
                    new Lifecycle(Processes.usual()),
                    List::of,
                    office::now,
                    Hands.all(Runnable::run),
                    2);
            Caller alice = new Caller("alice", Set.of());
            Json document = Office.arguments("document", Office.document("A"));
            assertThat(desk.adopt()).as("it can be read").isEmpty();
            assertThat(desk.ask(alice, Verb.SUBMIT, document)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Reply.Unavailable.class);
            assertThat(office.ledger().summary(Streams.PROCESS, "process")).isEmpty();
            full.set(false);
            await().until(() ->
                    desk.ask(alice, Verb.SUBMIT, document).toCompletableFuture().join() instanceof Reply.Done);
            assertThat(office.ledger().summary(Streams.PROCESS, "process")).isPresent();
        }
    }

    @Test
    void whoIsAskedAboutASettledProposalFindsItInTheInboxUntilTheyAnswer() {
        int number = asleep();
        assertThat(inbox("carol")).isEmpty();
        office.done("alice", Verb.ASK, "number", number, "whom", "carol", "question", "Would you?");
        assertThat(inbox("carol")).containsExactly((long) number);
        office.reopen();
        assertThat(inbox("carol")).containsExactly((long) number);
        assertThat(numbers(office.done("bob", Verb.TRIAGE))).isEmpty();
        office.later(Duration.ofDays(400));
        assertThat(office.done("bob", Verb.SWEEP, "dryRun", true).at("due").elements())
                .isEmpty();
        office.done("carol", Verb.COMMENT, "number", number, "text", "No.");
        assertThat(inbox("carol")).isEmpty();
        office.reopen();
        assertThat(inbox("carol")).isEmpty();
    }

    @Test
    void whatAnotherWroteIsKnownThoughPeopleWereRenamedMeanwhile() {
        String text = Office.document("Streaming of results")
                .replace("What there is to say of", "Servers stream partial results while a long tool call runs, in");
        office.done("alice", Verb.SUBMIT, "document", text);
        office.done("alice", Verb.SIMILAR, "number", 1);
        Reply other = office.another()
                .ask(new Caller("erin", Set.of()), Verb.SUBMIT, Office.arguments("document", text + "\nMore.\n"))
                .toCompletableFuture()
                .join();
        assertThat(other).isInstanceOf(Reply.Done.class);
        office.hire(new People.Known("erin", "Erin", Set.of(), List.of("@erin-elsewhere")));
        assertThat(office.done("alice", Verb.SIMILAR, "number", 1).at("similar").elements())
                .extracting(each -> each.at("number").number(0))
                .containsExactly(2L);
    }

    @Test
    void peopleAreToldByWhoTheyAreNowThoughNobodyAsked() {
        office.done(
                "dave",
                Verb.IMPORT,
                "document",
                Office.document("Old one", "**Authors**: @ada").replace("XXXX", "7"),
                "file",
                "7.md");
        office.later(Duration.ofDays(200));
        office.desk().sweep().toCompletableFuture().join();
        office.reopen();
        office.hire(new People.Known("countess", "Ada", Set.of(), List.of("@ada")));
        assertThat(notices())
                .filteredOn(notice -> notice.kind() == Notice.Kind.MOVE)
                .singleElement()
                .satisfies(notice -> {
                    assertThat(notice.whom()).containsExactly(new Person("countess"));
                    assertThat(notice.link()).contains(URI.create("https://example.org/gavel/seps/7"));
                });
    }

    @Test
    void aTimeIsTheSameInEveryAnswer() {
        office.later(Duration.ofNanos(123_456_789));
        Json made = office.done("alice", Verb.SUBMIT, "document", Office.document("A"));
        String submitted = made.at("submitted").text();
        assertThat(submitted).endsWith(".123456Z");
        assertThat(office.done("bob", Verb.SHOW, "number", 1).at("submitted").text())
                .isEqualTo(submitted);
        assertThat(office.done("bob", Verb.LIST)
                        .at("seps")
                        .elements()
                        .getFirst()
                        .at("submitted")
                        .text())
                .isEqualTo(submitted);
    }
}
