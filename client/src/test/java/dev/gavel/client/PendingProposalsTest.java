package dev.gavel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.http.RemoteProblem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which refusals and envelopes are verified by a lookup, against a gateway with scripted responses. */
@Timeout(60)
class PendingProposalsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String TOO_FAST = "{'code':'rate_limited','detail':'later','retryAfterMs':1}";
    private static final String AWAY = "{'code':'unavailable','detail':'the ledger is away'}";
    private static final String UNKNOWN = "{'code':'unknown_proposal','detail':'there is none'}";

    private final ScriptedGateway gateway = new ScriptedGateway();
    private final Executor executor = task -> Thread.ofVirtual().start(task);
    private final PendingProposals pendingProposals = new PendingProposals();
    private final ProposalLookups lookups =
            new ProposalLookups(gateway.remote(), "ops", executor, pendingProposals::onLookupResult);
    private final Pending pending =
            new Pending("p", executor, (each, reason) -> new CompletableFuture<>(), null, false);

    @BeforeEach
    void open() {
        pendingProposals.start(lookups);
        pendingProposals.add(pending, "helper");
    }

    @AfterEach
    void close() {
        lookups.close();
        gateway.close();
    }

    private static RemoteProblem problem(String code) {
        return new RemoteProblem(0, code, "", 0, Optional.empty(), Optional.empty());
    }

    @Test
    void whatIsKeptAfterAllWasNotRefused() {
        gateway.respond(429, TOO_FAST).respond(503, AWAY).respond(200, "{'state':'open','from':'helper'}");
        pendingProposals.onRefused("p", problem("unavailable"));
        assertThat(pending.accepted()).succeedsWithin(LONG).isEqualTo("p");
        assertThat(gateway.requestCount()).isEqualTo(3);
        assertThat(pending.end()).isNotDone();
    }

    @Test
    void whatIsNotKeptWasRefused() {
        gateway.respond(404, UNKNOWN);
        pendingProposals.onRefused("p", problem("too_large"));
        assertThat(pending.end()).succeedsWithin(LONG).isEqualTo(new End.Refused("p", problem("too_large")));
        assertThat(pending.accepted()).failsWithin(LONG);
    }

    @Test
    void somebodyElsesProposalOfThatIdIsNotThisOne() {
        gateway.respond(200, "{'state':'open','from':'mallory'}");
        pendingProposals.onRefused("p", problem("unavailable"));
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Refused.class);
    }

    @Test
    void whatTheGatewayRefusedInSoManyWordsIsNotAskedAgain() {
        pendingProposals.onRefused("p", problem("duplicate_id"));
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Refused.class);
        assertThat(gateway.requestCount()).isZero();
    }

    @Test
    void whatIsAwaitedIsLookedUpWhenTheConnectionIsBack() {
        gateway.respond(429, TOO_FAST).respond(404, UNKNOWN);
        pendingProposals.onAccepted("p");
        pendingProposals.lookupAll();
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Unknown.class);
    }
}
