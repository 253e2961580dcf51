package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.notification.SepNotification;
import dev.gavel.sep.notification.SepNotificationReader;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.store.SepStreamNames;
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

/** Tests the cache of open SEPs with arbitrary events in the ledger. */
class OpenSepCacheTest {
    private static final URI BASE = URI.create("https://example.org/gavel/");

    @TempDir
    private Path directory;

    private SepServiceFixture sepServiceFixture;

    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory);
    }

    @AfterEach
    void close() {
        sepServiceFixture.close();
    }

    /** Writes an event that no version knows, as a newer version might. */
    private void write(String stream, String subject, String type, String body) {
        CompletableFuture<Object> written = new CompletableFuture<>();
        sepServiceFixture
                .writer()
                .submit(
                        stream,
                        writerTaskContext -> {
                            LedgerEvent event =
                                    writerTaskContext.createEvent(subject, type, "bob", null, LedgerBody.of(body));
                            SubjectSummary old =
                                    writerTaskContext.summary(subject).orElseThrow();
                            return TaskDecision.ofEvent(
                                    true,
                                    event,
                                    new SubjectSummary(
                                            stream,
                                            subject,
                                            old.state(),
                                            old.open(),
                                            old.owner(),
                                            old.dueAt(),
                                            old.startedAt(),
                                            old.endedAt(),
                                            event.seq(),
                                            stream.equals(SepStreamNames.SEPS) ? old.body() : event.body()));
                        },
                        written::complete);
        written.join();
    }

    private List<Long> inbox(String who) {
        return numbers(sepServiceFixture.executeSuccessfully(who, SepOperation.INBOX));
    }

    private static List<Long> numbers(Json answer) {
        return answer.at("seps").elements().stream()
                .map(sep -> sep.at("number").asLong(0))
                .toList();
    }

    private List<SepNotification> notices() {
        return sepServiceFixture.service().notificationReaders(Optional.of(BASE)).getFirst().readAfter(0, 1000).stream()
                .map(SepNotificationReader.Entry::notification)
                .flatMap(Optional::stream)
                .toList();
    }

    private static ProcessDefinition changed(String from, String to) {
        String text = BuiltInProcesses.yaml(BuiltInProcesses.DEFAULT_NAME).orElseThrow();
        assertThat(text).contains(from);
        return switch (ProcessFileParser.parse("changed.yaml", text.replace(from, to))) {
            case ProcessParseResult.Valid valid -> valid.processDefinition();
            case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
        };
    }

    private int asleep() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.executeSuccessfully(
                "bob", SepOperation.MOVE, "number", number, "to", "dormant", "reason", "no time");
        return number;
    }

    @Test
    void aProposalThatCannotBeReadTakesNoOtherDown() {
        String text = SepServiceFixture.document("Streaming of results")
                .replace("What there is to say of", "Servers stream partial results while a long tool call runs, in");
        sepServiceFixture.executeSuccessfully("alice", SepOperation.SUBMIT, "document", text);
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.SUBMIT, "document", text.replace("Streaming of", "Streaming partial"));
        sepServiceFixture.executeSuccessfully(
                "erin", SepOperation.SUBMIT, "document", text.replace("Streaming of", "Streams of"));
        assertThat(inbox("bob")).containsExactly(1L, 2L, 3L);
        write(SepStreamNames.SEPS, "1", "danced", "{}");
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.ASK, "number", 2, "whom", "carol", "question", "Well?");
        for (int i = 0; i < 2; i++) {
            assertThat(sepServiceFixture.execute("bob", SepOperation.SHOW, "number", 1))
                    .isInstanceOf(SepResult.Unavailable.class);
            assertThat(inbox("bob")).containsExactly(2L, 3L);
            assertThat(notices()).extracting(SepNotification::number).containsExactly(2);
            assertThat(sepServiceFixture
                            .service()
                            .feed("reader", Optional.of(BASE))
                            .toCompletableFuture()
                            .join())
                    .contains("SEP-2: Streaming partial results", "https://example.org/gavel/seps/2")
                    .contains("https://example.org/gavel/seps/feed.atom");
            sepServiceFixture.executeSuccessfully("bob", SepOperation.STATS);
            sepServiceFixture.executeSuccessfully("bob", SepOperation.SWEEP, "dryRun", true);
            assertThat(sepServiceFixture
                            .executeSuccessfully("bob", SepOperation.SIMILAR, "number", 2)
                            .at("similar")
                            .elements())
                    .extracting(each -> each.at("number").asLong(0))
                    .containsExactly(3L);
            sepServiceFixture.reopen();
        }
        // The change is stored, so the result is a success whether the referenced data can be read or not.
        assertThat(sepServiceFixture
                        .executeSuccessfully(
                                "alice",
                                SepOperation.SUBMIT,
                                "document",
                                SepServiceFixture.document("Instead", "**Replaces**: SEP-1"))
                        .at("number")
                        .asLong(0))
                .isEqualTo(4);
    }

    @Test
    void aStateThatIsOpenByNowIsAtHandAndListedSo() {
        int number = asleep();
        assertThat(numbers(sepServiceFixture.executeSuccessfully("bob", SepOperation.LIST, "open", true)))
                .isEmpty();
        sepServiceFixture.reopen(changed("  dormant:\n    is: settled\n", "  dormant:\n    act: author\n"));
        assertThat(sepServiceFixture.service().adoptProcess()).isEmpty();
        assertThat(inbox("alice")).containsExactly((long) number);
        assertThat(numbers(sepServiceFixture.executeSuccessfully("bob", SepOperation.LIST, "open", true)))
                .containsExactly((long) number);
        assertThat(numbers(sepServiceFixture.executeSuccessfully("bob", SepOperation.LIST, "open", false)))
                .isEmpty();
        sepServiceFixture.executeSuccessfully("alice", SepOperation.COMMENT, "number", number, "text", "Soon.");
        sepServiceFixture.reopen(BuiltInProcesses.defaultProcess());
        assertThat(inbox("alice")).isEmpty();
        assertThat(numbers(sepServiceFixture.executeSuccessfully("bob", SepOperation.LIST, "open", true)))
                .isEmpty();
        assertThat(numbers(sepServiceFixture.executeSuccessfully("bob", SepOperation.LIST, "open", false)))
                .containsExactly((long) number);
    }

    @Test
    void whereNoProcessIsNotedProposalsAreLookedAtThemselves() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.attachConfirmed("bob", number, "goals", "https://example.org/goals", "carol");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.MOVE, "number", number, "to", "provisional");
        write(SepStreamNames.PROCESS, "process", "adopted", "{}");
        sepServiceFixture.reopen(BuiltInProcesses.find("mcp-2026").orElseThrow());
        assertThat(sepServiceFixture.service().adoptProcess())
                .hasValueSatisfying(
                        why -> assertThat(why).contains("no state 'provisional', but SEP 1 is in this state"));
        sepServiceFixture.reopen(BuiltInProcesses.defaultProcess());
        assertThat(sepServiceFixture.service().adoptProcess()).isEmpty();
    }

    @Test
    void aProcessThatCouldNotBeNotedIsNotedBeforeAnythingChanges() {
        AtomicBoolean full = new AtomicBoolean(true);
        LedgerStore flakyLedger = (LedgerStore) Proxy.newProxyInstance(
                OpenSepCacheTest.class.getClassLoader(),
                new Class<?>[] {LedgerStore.class},
                (proxy, method, arguments) -> {
                    if (full.get() && Set.of("write", "probe").contains(method.getName())) {
                        return new CommitResult.Unavailable("no space left");
                    }
                    try {
                        return method.invoke(sepServiceFixture.ledger(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (LedgerWriter writer = new LedgerWriter(flakyLedger, sepServiceFixture::now, WriterOptions.DEFAULT)) {
            LedgerSepService sepService = new LedgerSepService(
                    flakyLedger,
                    writer,
                    new LifecycleEngine(BuiltInProcesses.defaultProcess()),
                    List::of,
                    sepServiceFixture::now,
                    ExecutorPools.shared(Runnable::run),
                    SepLimits.forSponsors(2));
            SepCaller alice = new SepCaller("alice", Set.of());
            Json document = SepServiceFixture.arguments("document", SepServiceFixture.document("A"));
            assertThat(sepService.adoptProcess()).as("it can be read").isEmpty();
            assertThat(sepService
                            .execute(alice, SepOperation.SUBMIT, document)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(SepResult.Unavailable.class);
            assertThat(sepServiceFixture.ledger().summary(SepStreamNames.PROCESS, "process"))
                    .isEmpty();
            full.set(false);
            await().until(() -> sepService
                            .execute(alice, SepOperation.SUBMIT, document)
                            .toCompletableFuture()
                            .join()
                    instanceof SepResult.Success);
            assertThat(sepServiceFixture.ledger().summary(SepStreamNames.PROCESS, "process"))
                    .isPresent();
        }
    }

    @Test
    void whoIsAskedAboutASettledProposalFindsItInTheInboxUntilTheyAnswer() {
        int number = asleep();
        assertThat(inbox("carol")).isEmpty();
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.ASK, "number", number, "whom", "carol", "question", "Would you?");
        assertThat(inbox("carol")).containsExactly((long) number);
        sepServiceFixture.reopen();
        assertThat(inbox("carol")).containsExactly((long) number);
        assertThat(numbers(sepServiceFixture.executeSuccessfully("bob", SepOperation.TRIAGE)))
                .isEmpty();
        sepServiceFixture.advanceClock(Duration.ofDays(400));
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SWEEP, "dryRun", true)
                        .at("due")
                        .elements())
                .isEmpty();
        sepServiceFixture.executeSuccessfully("carol", SepOperation.COMMENT, "number", number, "text", "No.");
        assertThat(inbox("carol")).isEmpty();
        sepServiceFixture.reopen();
        assertThat(inbox("carol")).isEmpty();
    }

    @Test
    void whatAnotherWroteIsKnownThoughPeopleWereRenamedMeanwhile() {
        String text = SepServiceFixture.document("Streaming of results")
                .replace("What there is to say of", "Servers stream partial results while a long tool call runs, in");
        sepServiceFixture.executeSuccessfully("alice", SepOperation.SUBMIT, "document", text);
        sepServiceFixture.executeSuccessfully("alice", SepOperation.SIMILAR, "number", 1);
        SepResult other = sepServiceFixture
                .secondService()
                .execute(
                        new SepCaller("erin", Set.of()),
                        SepOperation.SUBMIT,
                        SepServiceFixture.arguments("document", text + "\nMore.\n"))
                .toCompletableFuture()
                .join();
        assertThat(other).isInstanceOf(SepResult.Success.class);
        sepServiceFixture.setPerson(
                new PeopleDirectory.KnownPerson("erin", "Erin", Set.of(), List.of("@erin-elsewhere")));
        assertThat(sepServiceFixture
                        .executeSuccessfully("alice", SepOperation.SIMILAR, "number", 1)
                        .at("similar")
                        .elements())
                .extracting(each -> each.at("number").asLong(0))
                .containsExactly(2L);
    }

    @Test
    void peopleAreToldByWhoTheyAreNowThoughNobodyAsked() {
        sepServiceFixture.executeSuccessfully(
                "dave",
                SepOperation.IMPORT,
                "document",
                SepServiceFixture.document("Old one", "**Authors**: @ada").replace("XXXX", "7"),
                "file",
                "7.md");
        sepServiceFixture.advanceClock(Duration.ofDays(200));
        sepServiceFixture.service().sweep().toCompletableFuture().join();
        sepServiceFixture.reopen();
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("countess", "Ada", Set.of(), List.of("@ada")));
        assertThat(notices())
                .filteredOn(sepNotification -> sepNotification.kind() == SepNotification.Kind.MOVE)
                .singleElement()
                .satisfies(sepNotification -> {
                    assertThat(sepNotification.recipients()).containsExactly(new Person("countess"));
                    assertThat(sepNotification.link()).contains(URI.create("https://example.org/gavel/seps/7"));
                });
    }

    @Test
    void aTimeIsTheSameInEveryAnswer() {
        sepServiceFixture.advanceClock(Duration.ofNanos(123_456_789));
        Json submitBody = sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.SUBMIT, "document", SepServiceFixture.document("A"));
        String submitted = submitBody.at("submitted").text();
        assertThat(submitted).endsWith(".123456Z");
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SHOW, "number", 1)
                        .at("submitted")
                        .text())
                .isEqualTo(submitted);
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.LIST)
                        .at("seps")
                        .elements()
                        .getFirst()
                        .at("submitted")
                        .text())
                .isEqualTo(submitted);
    }
}
