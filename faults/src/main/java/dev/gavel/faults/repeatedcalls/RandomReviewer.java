package dev.gavel.faults.repeatedcalls;

import dev.gavel.bench.client.EnvelopeTemplates;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.client.Decision;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.Participant;
import dev.gavel.client.Proposal;
import dev.gavel.client.Reviewer;
import dev.gavel.client.Token;
import dev.gavel.client.http.RemoteProblem;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A reviewer that approves, rejects or ignores proposals at random, after a random time. When the faults end, it also
 * decides the proposals that it ignored, except those of abandoned keys. Thread-safe.
 */
final class RandomReviewer implements Reviewer, AutoCloseable {
    private static final Set<String> LOST_RACE_CODES = Set.of("proposal_closed", "already_fulfilled");
    private static final int MAX_DELAY_MILLIS = 2_000;
    private static final int RETRY_MILLIS = 300;

    private final Random random;
    private final CountDownLatch settling = new CountDownLatch(1);
    private final Participant participant;

    /** Connects to one of the gateways and starts to review. */
    RandomReviewer(List<String> addresses, String name, long seed) {
        random = new Random(seed);
        participant = Gavel.at(addresses.getFirst(), addresses.stream().skip(1).toArray(String[]::new))
                .token(Token.of(GavelConfigBuilder.token(name)))
                .topic(RepeatedCallsTopicConfig.TOPIC)
                .connect();
        participant.review(this);
    }

    @Override
    public Decision review(Proposal proposal) throws InterruptedException {
        if (CallKey.isAbandoned(path(proposal))) {
            return Decision.leave();
        }
        int percent = random.nextInt(100);
        boolean ignores = percent >= 80;
        if (ignores) {
            settling.await();
        } else if (settling.getCount() > 0) {
            Thread.sleep(random.nextLong(MAX_DELAY_MILLIS));
        }
        return percent < 12
                ? Decision.reject("policy")
                : Decision.approve()
                        .runBy(RepeatedCallsTopicConfig.SERVER)
                        .forDefinition(EnvelopeTemplates.definitionDigest(RepeatedCallsTopicConfig.SERVER));
    }

    private static String path(Proposal proposal) {
        return proposal.call().arguments().at("path").text();
    }

    /** Decides everything from now on. */
    void settle() {
        settling.countDown();
    }

    @Override
    public void notTaken(Proposal proposal, Decision decision, RemoteProblem problem) {
        // The tool server or the ledger may be unavailable, or another decision was faster.
        if (!LOST_RACE_CODES.contains(problem.code())) {
            Thread.ofVirtual().start(() -> retry(proposal, decision));
        }
    }

    private void retry(Proposal proposal, Decision decision) {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return;
        }
        var _ = participant.decide(proposal, decision).whenComplete((done, failure) -> {
            if (failure instanceof GavelException.Refused refused) {
                notTaken(proposal, decision, refused.problem());
            }
        });
    }

    @Override
    public void close() {
        settle();
        participant.close();
    }
}
