package dev.gavel.app.trace;

import dev.gavel.app.metrics.SpanCounts;
import dev.gavel.app.trace.Collector.Answer;
import dev.gavel.gateway.Listener;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.docket.Change;
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
 * Sends spans of what happens to proposals to a collector, on a thread of its own. The gateway never waits for it: where
 * the collector is away or slow, spans are tried again for a while, then dropped and counted. Thread-safe.
 */
public final class SpanExporter implements Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SpanExporter.class);

    private static final int MOST_WAITING = 8192;
    private static final int MOST_AT_ONCE = 512;

    /** So long spans are gathered before they are sent. */
    private static final long GATHER_MILLIS = 500;

    private static final int MOST_TRIES = 6;
    private static final long FIRST_RETRY_MILLIS = 1000;

    /** How long what is left may take to be sent when the process ends. */
    private static final Duration LEAVE = Duration.ofSeconds(3);

    private final BlockingQueue<Span> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Collector collector;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongAdder exported = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;

    /** The exporter's thread alone knows it. */
    private boolean away;

    /**
     * An exporter to a collector.
     *
     * @param headers what to send along
     */
    public SpanExporter(URI collector, CollectorHeaders headers) {
        this.collector = new Collector(collector, headers, Collector.PATIENCE);
        this.thread = Thread.ofPlatform().daemon().name("gavel-traces").start(this::run);
    }

    @Override
    public void wrote(Topic topic, Change change) {
        try {
            for (Span span : ProposalSpans.of(topic.name(), change)) {
                if (!waiting.offer(span)) {
                    dropped.increment();
                }
            }
        } catch (RuntimeException e) {
            // A trace is worth nothing next to the proposal it is of.
            dropped.increment();
            log.debug("a span could not be made", e);
        }
    }

    /** What became of spans so far. */
    public SpanCounts counts() {
        return new SpanCounts(exported.sum(), dropped.sum());
    }

    private void run() {
        try (collector) {
            while (closing.getCount() > 0) {
                deliver(gather());
            }
            List<Span> rest = new ArrayList<>();
            while (waiting.drainTo(rest, MOST_AT_ONCE) > 0) {
                deliver(rest);
                rest.clear();
            }
        }
    }

    /** The next spans, once there are any; fewer where the exporter is being closed. */
    private List<Span> gather() {
        List<Span> gathered = new ArrayList<>();
        try {
            gathered.add(waiting.take());
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GATHER_MILLIS);
            while (gathered.size() < MOST_AT_ONCE) {
                Span next = waiting.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    break;
                }
                gathered.add(next);
            }
        } catch (InterruptedException e) {
            // Being closed: what was gathered is sent, and the rest after it.
        }
        return gathered;
    }

    private void deliver(List<Span> spans) {
        if (spans.isEmpty()) {
            return;
        }
        Answer answer = send(spans);
        long pause = FIRST_RETRY_MILLIS;
        for (int tries = 1; answer == Answer.LATER && tries < MOST_TRIES && !closed(pause); tries++) {
            answer = send(spans);
            pause *= 2;
        }
        note(answer);
        (answer == Answer.TAKEN ? exported : dropped).add(spans.size());
    }

    private Answer send(List<Span> spans) {
        try {
            Answer answer = collector.send(spans);
            if (answer == Answer.LATER) {
                note(answer);
            }
            return answer;
        } catch (InterruptedException e) {
            return Answer.LATER;
        } catch (RuntimeException e) {
            // By its kind alone: its words may repeat a header, which may be a secret.
            log.debug("spans could not be sent: {}", e.getClass().getName());
            return Answer.REFUSED;
        }
    }

    /** Waits before the next try; says whether the exporter is being closed, and there is no time for one. */
    private boolean closed(long millis) {
        try {
            return closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Says once that the collector is away, and once that it is back. */
    private void note(Answer answer) {
        boolean taken = answer == Answer.TAKEN;
        if (taken && away) {
            log.info("Trace spans are taken again by {}.", collector.address());
        } else if (!taken && !away) {
            log.warn("Trace spans are not taken by {}; what it does not take in time is dropped.", collector.address());
        }
        away = !taken;
    }

    /** Sends what is left, as far as that takes no time. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            thread.join(LEAVE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
