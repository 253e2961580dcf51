package dev.gavel.ledger.sqlite;

import static dev.gavel.ledger.SampleEvents.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SampleEvents;
import dev.gavel.ledger.SubjectSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/**
 * Tests with random histories that an intact SQLite ledger passes the audit and that any change of an event is found.
 */
class RandomTamperingTest {
    /** A batch of events of these subjects, the last of which ends with it; no subjects mean a pruning. */
    record Step(List<Integer> subjects, boolean ends, String text) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Step> steps = Combinators.combine(
                        Arbitraries.integers().between(0, 6).list().ofMaxSize(5),
                        Arbitraries.of(true, false),
                        Arbitraries.strings().ofMaxLength(6))
                .as(Step::new);
        return steps.list().ofMinSize(1).ofMaxSize(25);
    }

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    void whatWasWrittenAndForgottenVerifies(@ForAll("steps") List<Step> steps) throws IOException {
        in(ledger -> {
            ledger.withLedger(store -> {
                for (Step step : steps) {
                    apply(store, step);
                }
            });
            assertThat(ledger.findings("ops")).isEmpty();
        });
    }

    @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
    void anyChangeOfAnyColumnOfAnyEventIsFound(
            @ForAll("steps") List<Step> steps,
            @ForAll @IntRange(max = 1000) int which,
            @ForAll("columns") String column,
            @ForAll long number,
            @ForAll String text,
            @ForAll byte[] bytes)
            throws IOException {
        in(ledger -> {
            ledger.withLedger(store -> {
                for (Step step : steps) {
                    apply(store, step);
                }
                apply(store, new Step(List.of(7, 8), false, "kept"));
            });
            Object value = switch (column) {
                case "stream", "seq", "at", "subject" -> number;
                case "type", "actor", "reference" -> clean(text);
                default -> bytes;
            };
            if (change(ledger, which, column, value)) {
                assertThat(ledger.findings("ops")).isNotEmpty();
            }
        });
    }

    @Provide
    Arbitrary<String> columns() {
        return Arbitraries.of("stream", "seq", "at", "subject", "type", "actor", "reference", "body", "digest", "hash");
    }

    /** Changes one event; returns false if it already has this value, or cannot have it. */
    private static boolean change(TamperedLedger ledger, int which, String column, Object value) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + ledger.file());
                PreparedStatement change =
                        connection.prepareStatement("UPDATE OR IGNORE event SET " + column + " = ?1 WHERE "
                                + column + " IS NOT ?1 AND id = (SELECT id FROM event ORDER BY seq LIMIT 1 OFFSET ?2"
                                + " % (SELECT count(*) FROM event))")) {
            if (value instanceof byte[] bytes) {
                change.setBytes(1, bytes);
            } else {
                change.setObject(1, value);
            }
            change.setInt(2, which);
            return change.executeUpdate() == 1;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void apply(SqliteLedger store, Step step) {
        if (step.subjects().isEmpty()) {
            store.prune(Instant.MAX, 2);
            return;
        }
        long seq = store.retainedRange("ops").last();
        List<LedgerEvent> events = new ArrayList<>();
        Map<String, SubjectSummary> summaries = new LinkedHashMap<>();
        for (int subject : step.subjects()) {
            String reference = seq % 3 == 0 ? null : "r" + seq;
            LedgerEvent event = new LedgerEvent(
                    "ops",
                    ++seq,
                    START,
                    "p" + subject,
                    clean(step.text()),
                    "alice",
                    reference,
                    LedgerBody.of(step.text()));
            events.add(event);
            summaries.put(event.subject(), SampleEvents.opened(event));
        }
        if (step.ends()) {
            summaries.put(events.getLast().subject(), SampleEvents.ended(events.getLast(), START));
        }
        store.write(Set.of("ops"), reader -> new LedgerBatch(events, List.copyOf(summaries.values())));
    }

    /** Unpaired surrogates cannot be encoded as UTF-8. */
    private static String clean(String text) {
        int[] whole = text.codePoints()
                .filter(each -> each < Character.MIN_SURROGATE || each > Character.MAX_SURROGATE)
                .toArray();
        return Arrays.stream(whole)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @FunctionalInterface
    private interface Work {
        void on(TamperedLedger ledger);
    }

    private static void in(Work work) throws IOException {
        Path directory = Files.createTempDirectory("ledger");
        try {
            work.on(new TamperedLedger(directory));
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }
}
