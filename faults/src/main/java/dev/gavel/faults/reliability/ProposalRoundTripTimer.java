package dev.gavel.faults.reliability;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs proposals through a topic one after the other and measures the time from proposing to the response. Used by one
 * thread.
 */
final class ProposalRoundTripTimer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final String prefix = "flow" + NUMBERS.incrementAndGet() + "-";
    private final RawSocketClient proposer;
    private final RawSocketClient reviewer;
    private final RawSocketClient server;
    private int proposalCount;
    private volatile String currentProposal = "";
    private volatile CompletableFuture<ReceivedEnvelope> outcome = new CompletableFuture<>();

    /**
     * Connects {@code flow-proposer}, {@code flow-reviewer} and {@code flow-server}, which {@link #addParticipants}
     * adds to the configuration.
     */
    ProposalRoundTripTimer(SingleGatewayProcess singleGatewayProcess, String topic)
            throws IOException, InterruptedException {
        proposer = singleGatewayProcess.join("flow-proposer", topic, this::onProposerEnvelope);
        server = singleGatewayProcess.join("flow-server", topic, this::onServerEnvelope);
        reviewer = singleGatewayProcess.join("flow-reviewer", topic, this::onReviewerEnvelope);
    }

    /** Adds the required participants to a topic. */
    static void addParticipants(GavelConfigBuilder gavelConfigBuilder, String topic) {
        gavelConfigBuilder
                .proposer(topic, "flow-proposer")
                .server(topic, "flow-server")
                .reviewer(topic, "flow-reviewer");
    }

    private void onProposerEnvelope(ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.kind().startsWith("mcp.response.")
                && receivedEnvelope.id().equals(currentProposal + "-a")) {
            outcome.complete(receivedEnvelope);
        } else if (receivedEnvelope.kind().equals("system.error")) {
            outcome.completeExceptionally(new IOException(receivedEnvelope.text()));
        }
    }

    private void onReviewerEnvelope(ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.kind().startsWith("mcp.proposal.")
                && receivedEnvelope.id().equals(currentProposal)) {
            send(reviewer, EnvelopeTemplates.fulfilment(currentProposal + "-f", currentProposal, "flow-server"));
        }
    }

    private void onServerEnvelope(ReceivedEnvelope receivedEnvelope) {
        if (receivedEnvelope.kind().startsWith("mcp.request.")
                && receivedEnvelope.id().equals(currentProposal + "-f")) {
            send(server, EnvelopeTemplates.response(currentProposal + "-a", receivedEnvelope.id(), "flow-reviewer"));
        }
    }

    private void send(RawSocketClient client, String envelopeText) {
        try {
            client.send(envelopeText);
        } catch (IOException e) {
            outcome.completeExceptionally(e);
        }
    }

    /** Runs one proposal and returns its time in nanoseconds. */
    long runOne() throws InterruptedException {
        long start = System.nanoTime();
        CompletableFuture<ReceivedEnvelope> awaited = new CompletableFuture<>();
        outcome = awaited;
        currentProposal = prefix + proposalCount++;
        send(proposer, EnvelopeTemplates.proposal(currentProposal, 600, 0));
        var _ = ConditionWaiter.require("the outcome of a proposal", PATIENCE, awaited);
        return System.nanoTime() - start;
    }

    /** Runs this many proposals and returns their median time in nanoseconds. */
    long medianNanos(int proposals) throws InterruptedException {
        long[] nanos = new long[proposals];
        for (int i = 0; i < proposals; i++) {
            nanos[i] = runOne();
        }
        Arrays.sort(nanos);
        return nanos[proposals / 2];
    }

    int proposalCount() {
        return proposalCount;
    }

    @Override
    public void close() throws IOException {
        proposer.close();
        reviewer.close();
        server.close();
    }
}
