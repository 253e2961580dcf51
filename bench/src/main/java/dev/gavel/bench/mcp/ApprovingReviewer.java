package dev.gavel.bench.mcp;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Reviewer that receives proposals over a WebSocket and approves them. Receives on one thread, approves on another. */
final class ApprovingReviewer implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int AT_ONCE = 200;

    private final BlockingQueue<String> proposals = new LinkedBlockingQueue<>();
    private final AtomicInteger responseCount = new AtomicInteger();
    private final RawSocketClient client;

    /** Connects to a topic. */
    ApprovingReviewer(SingleGatewayProcess singleGatewayProcess, String topic)
            throws IOException, InterruptedException {
        client = singleGatewayProcess.join(
                "reviewer", topic, receivedEnvelope -> onEnvelope(receivedEnvelope, proposals, responseCount));
    }

    private static void onEnvelope(
            ReceivedEnvelope receivedEnvelope, BlockingQueue<String> proposals, AtomicInteger answers) {
        if (receivedEnvelope.kind().startsWith("mcp.proposal.")) {
            proposals.add(receivedEnvelope.id());
        } else if (receivedEnvelope.kind().startsWith("mcp.response.")) {
            answers.incrementAndGet();
        }
    }

    /** The id of the oldest proposal that was received and not taken yet. */
    String nextProposal() throws InterruptedException {
        String proposal = proposals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (proposal == null) {
            throw new RunFailedException("the reviewer received no proposal within " + PATIENCE_SECONDS + " s");
        }
        return proposal;
    }

    /** The number of proposals received and not taken yet. */
    int pendingCount() {
        return proposals.size();
    }

    /**
     * Approves this many, a few at a time, because a bridge limits its concurrent calls. Returns when all are answered.
     */
    void approveAll(int count) throws IOException, InterruptedException {
        int before = responseCount.get();
        for (int approved = 1; approved <= count; approved++) {
            approve(nextProposal());
            int threshold = approved - AT_ONCE;
            if (approved % AT_ONCE == 0) {
                ConditionWaiter.require(
                        "the approved calls to have results", LONG, () -> responseCount.get() - before >= threshold);
            }
        }
        ConditionWaiter.require(
                "all approved calls to have results", LONG, () -> responseCount.get() - before >= count);
    }

    void approve(String proposal) throws IOException {
        client.send(
                BenchRpcMessages.approval(proposal, McpBenchEnvironment.PIPE_TOOL, McpBenchEnvironment.STDIO_BRIDGE));
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
