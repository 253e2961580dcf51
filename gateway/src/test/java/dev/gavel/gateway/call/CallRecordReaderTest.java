package dev.gavel.gateway.call;

import static dev.gavel.gateway.call.CallRecordsFixture.START;
import static dev.gavel.gateway.call.CallRecordsFixture.answered;
import static dev.gavel.gateway.call.CallRecordsFixture.called;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how calls are joined with their answers, and how retention deletes records. */
class CallRecordReaderTest {
    @TempDir
    private Path directory;

    private CallRecordsFixture fixture;

    @BeforeEach
    void open() {
        fixture = new CallRecordsFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<CallOutcome> outcomes() {
        return fixture.page(null, 100).calls().stream()
                .map(AuditedCall::outcome)
                .toList();
    }

    @Test
    void anAnswerBelongsToTheLastCallWithItsId() {
        fixture.write(
                "one",
                called(START, "q"),
                answered(START, "q", "files", CallOutcome.ERROR),
                called(START, "q"),
                called(START, "q"),
                answered(START, "q", "files", CallOutcome.OK));
        assertThat(outcomes()).containsExactly(CallOutcome.OK, CallOutcome.UNANSWERED, CallOutcome.ERROR);
    }

    @Test
    void anAnswerBelongsToTheCallWhoseTimeItNames() {
        Instant later = START.plusMillis(5);
        CallRecord.Answered toFirst =
                new CallRecord.Answered(START.plusMillis(9), "q", "alice", "files", CallOutcome.OK, 9_000L, START);
        fixture.write("one", called(START, "q"));
        fixture.write("two", called(later, "q"));
        fixture.write("three", toFirst);
        assertThat(outcomes()).containsExactly(CallOutcome.UNANSWERED, CallOutcome.OK);
        CallPage newest = fixture.page(null, 1);
        assertThat(newest.calls()).extracting(AuditedCall::outcome).containsExactly(CallOutcome.UNANSWERED);
        assertThat(fixture.page(newest.nextCursor().orElseThrow(), 1).calls())
                .extracting(AuditedCall::outcome)
                .containsExactly(CallOutcome.OK);
    }

    @Test
    void anAnswerCountsOnlyIfItsSenderWasAsked() {
        fixture.write("one", called(START, "q"), answered(START, "q", "mallory", CallOutcome.OK));
        assertThat(outcomes()).containsExactly(CallOutcome.UNANSWERED);
    }

    @Test
    void anAnswerAfterAllTakesPrecedenceOverWhatTheGatewayAssumed() {
        fixture.write(
                "one",
                called(START, "q"),
                answered(START, "q", "system:gateway", CallOutcome.LEFT),
                answered(START, "q", "files", CallOutcome.OK));
        assertThat(outcomes()).containsExactly(CallOutcome.OK);
    }

    @Test
    void anAnswerThatAnotherGatewayRecordedEarlierIsFound() {
        fixture.write("two", answered(START.plusMillis(5), "q", "files", CallOutcome.OK));
        fixture.write("one", called(START, "q"));
        assertThat(outcomes()).containsExactly(CallOutcome.OK);
    }

    @Test
    void aPageThatSearchedManyRecordsInVainEndsWithAValidCursor() {
        fixture.write("one", called(START, "wanted"));
        String longName = "x".repeat(1_000);
        fixture.write(
                "two",
                IntStream.range(0, 24_000)
                        .mapToObj(i -> new CallRecord.Called(
                                START, "q-" + i, "bob", List.of("files"), "tools/call", longName, "d", 10, null))
                        .toArray(CallRecord[]::new));
        CallQuery byAlice = new CallQuery(
                Optional.of("alice"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        List<String> found = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        int pages = 0;
        do {
            CallPage page = new CallRecordReader(fixture.ledger, "ops")
                    .page(byAlice, cursor, 10)
                    .orElseThrow();
            page.calls().forEach(call -> found.add(call.called().id()));
            cursor = page.nextCursor();
            pages++;
        } while (cursor.isPresent() && pages < 20);
        assertThat(found).containsExactly("wanted");
        assertThat(pages).isBetween(2, 10);
    }

    @Test
    void anAnswerOnALaterPageOfRecordsIsFound() {
        fixture.write("one", called(START, "q-1"), called(START, "q-2"));
        fixture.write("two", called(START, "q-3"), answered(START, "q-1", "files", CallOutcome.OK));
        CallPage first = fixture.page(null, 2);
        assertThat(first.calls()).extracting(AuditedCall::outcome).containsOnly(CallOutcome.UNANSWERED);
        CallPage second = fixture.page(first.nextCursor().orElseThrow(), 2);
        assertThat(second.calls()).extracting(AuditedCall::outcome).containsExactly(CallOutcome.OK);
        assertThat(second.nextCursor()).isEmpty();
    }

    @Test
    void oldRecordsAreDeletedAndThatIsShown() {
        fixture.write("one", called(START, "q-1"));
        fixture.now = START.plus(Duration.ofDays(2));
        fixture.write("two", called(START, "q-2"));
        new CallRecordRetention(fixture.ledger, Duration.ofDays(1), Long.MAX_VALUE).run(fixture.now);
        assertThat(fixture.ids()).containsExactly("q-2");
        assertThat(fixture.page(null, 10).gaps())
                .extracting(CallRecordGap::reason)
                .containsExactly(CallRecordGap.Reason.RETENTION);
    }

    @Test
    void aTopicWithTooManyRecordsLosesItsOldest() {
        CallRecordRetention retention = new CallRecordRetention(fixture.ledger, Duration.ofDays(1), 10_000);
        for (int i = 0; i < 20; i++) {
            fixture.write("gateway" + i, called(START, "q-" + i));
            retention.run(fixture.now);
        }
        assertThat(fixture.ids()).hasSizeBetween(3, 10).startsWith("q-19", "q-18", "q-17");
    }

    @Test
    void theRetentionOfProposalsDoesNotDeleteRecords() {
        fixture.write("one", called(START, "q-1"));
        assertThat(fixture.ledger.prune(START.plus(Duration.ofDays(9)), 100)).isZero();
        assertThat(fixture.ids()).containsExactly("q-1");
    }

    @Test
    void summariesAreRebuiltAsTheyWere() {
        fixture.write("one", called(START, "q-1"));
        var before = fixture.ledger.summary(CallStreamLayout.of("ops"), "one");
        assertThat(before).isPresent();
        fixture.ledger.rebuildSummaries(CallStreamLayout.summaryProjector());
        assertThat(fixture.ledger.summary(CallStreamLayout.of("ops"), "one")).isEqualTo(before);
    }
}
