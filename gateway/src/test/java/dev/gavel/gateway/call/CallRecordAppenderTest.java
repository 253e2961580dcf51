package dev.gavel.gateway.call;

import static dev.gavel.gateway.call.CallRecordsFixture.START;
import static dev.gavel.gateway.call.CallRecordsFixture.called;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.audit.HashChainVerifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CallRecordAppenderTest {
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

    @Test
    void manyRecordsAreOneEventAndStoppingIsRecorded() {
        fixture.write("one", called(START, "q-1"), called(START, "q-2"), called(START, "q-3"));
        assertThat(fixture.eventTypes()).containsExactly("started", "calls", "stopped");
        assertThat(fixture.ids()).containsExactly("q-3", "q-2", "q-1");
    }

    @Test
    void aGatewayThatRecordsNothingWritesNothing() {
        fixture.write("one");
        assertThat(fixture.eventTypes()).isEmpty();
    }

    @Test
    void recordsAreSplitIntoEventsOfLimitedSize() {
        CallRecord[] many = new CallRecord[5000];
        for (int i = 0; i < many.length; i++) {
            many[i] = called(START, "q-" + i);
        }
        fixture.write("one", many);
        assertThat(fixture.eventTypes()).filteredOn("calls"::equals).hasSizeBetween(5, 20);
        CallPage page = fixture.page(null, 500);
        int count = 0;
        while (page.nextCursor().isPresent()) {
            count += page.calls().size();
            page = fixture.page(page.nextCursor().get(), 500);
        }
        assertThat(count + page.calls().size()).isEqualTo(many.length);
    }

    @Test
    void aDurableRecordIsReadableWhenItIsConfirmed() {
        try (CallAuditLog log = new CallAuditLog(fixture.writer, fixture.clock(), "one")) {
            CompletableFuture<Optional<String>> result = new CompletableFuture<>();
            log.appender("ops").appendDurably(START, 0, () -> called(START, "q-1"), result::complete);
            assertThat(result.join()).isEmpty();
            assertThat(fixture.ids()).containsExactly("q-1");
        }
    }

    @Test
    void recordsWaitForTheLedgerAndAreWrittenOnce() throws Exception {
        try (CallAuditLog log = new CallAuditLog(fixture.writer, fixture.clock(), "one")) {
            CallRecordAppender appender = log.appender("ops");
            fixture.forbidWrites();
            CompletableFuture<Optional<String>> first = new CompletableFuture<>();
            appender.appendDurably(START, 0, () -> called(START, "q-1"), first::complete);
            assertThat(first.join()).isPresent();
            CompletableFuture<Optional<String>> second = new CompletableFuture<>();
            appender.appendDurably(START, 0, () -> called(START, "q-2"), second::complete);
            assertThat(second.join()).isPresent();
            fixture.allowWrites();
            await().until(() -> fixture.ids().size() == 2);
            assertThat(log.counts()).isEqualTo(new CallAuditLog.Counts(2, 0));
        }
        assertThat(fixture.ids()).containsExactly("q-2", "q-1");
        assertThat(fixture.eventTypes()).containsExactly("started", "calls", "calls", "stopped");
    }

    @Test
    void recordsForWhichThereIsNoMemoryAreCountedAndLeaveAGap() throws Exception {
        try (CallAuditLog log = new CallAuditLog(fixture.writer, fixture.clock(), "one", 10_000)) {
            CallRecordAppender appender = log.appender("ops");
            fixture.forbidWrites();
            for (int i = 0; i < 100; i++) {
                CallRecord record = called(START.plusSeconds(i), "q-" + i);
                appender.append(record.at(), 0, () -> record);
            }
            assertThat(log.counts().lost()).isBetween(50L, 99L);
            CompletableFuture<Optional<String>> refused = new CompletableFuture<>();
            appender.appendDurably(START, 0, () -> called(START, "q-100"), refused::complete);
            assertThat(refused.join()).isPresent();
            fixture.allowWrites();
            await().until(() -> !fixture.page(null, 500).gaps().isEmpty());
            CallRecordGap gap = fixture.page(null, 500).gaps().getLast();
            assertThat(gap.reason()).isEqualTo(CallRecordGap.Reason.OVERFLOW);
            long lost = fixture.page(null, 500).gaps().stream()
                    .mapToLong(each -> each.count().orElseThrow())
                    .sum();
            assertThat(lost).isEqualTo(log.counts().lost());
            assertThat(gap.since().orElseThrow()).isAfter(START);
            CompletableFuture<Optional<String>> again = new CompletableFuture<>();
            appender.appendDurably(START, 0, () -> called(START, "q-101"), again::complete);
            assertThat(again.join()).as("memory is free again").isEmpty();
        }
    }

    @Test
    void largeCallsDoNotKeepOtherCallsOutOfTheLedger() {
        try (CallAuditLog log = new CallAuditLog(fixture.writer, fixture.clock(), "one", 200_000)) {
            CallRecordAppender appender = log.appender("ops");
            for (int i = 0; i < 40; i++) {
                CallRecord record = called(START, "q-" + i);
                appender.append(START, i < 30 ? 20_000 : 10, () -> record);
            }
            assertThat(log.counts().lost()).isZero();
        }
        assertThat(fixture.ids()).hasSize(40);
    }

    @Test
    void aGatewayThatIsGoneIsRecordedOnce() {
        fixture.write("one", called(START, "q-1"));
        CallAuditLog killed = new CallAuditLog(fixture.writer, fixture.clock(), "two");
        CompletableFuture<Optional<String>> result = new CompletableFuture<>();
        killed.appender("ops").appendDurably(START, 0, () -> called(START, "q-2"), result::complete);
        assertThat(result.join()).isEmpty();
        InterruptedRecordingSweeper sweeper =
                new InterruptedRecordingSweeper(fixture.ledger, fixture.writer, "three"::equals);
        sweeper.run(START.plusSeconds(1));
        await().until(() -> fixture.eventTypes().contains("interrupted"));
        sweeper.run(START.plusSeconds(1));
        fixture.write("three", called(START, "q-3"));
        assertThat(fixture.eventTypes()).filteredOn("interrupted"::equals).hasSize(1);
        assertThat(fixture.page(null, 10).gaps())
                .extracting(CallRecordGap::reason)
                .containsExactly(CallRecordGap.Reason.INTERRUPTED);
        assertThat(HashChainVerifier.verify(fixture.ledger, CallStreamLayout.of("ops"), List.of(), () -> {})
                        .findings())
                .isEmpty();
    }
}
