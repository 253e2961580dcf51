package dev.gavel.bench.reliability;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Proposals made, fulfilled and answered one after the other in a topic, to see whether they still get through and how
 * long one takes from its making to its outcome. Used by one thread.
 */
final class Flow implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final String prefix = "flow" + NUMBERS.incrementAndGet() + "-";
    private final Client proposer;
    private final Client reviewer;
    private final Client server;
    private int made;
    private volatile String expected = "";
    private volatile CompletableFuture<Heard> outcome = new CompletableFuture<>();

    /** Connects {@code flow-proposer}, {@code flow-reviewer} and {@code flow-server}, which {@link #cast} has named. */
    Flow(Gavel gavel, String topic) throws IOException, InterruptedException {
        proposer = gavel.join("flow-proposer", topic, this::proposerHears);
        server = gavel.join("flow-server", topic, this::serverHears);
        reviewer = gavel.join("flow-reviewer", topic, this::reviewerHears);
    }

    /** Names those it needs in a topic. */
    static void cast(Setting setting, String topic) {
        setting.proposer(topic, "flow-proposer").server(topic, "flow-server").reviewer(topic, "flow-reviewer");
    }

    private void proposerHears(Heard heard) {
        if (heard.kind().startsWith("mcp.response.") && heard.id().equals(expected + "-a")) {
            outcome.complete(heard);
        } else if (heard.kind().equals("system.error")) {
            outcome.completeExceptionally(new IOException(heard.text()));
        }
    }

    private void reviewerHears(Heard heard) {
        if (heard.kind().startsWith("mcp.proposal.") && heard.id().equals(expected)) {
            send(reviewer, Letters.fulfil(expected + "-f", expected, "flow-server"));
        }
    }

    private void serverHears(Heard heard) {
        if (heard.kind().startsWith("mcp.request.") && heard.id().equals(expected + "-f")) {
            send(server, Letters.answer(expected + "-a", heard.id(), "flow-reviewer"));
        }
    }

    private void send(Client client, String letter) {
        try {
            client.send(letter);
        } catch (IOException e) {
            outcome.completeExceptionally(e);
        }
    }

    /** Lets one through, and says how many nanoseconds it took. */
    long one() throws InterruptedException {
        long start = System.nanoTime();
        CompletableFuture<Heard> awaited = new CompletableFuture<>();
        outcome = awaited;
        expected = prefix + made++;
        send(proposer, Letters.propose(expected, 600, 0));
        var _ = Patience.need("outcome of a proposal", PATIENCE, awaited);
        return System.nanoTime() - start;
    }

    /** Lets so many through; the median of what they took. */
    long median(int proposals) throws InterruptedException {
        long[] nanos = new long[proposals];
        for (int i = 0; i < proposals; i++) {
            nanos[i] = one();
        }
        Arrays.sort(nanos);
        return nanos[proposals / 2];
    }

    int made() {
        return made;
    }

    @Override
    public void close() throws IOException {
        proposer.close();
        reviewer.close();
        server.close();
    }
}
