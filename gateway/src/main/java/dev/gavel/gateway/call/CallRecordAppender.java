package dev.gavel.gateway.call;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the call records of one topic to the ledger in batches. A record waits at most half a second before it is
 * submitted; while one batch is being written, the next one collects. If the ledger is unavailable, records wait in
 * memory. If the memory limit is reached, further records are dropped and counted, and a record of the loss is written
 * later. Large calls are not dropped for their size: only the memory of the records themselves counts for that. Thread-safe.
 */
public final class CallRecordAppender {
    private static final Logger log = LoggerFactory.getLogger(CallRecordAppender.class);

    /** Half of the second of records that a crash may lose; the write itself has the other half. */
    private static final long FLUSH_MILLIS = 500;

    private static final long RETRY_MILLIS = 1_000;

    /** If so many records wait, they are encoded at once, which frees the memory of the calls' parameters. */
    private static final int FLUSH_RECORDS = 4096;

    /** As {@link #FLUSH_RECORDS}, for the memory of the calls. */
    private static final long FLUSH_BYTES = 1 << 20;

    private static final int MAX_EVENT_BYTES = 128 * 1024;
    private static final int MAX_BATCH_EVENTS = 8;

    /** The approximate memory of a record besides its content. */
    private static final long RECORD_OVERHEAD = 256;

    /** The memory that is reserved for a record that is made but not encoded yet. */
    private static final long RECORD_BYTES = 2048;

    private final String topic;
    private final String stream;
    private final CallAuditLog auditLog;
    private final Object lock = new Object();

    // Guarded by the lock.
    private List<BufferedRecord> incoming = new ArrayList<>();
    private long incomingBytes;
    private boolean flushScheduled;
    private boolean flushRequested;
    private CallRecord.@Nullable Lost lost;

    private volatile boolean started;

    // Confined to the log's thread.
    private final Deque<byte[]> encodedRecords = new ArrayDeque<>();
    private List<Consumer<Optional<String>>> waitingCallbacks = new ArrayList<>();
    private @Nullable RecordBatch batchInFlight;

    /** Why the last write failed; empty if it succeeded. */
    private Optional<String> failure = Optional.empty();

    private long eventCount;
    private @Nullable CompletableFuture<Void> stopped;

    CallRecordAppender(String topic, CallAuditLog callAuditLog) {
        this.topic = topic;
        this.stream = CallStreamLayout.of(topic);
        this.auditLog = callAuditLog;
    }

    /** A record that is created later, on the log's thread. */
    private record BufferedRecord(
            Supplier<CallRecord> source,
            long memoryBytes,
            @Nullable Consumer<Optional<String>> callback) {}

    /** Returns the approximate memory of an encoded record. */
    private static long memoryBytes(byte[] encoded) {
        return encoded.length + RECORD_OVERHEAD;
    }

    /** Whether the ledger has recorded that this process records the calls of the topic. */
    boolean isStarted() {
        return started;
    }

    /**
     * Appends a record without waiting.
     *
     * @param at the time of the record
     * @param contentBytes the memory that the source holds
     * @param source creates the record, on another thread
     */
    void append(Instant at, long contentBytes, Supplier<CallRecord> source) {
        append(at, source, contentBytes, null);
    }

    /**
     * Appends a record as soon as possible.
     *
     * @param callback receives the result on another thread: empty if the record is durable, otherwise the reason why
     *     not. A record that is not durable is still written later if possible.
     */
    void appendDurably(
            Instant at, long contentBytes, Supplier<CallRecord> source, Consumer<Optional<String>> callback) {
        append(at, source, contentBytes, callback);
    }

    private void append(
            Instant at, Supplier<CallRecord> source, long contentBytes, @Nullable Consumer<Optional<String>> callback) {
        BufferedRecord bufferedRecord = new BufferedRecord(source, contentBytes + RECORD_OVERHEAD, callback);
        boolean reserved = auditLog.reserve(bufferedRecord.memoryBytes(), false);
        if (!reserved) {
            // The calls that wait to be encoded fill the memory. This call waits until its record is made, so that a
            // member cannot keep its calls out of the ledger by sending large ones.
            CallRecord ready = source.get();
            bufferedRecord = new BufferedRecord(() -> ready, RECORD_BYTES, callback);
            reserved = auditLog.reserve(bufferedRecord.memoryBytes(), true);
        }
        boolean urgent;
        boolean first;
        synchronized (lock) {
            if (reserved) {
                incoming.add(bufferedRecord);
            } else {
                lost = lost == null
                        ? new CallRecord.Lost(at, at, 1)
                        : new CallRecord.Lost(lost.since(), at, lost.count() + 1);
            }
            incomingBytes += bufferedRecord.memoryBytes();
            urgent = !flushRequested
                    && (callback != null || incoming.size() >= FLUSH_RECORDS || incomingBytes >= FLUSH_BYTES);
            first = !flushScheduled;
            flushRequested |= urgent;
            flushScheduled = true;
        }
        if (urgent) {
            auditLog.execute(this::flush);
        } else if (first) {
            auditLog.schedule(this::flush, FLUSH_MILLIS);
        }
        if (!reserved) {
            auditLog.countLost();
            if (callback != null) {
                callback.accept(Optional.of("too many call records wait for the ledger"));
            }
        }
    }

    /** Encodes the waiting records, and writes them unless a batch is being written. */
    private void flush() {
        List<BufferedRecord> taken;
        CallRecord.Lost takenLoss;
        synchronized (lock) {
            taken = incoming;
            incoming = new ArrayList<>(Math.min(taken.size(), FLUSH_RECORDS));
            takenLoss = lost;
            lost = null;
            incomingBytes = 0;
            flushScheduled = false;
            flushRequested = false;
        }
        for (BufferedRecord each : taken) {
            encode(each);
        }
        if (takenLoss != null) {
            logLoss(takenLoss);
            byte[] encoded = CallRecordCodec.encode(takenLoss);
            auditLog.adjustReserved(memoryBytes(encoded));
            encodedRecords.add(encoded);
        }
        if (failure.isPresent()) {
            // The ledger is unavailable: waiting calls do not wait for the next attempt.
            takeCallbacks().forEach(callback -> callback.accept(failure));
        }
        submitNext();
    }

    /** Encodes a record. If that fails, only this record is lost, and the call that waits for it is answered. */
    private void encode(BufferedRecord bufferedRecord) {
        byte[] encoded;
        try {
            encoded = CallRecordCodec.encode(bufferedRecord.source().get());
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("topic", topic)
                    .setCause(e)
                    .log("A call record of the topic '{}' could not be encoded and is lost.", topic);
            auditLog.adjustReserved(-bufferedRecord.memoryBytes());
            auditLog.countLost();
            if (bufferedRecord.callback() != null) {
                bufferedRecord.callback().accept(Optional.of("the call record could not be encoded"));
            }
            return;
        }
        auditLog.adjustReserved(memoryBytes(encoded) - bufferedRecord.memoryBytes());
        encodedRecords.add(encoded);
        if (bufferedRecord.callback() != null) {
            waitingCallbacks.add(bufferedRecord.callback());
        }
    }

    private List<Consumer<Optional<String>>> takeCallbacks() {
        List<Consumer<Optional<String>>> taken = waitingCallbacks;
        waitingCallbacks = new ArrayList<>();
        return taken;
    }

    private void logLoss(CallRecord.Lost loss) {
        log.atWarn()
                .addKeyValue("topic", topic)
                .log(
                        "{} call records of the topic '{}' from {} to {} were lost, because too many waited for the"
                                + " ledger. The ledger records the gap.",
                        loss.count(),
                        topic,
                        loss.since(),
                        loss.at());
    }

    private void submitNext() {
        boolean stopping = stopped != null && started;
        if (batchInFlight != null) {
            return;
        }
        if (encodedRecords.isEmpty() && !stopping) {
            completeStop();
            return;
        }
        List<RecordEvent> events = new ArrayList<>();
        List<byte[]> records = new ArrayList<>();
        while (!encodedRecords.isEmpty() && events.size() < MAX_BATCH_EVENTS) {
            List<byte[]> contents = new ArrayList<>();
            for (int bytes = 0; bytes < MAX_EVENT_BYTES && !encodedRecords.isEmpty(); ) {
                byte[] next = encodedRecords.remove();
                bytes += next.length;
                contents.add(next);
                records.add(next);
            }
            events.add(new RecordEvent(auditLog.gateway() + "-" + ++eventCount, contents));
        }
        batchInFlight = new RecordBatch(
                events,
                records,
                encodedRecords.isEmpty() ? takeCallbacks() : List.of(),
                stopping && encodedRecords.isEmpty());
        submit(batchInFlight);
    }

    private void submit(RecordBatch batch) {
        int bytes = batch.records().stream().mapToInt(each -> each.length).sum();
        auditLog.writer()
                .submit(stream, bytes, batch::decide, result -> auditLog.execute(() -> onResult(batch, result)));
    }

    private void onResult(RecordBatch batch, WriteResult<Boolean> result) {
        failure = switch (result) {
            case WriteResult.Written<Boolean> _ -> Optional.empty();
            case WriteResult.Unavailable<Boolean>(String reason, var _) -> Optional.of(reason);
            case WriteResult.Failed<Boolean>(Throwable cause) -> {
                log.error("Call records of the topic '{}' could not be written.", topic, cause);
                yield Optional.of("writing to the ledger failed; see the gateway's log");
            }
        };
        List<Consumer<Optional<String>>> callbacks = batch.takeCallbacks();
        if (failure.isEmpty()) {
            started = true;
            batchInFlight = null;
            auditLog.countWritten(batch.records().size());
            batch.records().forEach(each -> auditLog.adjustReserved(-memoryBytes(each)));
            if (batch.stops()) {
                started = false;
                completeStop();
            }
        } else {
            callbacks.addAll(takeCallbacks());
            // The same batch is written again: if it is in the ledger after all, its references tell.
            auditLog.schedule(() -> submit(batch), RETRY_MILLIS);
        }
        callbacks.forEach(callback -> callback.accept(failure));
        if (failure.isEmpty()) {
            submitNext();
        }
    }

    /** Writes the waiting records, and then records that this process stops recording, if it has recorded any. */
    CompletableFuture<Void> stop() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        auditLog.execute(() -> {
            stopped = done;
            flush();
        });
        return done;
    }

    private void completeStop() {
        if (stopped != null) {
            stopped.complete(null);
        }
    }

    /** One ledger event with several records. */
    private record RecordEvent(String subject, List<byte[]> records) {}

    /** The events that are written together. */
    private final class RecordBatch {
        private final List<RecordEvent> events;
        private final List<byte[]> records;
        private List<Consumer<Optional<String>>> callbacks;
        private final boolean stops;

        RecordBatch(
                List<RecordEvent> events,
                List<byte[]> records,
                List<Consumer<Optional<String>>> callbacks,
                boolean stops) {
            this.events = events;
            this.records = records;
            this.callbacks = callbacks;
            this.stops = stops;
        }

        List<byte[]> records() {
            return records;
        }

        boolean stops() {
            return stops;
        }

        /** Returns the callbacks of the records, at the first call. */
        List<Consumer<Optional<String>>> takeCallbacks() {
            List<Consumer<Optional<String>>> taken = new ArrayList<>(callbacks);
            callbacks = List.of();
            return taken;
        }

        TaskDecision<Boolean> decide(WriterTaskContext context) {
            List<LedgerEvent> created = new ArrayList<>();
            List<SubjectSummary> summaries = new ArrayList<>();
            String gateway = auditLog.gateway();
            List<LedgerEvent> period = new ArrayList<>(context.history(gateway));
            if (!started) {
                appendPeriodEvent(context, CallStreamLayout.STARTED, period, created);
            }
            for (RecordEvent each : events) {
                if (context.findByReference(each.subject()).isEmpty()) {
                    LedgerEvent event = context.createEvent(
                            each.subject(),
                            CallStreamLayout.RECORDS,
                            SystemMessage.GATEWAY,
                            each.subject(),
                            CallRecordCodec.body(gateway, each.records()));
                    created.add(event);
                    summaries.add(CallStreamLayout.summary(event, event));
                }
            }
            if (stops) {
                appendPeriodEvent(context, CallStreamLayout.STOPPED, period, created);
            }
            if (!period.isEmpty() && created.contains(period.getLast())) {
                summaries.add(CallStreamLayout.summary(period.getFirst(), period.getLast()));
            }
            return new TaskDecision<>(true, created, summaries);
        }

        private void appendPeriodEvent(
                WriterTaskContext context, String type, List<LedgerEvent> period, List<LedgerEvent> created) {
            String reference = auditLog.gateway() + "-" + type;
            if (context.findByReference(reference).isEmpty()) {
                LedgerEvent event = context.createEvent(
                        auditLog.gateway(),
                        type,
                        SystemMessage.GATEWAY,
                        reference,
                        CallStreamLayout.gatewayBody(auditLog.gateway()));
                period.add(event);
                created.add(event);
            }
        }
    }
}
