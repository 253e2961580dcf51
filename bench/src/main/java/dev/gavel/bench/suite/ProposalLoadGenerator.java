package dev.gavel.bench.suite;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.SingleGatewayProcess;
import dev.gavel.bench.stats.TimeSamples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Connects proposers, a reviewer and a server to one topic and runs proposals through their whole lifecycle. One thread
 * starts and ends it.
 */
final class ProposalLoadGenerator implements AutoCloseable {
    static final String TOPIC = "main";

    private static final int PROPOSERS = 4;
    private static final String REVIEWER = "reviewer";
    private static final String SERVER = "server";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final double TTL_SECONDS = 3600;
    private static final int FILLER = 100;
    private static final int MAX_IN_FLIGHT = 600;

    private final LongFunction<String> ids;
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private final AtomicLong proposalCount = new AtomicLong();
    private final AtomicLong answeredCount = new AtomicLong();
    private final List<RawSocketClient> proposers = new ArrayList<>();
    private final RawSocketClient reviewer;
    private final RawSocketClient server;
    private volatile boolean repeating;
    private volatile @Nullable TimeSamples latencies;
    private volatile @Nullable String error;

    /**
     * Connects all participants.
     *
     * @param ids returns the id of a proposal, by its number
     */
    ProposalLoadGenerator(SingleGatewayProcess singleGatewayProcess, LongFunction<String> ids)
            throws IOException, InterruptedException {
        this.ids = ids;
        server = singleGatewayProcess.join(SERVER, TOPIC, this::onServerEnvelope);
        reviewer = singleGatewayProcess.join(REVIEWER, TOPIC, this::onReviewerEnvelope);
        for (int i = 0; i < PROPOSERS; i++) {
            proposers.add(singleGatewayProcess.join("p" + i, TOPIC, this::onProposerEnvelope));
        }
    }

    /** The configuration of a server for this load. */
    static String configuration() {
        StringBuilder identities = new StringBuilder();
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < PROPOSERS; i++) {
            identities.append("  p%d: {token: \"%s\"}\n".formatted(i, GavelConfigBuilder.token("p" + i)));
            members.append("      p%d: [\"mcp.proposal.*\"]\n".formatted(i));
        }
        return """
                limits: {ask: off, bytes: off, rate: 1000000/s, open: 10000000}
                identities:
                  reviewer: {token: "%s"}
                  server: {token: "%s"}
                %stopics:
                  main:
                    participants:
                      reviewer: ["*"]
                      server: ["mcp.response.*"]
                %s""".formatted(GavelConfigBuilder.token(REVIEWER), GavelConfigBuilder.token(SERVER), identities, members);
    }

    private void onServerEnvelope(ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.kind().startsWith("mcp.request.")) {
            send(server, EnvelopeTemplates.response(receivedEnvelope.id() + "a", receivedEnvelope.id(), REVIEWER));
        }
    }

    private void onReviewerEnvelope(ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.kind().startsWith("mcp.proposal.")) {
            TimeSamples samples = latencies;
            if (samples != null) {
                samples.add(System.nanoTime() - started.getOrDefault(receivedEnvelope.id(), 0L));
            }
            send(reviewer, EnvelopeTemplates.fulfilment(receivedEnvelope.id() + "f", receivedEnvelope.id(), SERVER));
        } else {
            recordError(receivedEnvelope);
        }
    }

    private void onProposerEnvelope(ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.kind().startsWith("mcp.response.")
                && receivedEnvelope.id().endsWith("fa")) {
            String proposal =
                    receivedEnvelope.id().substring(0, receivedEnvelope.id().length() - 2);
            // All proposers receive it; the first one counts.
            if (started.remove(proposal) != null) {
                answeredCount.incrementAndGet();
                if (repeating) {
                    propose(System.nanoTime());
                }
            }
        } else {
            recordError(receivedEnvelope);
        }
    }

    private void recordError(ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.kind().equals("system.error")) {
            error = receivedEnvelope.text();
        }
    }

    private void propose(long since) {
        long number = proposalCount.getAndIncrement();
        String id = ids.apply(number);
        started.put(id, since);
        send(proposers.get((int) (number % PROPOSERS)), EnvelopeTemplates.proposal(id, TTL_SECONDS, FILLER));
    }

    private void send(RawSocketClient client, String envelopeText) {
        try {
            client.send(envelopeText);
        } catch (IOException e) {
            error = String.valueOf(e.getMessage());
        }
    }

    /** The number of answered proposals. */
    long completedCount() {
        String reason = error;
        if (reason != null) {
            throw new RunFailedException("a proposal failed: " + reason);
        }
        return answeredCount.get();
    }

    /** Keeps this many proposals in progress, each followed by another, until {@link #drain}. */
    void saturate(int underWay) {
        repeating = true;
        for (int i = 0; i < underWay; i++) {
            propose(System.nanoTime());
        }
    }

    /** Starts no more proposals, and returns when those in progress are answered. */
    void drain() throws InterruptedException {
        repeating = false;
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (completedCount() < proposalCount.get()) {
            if (System.nanoTime() > end) {
                throw new RunFailedException(proposalCount.get() - completedCount() + " proposals have no result");
            }
            Thread.sleep(1);
        }
    }

    /**
     * Proposes at an even rate, and returns how long after its due time the reviewer received each proposal. If too
     * many are in progress for the gateway to accept more from the participants that fulfil them, the next one is late,
     * and that counts.
     */
    TimeSamples proposeEvenly(double perSecond, Duration time) throws InterruptedException {
        TimeSamples samples = new TimeSamples();
        latencies = samples;
        long spacing = (long) (1e9 / perSecond);
        long start = System.nanoTime();
        for (long due = start; due - start < time.toNanos(); due += spacing) {
            long wait;
            while ((wait = due - System.nanoTime()) > 0) {
                LockSupport.parkNanos(wait);
            }
            while (started.size() >= MAX_IN_FLIGHT) {
                LockSupport.parkNanos(spacing);
            }
            propose(due);
        }
        drain();
        latencies = null;
        return samples;
    }

    @Override
    public void close() throws IOException {
        for (RawSocketClient proposer : proposers) {
            proposer.close();
        }
        reviewer.close();
        server.close();
    }
}
