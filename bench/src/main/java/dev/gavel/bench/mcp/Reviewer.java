package dev.gavel.bench.mcp;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.reliability.Client;
import dev.gavel.bench.reliability.Gavel;
import dev.gavel.bench.reliability.Heard;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Approves proposals over a WebSocket. Hears on one thread, approves on another. */
final class Reviewer implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final BlockingQueue<String> proposals;
    private final Client client;

    private Reviewer(BlockingQueue<String> proposals, Client client) {
        this.proposals = proposals;
        this.client = client;
    }

    static Reviewer join(Gavel gavel, String topic) throws IOException, InterruptedException {
        BlockingQueue<String> proposals = new LinkedBlockingQueue<>();
        Client client = gavel.join("reviewer", topic, heard -> hear(heard, proposals));
        return new Reviewer(proposals, client);
    }

    private static void hear(Heard heard, BlockingQueue<String> proposals) {
        if (heard.kind().startsWith("mcp.proposal.")) {
            proposals.add(heard.id());
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

    void approve(String proposal) throws IOException {
        client.send(Rpc.approval(proposal, Stage.PIPE_TOOL, Stage.PIPED));
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
