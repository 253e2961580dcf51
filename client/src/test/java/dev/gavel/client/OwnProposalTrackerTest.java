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
class OwnProposalTrackerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String TOO_FAST = "{'code':'rate_limited','detail':'later','retryAfterMs':1}";
    private static final String AWAY = "{'code':'unavailable','detail':'the ledger is away'}";
    private static final String UNKNOWN = "{'code':'unknown_proposal','detail':'there is none'}";

    private final ScriptedGateway gateway = new ScriptedGateway();
    private final Executor executor = task -> Thread.ofVirtual().start(task);
    private final OwnProposalTracker ownProposalTracker = new OwnProposalTracker();
    private final ProposalLookups lookups =
            new ProposalLookups(gateway.remote(), "ops", executor, ownProposalTracker::onLookupResult);
    private final Pending pending = new Pending(
            "p", Call.method("tools/list"), executor, (each, reason) -> new CompletableFuture<>(), null, false);

    @BeforeEach
    void open() {
        ownProposalTracker.start(lookups);
        ownProposalTracker.add(pending, "helper");
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
    void aStoredProposalIsNotRefused() {
        gateway.respond(429, TOO_FAST).respond(503, AWAY).respond(200, "{'state':'open','from':'helper'}");
        ownProposalTracker.onRefused("p", problem("unavailable"));
        assertThat(pending.accepted()).succeedsWithin(LONG).isEqualTo("p");
        assertThat(gateway.requestCount()).isEqualTo(3);
        assertThat(pending.end()).isNotDone();
    }

    @Test
    void aProposalThatIsNotStoredIsRefused() {
        gateway.respond(404, UNKNOWN);
        ownProposalTracker.onRefused("p", problem("too_large"));
        assertThat(pending.end()).succeedsWithin(LONG).isEqualTo(new End.Refused("p", problem("too_large")));
        assertThat(pending.accepted()).failsWithin(LONG);
    }

    @Test
    void anotherParticipantsProposalWithTheSameIdIsIgnored() {
        gateway.respond(200, "{'state':'open','from':'mallory'}");
        ownProposalTracker.onRefused("p", problem("unavailable"));
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Refused.class);
    }

    @Test
    void anExplicitRefusalIsNotLookedUp() {
        ownProposalTracker.onRefused("p", problem("duplicate_id"));
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Refused.class);
        assertThat(gateway.requestCount()).isZero();
    }

    @Test
    void whatIsAwaitedIsLookedUpWhenTheConnectionIsBack() {
        gateway.respond(429, TOO_FAST).respond(404, UNKNOWN);
        ownProposalTracker.onAccepted("p");
        ownProposalTracker.lookupAll();
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Unknown.class);
    }
}
