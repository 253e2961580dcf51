package dev.gavel.ledger.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** Tests with random tasks that the writer returns the same results as a simple list in memory. */
class WriterModelTest {
    /** The kinds of tasks that the test submits. */
    enum TaskKind {
        PROPOSE,
        FULFIL,
        PRUNE
    }

    record Step(TaskKind taskKind, int subject) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<TaskKind> taskKinds = Arbitraries.frequencyOf(
                Tuple.of(6, Arbitraries.just(TaskKind.PROPOSE)),
                Tuple.of(8, Arbitraries.just(TaskKind.FULFIL)),
                Tuple.of(1, Arbitraries.just(TaskKind.PRUNE)));
        return taskKinds
                .flatMap(taskKind -> Arbitraries.integers().between(0, 5).map(subject -> new Step(taskKind, subject)))
                .list()
                .ofMaxSize(60);
    }

    @Property(tries = 30, shrinking = ShrinkingMode.BOUNDED)
    void answersAreThoseOfASimpleModel(@ForAll("steps") List<Step> steps, @ForAll boolean caching) throws IOException {
        Path directory = Files.createTempDirectory("ledger");
        WriterOptions options =
                new WriterOptions(1000, 1 << 20, 7, 1 << 20, caching ? 1 << 20 : 0, Duration.ofSeconds(1));
        try (SqliteLedger ledger = SampleWriterTasks.open(directory.resolve("ledger.db"));
                LedgerWriter writer = new LedgerWriter(ledger, () -> SampleWriterTasks.NOW, options)) {
            Map<Integer, Boolean> open = new HashMap<>();
            long written = 0;
            List<CompletableFuture<WriteResult<String>>> submitted = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (Step step : steps) {
                String subject = "p" + step.subject();
                switch (step.taskKind()) {
                    case PROPOSE -> {
                        boolean fresh = open.putIfAbsent(step.subject(), true) == null;
                        expected.add(fresh ? "proposed" : "again");
                        written += fresh ? 1 : 0;
                        submitted.add(SampleWriterTasks.submit(
                                writer, "ops", SampleWriterTasks.propose(subject, "e" + step.subject())));
                    }
                    case FULFIL -> {
                        Boolean state = open.computeIfPresent(step.subject(), (key, was) -> was);
                        expected.add(state == null ? "unknown" : state ? "fulfilled" : "closed");
                        written += Boolean.TRUE.equals(state) ? 1 : 0;
                        open.computeIfPresent(step.subject(), (key, was) -> false);
                        submitted.add(
                                SampleWriterTasks.submit(writer, "ops", SampleWriterTasks.fulfil(subject, "alice")));
                    }
                    case PRUNE -> {
                        submitted.forEach(CompletableFuture::join);
                        ledger.prune(Instant.MAX, 100);
                        open.values().removeIf(isOpen -> !isOpen);
                    }
                }
            }
            assertThat(submitted.stream().map(CompletableFuture::join).map(WriterModelTest::result))
                    .containsExactlyElementsOf(expected);
            assertThat(ledger.retainedRange("ops").last()).isEqualTo(written);
            check(ledger, open.keySet());
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private static void check(SqliteLedger ledger, Set<Integer> remaining) {
        Map<String, List<LedgerEvent>> histories = new HashMap<>();
        ledger.export(each -> histories
                .computeIfAbsent(each.event().subject(), key -> new ArrayList<>())
                .add(each.event()));
        Set<String> names = new HashSet<>();
        remaining.forEach(subject -> names.add("p" + subject));
        assertThat(histories.keySet()).isEqualTo(names);
        histories.forEach((subject, history) -> {
            assertThat(ledger.history("ops", subject)).isEqualTo(history);
            SubjectSummary summary = SampleWriterTasks.summarise(history);
            assertThat(ledger.summary("ops", subject)).contains(summary);
        });
        assertThat(LongStream.rangeClosed(
                        ledger.retainedRange("ops").first(),
                        ledger.retainedRange("ops").last()))
                .allMatch(
                        seq -> histories.values().stream().flatMap(List::stream).anyMatch(event -> event.seq() == seq));
    }

    private static String result(WriteResult<String> writeResult) {
        return writeResult instanceof WriteResult.Written<String> written ? written.result() : writeResult.toString();
    }
}
