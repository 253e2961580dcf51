package dev.gavel.gateway.call;

import dev.gavel.ledger.writer.LedgerWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes the call records of all topics of this process to the ledger, on a thread of its own, and limits the memory
 * that waiting records use. Thread-safe.
 */
public final class CallAuditLog implements AutoCloseable {
    /** The memory for records that wait to be written, in all topics together. */
    private static final long MAX_BUFFERED_BYTES = 64L * 1024 * 1024;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    private final LedgerWriter writer;
    private final InstantSource clock;
    private final String gateway;
    private final long maxBufferedBytes;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-calls").factory());
    private final List<CallRecordAppender> appenders = new CopyOnWriteArrayList<>();
    private final AtomicLong bufferedBytes = new AtomicLong();
    private final LongAdder written = new LongAdder();
    private final LongAdder lost = new LongAdder();

    /**
     * Creates the log of a process.
     *
     * @param gateway the unique id of the process: letters and digits
     */
    public CallAuditLog(LedgerWriter writer, InstantSource clock, String gateway) {
        this(writer, clock, gateway, MAX_BUFFERED_BYTES);
    }

    CallAuditLog(LedgerWriter writer, InstantSource clock, String gateway, long maxBufferedBytes) {
        this.writer = writer;
        this.clock = clock;
        this.gateway = gateway;
        this.maxBufferedBytes = maxBufferedBytes;
    }

    /** Returns the appender of a topic's records. Call it once for each topic. */
    public CallRecordAppender appender(String topic) {
        CallRecordAppender appender = new CallRecordAppender(topic, this);
        appenders.add(appender);
        return appender;
    }

    LedgerWriter writer() {
        return writer;
    }

    InstantSource clock() {
        return clock;
    }

    String gateway() {
        return gateway;
    }

    void execute(Runnable task) {
        if (!executor.isShutdown()) {
            executor.execute(task);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process stops before
    void schedule(Runnable task, long millis) {
        if (!executor.isShutdown()) {
            executor.schedule(task, millis, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Reserves memory for a waiting record. Returns false if there is none left. A call that waits to be encoded may use
     * only half of the memory, so that there is room for records.
     */
    boolean reserve(long bytes, boolean encoded) {
        if (bufferedBytes.addAndGet(bytes) > (encoded ? maxBufferedBytes : maxBufferedBytes / 2)) {
            bufferedBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Changes the memory that waiting records use, such as when a record has been encoded or written. */
    void adjustReserved(long bytes) {
        bufferedBytes.addAndGet(bytes);
    }

    void countWritten(long records) {
        written.add(records);
    }

    void countLost() {
        lost.increment();
    }

    /** Returns the counts since the start. */
    public Counts counts() {
        return new Counts(written.sum(), lost.sum());
    }

    /**
     * The numbers of call records since the start.
     *
     * @param written records that are durable
     * @param lost records that were dropped, because too many waited for the ledger
     */
    public record Counts(long written, long lost) {}

    /** Writes all waiting records and records that this process stops. Gives up after a few seconds. */
    @Override
    public void close() {
        CompletableFuture<?>[] closed =
                appenders.stream().map(CallRecordAppender::stop).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(closed)
                .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        executor.shutdown();
    }
}
