package dev.gavel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.http.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is looked up before it is believed, against a gateway that answers as it is told to. */
@Timeout(60)
class PendingsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String TOO_FAST = "{'code':'rate_limited','detail':'later','retryAfterMs':1}";
    private static final String AWAY = "{'code':'unavailable','detail':'the ledger is away'}";
    private static final String UNKNOWN = "{'code':'unknown_proposal','detail':'there is none'}";

    private final ScriptedGateway gateway = new ScriptedGateway();
    private final Executor executor = task -> Thread.ofVirtual().start(task);
    private final Pendings pendings = new Pendings();
    private final Lookups lookups = new Lookups(gateway.remote(), "ops", executor, pendings::found);
    private final Pending pending =
            new Pending("p", executor, (each, reason) -> new CompletableFuture<>(), null, false);

    @BeforeEach
    void open() {
        pendings.start(lookups);
        pendings.add(pending, "helper");
    }

    @AfterEach
    void close() {
        lookups.close();
        gateway.close();
    }

    private static Problem problem(String code) {
        return new Problem(0, code, "", 0, Optional.empty(), Optional.empty());
    }

    @Test
    void whatIsKeptAfterAllWasNotRefused() {
        gateway.says(429, TOO_FAST).says(503, AWAY).says(200, "{'state':'open','from':'helper'}");
        pendings.refused("p", problem("unavailable"));
        assertThat(pending.accepted()).succeedsWithin(LONG).isEqualTo("p");
        assertThat(gateway.asked()).isEqualTo(3);
        assertThat(pending.end()).isNotDone();
    }

    @Test
    void whatIsNotKeptWasRefused() {
        gateway.says(404, UNKNOWN);
        pendings.refused("p", problem("too_large"));
        assertThat(pending.end()).succeedsWithin(LONG).isEqualTo(new End.Refused("p", problem("too_large")));
        assertThat(pending.accepted()).failsWithin(LONG);
    }

    @Test
    void somebodyElsesProposalOfThatIdIsNotThisOne() {
        gateway.says(200, "{'state':'open','from':'mallory'}");
        pendings.refused("p", problem("unavailable"));
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Refused.class);
    }

    @Test
    void whatTheGatewayRefusedInSoManyWordsIsNotAskedAgain() {
        pendings.refused("p", problem("duplicate_id"));
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Refused.class);
        assertThat(gateway.asked()).isZero();
    }

    @Test
    void whatIsAwaitedIsLookedUpWhenTheConnectionIsBack() {
        gateway.says(429, TOO_FAST).says(404, UNKNOWN);
        pendings.accepted("p");
        pendings.up();
        assertThat(pending.end()).succeedsWithin(LONG).isInstanceOf(End.Unknown.class);
    }
}
