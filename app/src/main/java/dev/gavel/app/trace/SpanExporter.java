package dev.gavel.app.trace;

import dev.gavel.app.trace.OtlpClient.SendResult;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.web.metrics.SpanExportCounts;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports the trace spans of proposals to a collector in the background, with retries, and drops spans if its queue is
 * full. The gateway never waits for it. If the collector is unavailable or slow, spans are retried for a while, then
 * dropped and counted. Thread-safe.
 */
public final class SpanExporter implements TopicListener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SpanExporter.class);

    private static final int MAX_QUEUED = 8192;
    private static final int MAX_BATCH = 512;

    /** How long spans are gathered before they are sent. */
    private static final long BATCH_WINDOW_MILLIS = 500;

    private static final int MAX_ATTEMPTS = 6;
    private static final long FIRST_RETRY_MILLIS = 1000;

    /** How long the remaining spans may take to be sent when the process stops. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    private final BlockingQueue<TraceSpan> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
    private final OtlpClient otlpClient;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongAdder exported = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;

    /** Confined to the exporter's thread. */
    private boolean collectorDown;

    /**
     * Creates an exporter to a collector.
     *
     * @param headers the additional request headers
     */
    public SpanExporter(URI collector, OtlpHeaders headers) {
        this.otlpClient = new OtlpClient(collector, headers, OtlpClient.TIMEOUT);
        this.thread = Thread.ofPlatform().daemon().name("gavel-traces").start(this::run);
    }

    @Override
    public void onProposalWrite(Topic topic, AppliedProposalEvent change) {
        try {
            for (TraceSpan span : ProposalSpanFactory.spansFor(topic.name(), change)) {
                if (!queue.offer(span)) {
                    dropped.increment();
                }
            }
        } catch (RuntimeException e) {
            // A failed trace must not affect its proposal.
            dropped.increment();
            log.debug("A span could not be created.", e);
        }
    }

    /** The numbers of exported and dropped spans so far. */
    public SpanExportCounts counts() {
        return new SpanExportCounts(exported.sum(), dropped.sum());
    }

    private void run() {
        try (otlpClient) {
            while (closing.getCount() > 0) {
                sendWithRetry(nextBatch());
            }
            List<TraceSpan> rest = new ArrayList<>();
            while (queue.drainTo(rest, MAX_BATCH) > 0) {
                sendWithRetry(rest);
                rest.clear();
            }
        }
    }

    /** Waits for spans and returns the next batch; a smaller one if the exporter is being closed. */
    private List<TraceSpan> nextBatch() {
        List<TraceSpan> batch = new ArrayList<>();
        try {
            batch.add(queue.take());
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BATCH_WINDOW_MILLIS);
            while (batch.size() < MAX_BATCH) {
                TraceSpan next = queue.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    break;
                }
                batch.add(next);
            }
        } catch (InterruptedException e) {
            // Being closed: the gathered spans are sent now, and the remaining ones after them.
        }
        return batch;
    }

    private void sendWithRetry(List<TraceSpan> spans) {
        if (spans.isEmpty()) {
            return;
        }
        SendResult sendResult = send(spans);
        long pause = FIRST_RETRY_MILLIS;
        for (int tries = 1;
                sendResult == SendResult.RETRY_LATER && tries < MAX_ATTEMPTS && !awaitClose(pause);
                tries++) {
            sendResult = send(spans);
            pause *= 2;
        }
        logAvailability(sendResult);
        (sendResult == SendResult.ACCEPTED ? exported : dropped).add(spans.size());
    }

    private SendResult send(List<TraceSpan> spans) {
        try {
            SendResult sendResult = otlpClient.send(spans);
            if (sendResult == SendResult.RETRY_LATER) {
                logAvailability(sendResult);
            }
            return sendResult;
        } catch (InterruptedException e) {
            return SendResult.RETRY_LATER;
        } catch (RuntimeException e) {
            // Logs only the class: the message may repeat a header, which may be a secret.
            log.debug("Spans could not be sent: {}", e.getClass().getName());
            return SendResult.REFUSED;
        }
    }

    /**
     * Waits before the next attempt; returns whether the exporter is being closed, so that there is no time for one.
     */
    private boolean awaitClose(long millis) {
        try {
            return closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Logs once when the collector becomes unavailable, and once when it is available again. */
    private void logAvailability(SendResult sendResult) {
        boolean accepted = sendResult == SendResult.ACCEPTED;
        if (accepted && collectorDown) {
            log.info("The trace collector {} accepts spans again.", otlpClient.address());
        } else if (!accepted && !collectorDown) {
            log.warn(
                    "The trace collector {} does not accept spans; spans that cannot be sent in time are dropped.",
                    otlpClient.address());
        }
        collectorDown = !accepted;
    }

    /** Sends the remaining spans within a short time limit. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
