package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Gavel;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Approves proposals over a WebSocket. Hears on one thread, approves on another. */
final class Reviewer implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int AT_ONCE = 200;

    private final BlockingQueue<String> proposals = new LinkedBlockingQueue<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final Client client;

    /** Comes into a topic. */
    Reviewer(Gavel gavel, String topic) throws IOException, InterruptedException {
        client = gavel.join("reviewer", topic, heard -> hear(heard, proposals, answers));
    }

    private static void hear(Heard heard, BlockingQueue<String> proposals, AtomicInteger answers) {
        if (heard.kind().startsWith("mcp.proposal.")) {
            proposals.add(heard.id());
        } else if (heard.kind().startsWith("mcp.response.")) {
            answers.incrementAndGet();
        }
    }

    /** The id of the proposal that has waited longest since it was heard of. */
    String next() throws InterruptedException {
        String proposal = proposals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (proposal == null) {
            throw new LoadFailure("the reviewer heard of no proposal within " + PATIENCE_SECONDS + " s");
        }
        return proposal;
    }

    /** How many proposals were heard of and not taken yet. */
    int waiting() {
        return proposals.size();
    }

    /** Approves so many, a few at a time: no more may run at once than a bridge takes. Returns when all were answered. */
    void approveAll(int count) throws IOException, InterruptedException {
        int before = answers.get();
        for (int approved = 1; approved <= count; approved++) {
            approve(next());
            int most = approved - AT_ONCE;
            if (approved % AT_ONCE == 0) {
                Patience.need("approved calls are answered", LONG, () -> answers.get() - before >= most);
            }
        }
        Patience.need("all approved calls are answered", LONG, () -> answers.get() - before >= count);
    }

    void approve(String proposal) throws IOException {
        client.send(Rpc.approval(proposal, Stage.PIPE_TOOL, Stage.PIPED));
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
