package dev.gavel.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.End;
import dev.gavel.client.GavelException;
import dev.gavel.client.Guidance;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.Rejection;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClientProposalTest {
    private static final Call DELETE = Call.tool("delete_file").argument("path", "notes.txt");

    @TempDir
    private Path data;

    private ClientTestServer clientTestServer;

    @BeforeEach
    void open() throws Exception {
        clientTestServer = new ClientTestServer(data, "answer: 2s");
    }

    @AfterEach
    void close() throws Exception {
        clientTestServer.close();
    }

    private void filesServe() {
        clientTestServer
                .join("files")
                .serve(new Tools()
                        .tool("delete_file", request -> Answer.text("deleted " + request.argument("path")))
                        .tool("fail", request -> Answer.failed("no such file")));
    }

    @Test
    void anApprovedCallIsRunAndItsResultIsTheEnd() {
        filesServe();
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        Pending pending = clientTestServer.join("helper").propose(DELETE).send();
        assertThat(pending.await()).isInstanceOfSatisfying(End.Succeeded.class, end -> {
            assertThat(end.proposal()).isEqualTo(pending.id());
            assertThat(end.approvedBy()).isEqualTo("alice");
            assertThat(end.text()).isEqualTo("deleted notes.txt");
        });
        assertThat(pending.accepted().join()).isEqualTo(pending.id());
    }

    @Test
    void aCallThatFailsSaysWhy() {
        filesServe();
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        assertThat(clientTestServer
                        .join("helper")
                        .propose(Call.tool("fail"))
                        .send()
                        .await())
                .isInstanceOfSatisfying(
                        End.Failed.class, end -> assertThat(end.text()).isEqualTo("no such file"));
    }

    @Test
    void aRejectedProposalCarriesItsReasons() {
        clientTestServer
                .join("alice")
                .review(proposal -> Decision.reject("unsafe").note("keep the notes"));
        Pending pending = clientTestServer.join("helper").propose(DELETE).send();
        assertThat(pending.await())
                .isEqualTo(new End.Rejected(
                        pending.id(), List.of(new Rejection("alice", "unsafe", Optional.of("keep the notes")))));
    }

    @Test
    void anUndecidedProposalExpires() {
        Pending pending = clientTestServer
                .join("helper")
                .propose(DELETE)
                .ttl(Duration.ofMillis(10))
                .send();
        assertThat(pending.await()).isEqualTo(new End.Expired(pending.id()));
    }

    @Test
    void aWithdrawnProposalHasEndedWhenThatIsKept() {
        Pending pending = clientTestServer.join("helper").propose(DELETE).send();
        CompletableFuture<Void> withdrawn = pending.withdraw("changed my mind");
        assertThat(pending.await()).isEqualTo(new End.Withdrawn(pending.id(), Optional.of("changed my mind")));
        assertThat(withdrawn).succeedsWithin(Duration.ofSeconds(10));
        assertThat(pending.withdraw("again"))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withRootCauseInstanceOf(GavelException.Refused.class)
                .withMessageContaining("proposal_closed");
    }

    @Test
    void whatIsProposedAgainEndsAsItDidOrWill() throws Exception {
        Participant alice = clientTestServer.join("alice");
        Participant first = clientTestServer.join("helper");
        for (String id : List.of("rejected", "approved", "open")) {
            first.propose(DELETE).id(id).send().accepted().get();
        }
        alice.decide(alice.proposal("rejected"), Decision.reject("unsafe")).get();
        Participant files = clientTestServer.join("files");
        alice.decide(alice.proposal("approved"), Decision.approve().runBy("files"))
                .get();
        first.close();
        Participant second = clientTestServer.join("helper");
        Pending rejected = second.propose(DELETE).id("rejected").send();
        Pending approved = second.propose(DELETE).id("approved").send();
        Pending open = second.propose(DELETE).id("open").send();
        assertThat(rejected.await()).isInstanceOf(End.Rejected.class);
        assertThat(approved.accepted()).succeedsWithin(Duration.ofSeconds(10));
        files.close();
        assertThat(approved.await()).isInstanceOf(End.Unknown.class);
        alice.decide(alice.proposal("open"), Decision.reject("unsafe")).get();
        assertThat(open.await()).isInstanceOf(End.Rejected.class);
    }

    @Test
    void whatTheGatewayDoesNotTakeIsRefusedWithItsReason() {
        Pending pending = clientTestServer.join("files").propose(DELETE).send();
        assertThat(pending.await())
                .isInstanceOfSatisfying(
                        End.Refused.class,
                        end -> assertThat(end.problem().code()).isEqualTo("capability_violation"));
        assertThat(pending.accepted()).failsWithin(Duration.ofSeconds(10));
    }

    @Test
    void anUnknownNameAmongOthersDoesNotHideThatTheProposalWasTaken() {
        clientTestServer.join("alice").review(proposal -> Decision.reject("unsafe"));
        Participant helper = clientTestServer.join("helper");
        assertThat(helper.propose(DELETE).to("alice", "nobody").send().await()).isInstanceOf(End.Rejected.class);
        assertThat(helper.propose(DELETE).to("nobody").send().await()).isInstanceOf(End.Refused.class);
        assertThat(helper.propose(DELETE).to("nobody", "noone").send().await()).isInstanceOf(End.Refused.class);
    }

    @Test
    void theOutcomeIsUnknownWhenWhoeverRunsItLeaves() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        Participant files = clientTestServer.join("files").serve(new Tools().tool("delete_file", request -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                    return Answer.text("never");
                }));
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        Pending pending = clientTestServer.join("helper").propose(DELETE).send();
        running.await();
        files.close();
        assertThat(pending.await()).isInstanceOf(End.Unknown.class);
    }

    @Test
    void theProposerHearsThatNobodyIsThereAndThenThatSomebodyIs() throws Exception {
        BlockingQueue<Guidance> guidances = new LinkedBlockingQueue<>();
        Pending pending = clientTestServer
                .join("helper")
                .propose(DELETE)
                .onGuidance(guidances::add)
                .send();
        until(guidances, guidance -> guidance.status().contains("(not connected)"));
        Participant alice = clientTestServer.join("alice");
        Guidance now = until(guidances, guidance -> guidance.mustAct().contains("alice"));
        assertThat(now.until()).isPresent();
        alice.decide(alice.proposal(pending.id()), Decision.considering("a moment"))
                .join();
        until(guidances, guidance -> guidance.status().contains("consider"));
    }

    private static Guidance until(BlockingQueue<Guidance> guidances, Predicate<Guidance> condition) throws Exception {
        List<String> others = new ArrayList<>();
        for (Guidance next = guidances.poll(15, TimeUnit.SECONDS);
                next != null;
                next = guidances.poll(15, TimeUnit.SECONDS)) {
            if (condition.test(next)) {
                return next;
            }
            others.add(next.status());
        }
        throw new AssertionError("heard only " + others);
    }

    @Test
    void aHundredAreAwaitedAtOnceAndEachHasItsOwnEnd() {
        filesServe();
        clientTestServer
                .join("alice")
                .review(proposal ->
                        proposal.call().arguments().at("path").text().endsWith("7")
                                ? Decision.reject("unsafe")
                                : Decision.approve().runBy("files"));
        Participant helper = clientTestServer.join("helper");
        List<Pending> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(helper.propose(Call.tool("delete_file").argument("path", "f" + i))
                    .send());
        }
        for (int i = 0; i < 100; i++) {
            if (i % 10 == 7) {
                assertThat(all.get(i).await()).isInstanceOf(End.Rejected.class);
            } else {
                assertThat(((End.Succeeded) all.get(i).await()).text()).isEqualTo("deleted f" + i);
            }
        }
    }

    @Test
    void anotherMethodThanAToolIsProposedToo() {
        clientTestServer
                .join("files")
                .serve(new Tools().method("resources/read", request -> Answer.result(Json.object())));
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        Pending pending = clientTestServer
                .join("helper")
                .propose(Call.method("resources/read").param("uri", "file:///a"))
                .send();
        assertThat(pending.await()).isInstanceOf(End.Succeeded.class);
    }

    @Test
    void whereThereIsNoLedgerNothingIsProposed() {
        try (Participant helper =
                clientTestServer.gavel("helper").topic("plain").connect()) {
            assertThatThrownBy(() -> helper.propose(DELETE).send())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no ledger");
            assertThat(helper.chat("hello")).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    @Test
    void closingLetsWhoWaitsKnow() {
        Participant helper = clientTestServer.join("helper");
        Pending pending = helper.propose(DELETE).send();
        helper.close();
        assertThatThrownBy(pending::await).isInstanceOf(GavelException.Closed.class);
        assertThat(pending.accepted()).isDone();
        assertThatThrownBy(() -> helper.propose(DELETE).send().await()).isInstanceOf(GavelException.Closed.class);
    }
}
