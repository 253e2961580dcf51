package dev.gavel.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.DecisionReceipt;
import dev.gavel.client.End;
import dev.gavel.client.GavelException;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.Proposal;
import dev.gavel.client.Reviewer;
import dev.gavel.client.Tools;
import dev.gavel.client.http.RemoteProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClientReviewTest {
    @TempDir
    private Path data;

    private ClientTestServer clientTestServer;

    @BeforeEach
    void open() throws Exception {
        clientTestServer = new ClientTestServer(data);
    }

    @AfterEach
    void close() throws Exception {
        clientTestServer.close();
    }

    private static Call write(String path) {
        return Call.tool("write").argument("path", path);
    }

    /** A reviewer that records its notifications. */
    private static class RecordingReviewer implements Reviewer {
        final BlockingQueue<Proposal> shown = new LinkedBlockingQueue<>();
        final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
        final BlockingQueue<RemoteProblem> notTaken = new LinkedBlockingQueue<>();
        private final Decision decision;

        RecordingReviewer(Decision decision) {
            this.decision = decision;
        }

        @Override
        public Decision review(Proposal proposal) {
            shown.add(proposal);
            return decision;
        }

        @Override
        public void closed(String proposal) {
            closed.add(proposal);
        }

        @Override
        public void notTaken(Proposal proposal, Decision what, RemoteProblem why) {
            notTaken.add(why);
        }
    }

    /** Waits longer than it may take until a cut connection is noticed. */
    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(40, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void whatWasOpenBeforeIsShownAndWhatComesLaterTooEachOnce() throws Exception {
        Participant helper = clientTestServer.join("helper");
        Pending before = helper.propose(write("a")).send();
        before.accepted().join();
        RecordingReviewer recordingReviewer = new RecordingReviewer(Decision.leave());
        clientTestServer.join("alice").review(recordingReviewer);
        assertThat(next(recordingReviewer.shown).id()).isEqualTo(before.id());
        Pending after = helper.propose(write("b")).send();
        Proposal shown = next(recordingReviewer.shown);
        assertThat(shown.id()).isEqualTo(after.id());
        assertThat(shown.from()).isEqualTo("helper");
        assertThat(shown.call()).isEqualTo(write("b"));
        assertThat(shown.mayDecide()).isTrue();
        clientTestServer.cutter().cut();
        before.withdraw("no more").join();
        assertThat(next(recordingReviewer.closed)).isEqualTo(before.id());
        Pending last = helper.propose(write("c")).send();
        assertThat(next(recordingReviewer.shown).id()).isEqualTo(last.id());
        assertThat(recordingReviewer.shown).isEmpty();
    }

    @Test
    void otherArgumentsCanBeApprovedAndTheOnlyOneWhoCouldRunsIt() {
        Participant bob = clientTestServer.join("bob");
        clientTestServer
                .join("files")
                .serve(new Tools().tool("write", request -> Answer.text(request.argument("path"))));
        bob.review(proposal -> Decision.approve(proposal.call().argument("path", "tmp/a")));
        End end = clientTestServer.join("helper").propose(write("a")).send().await();
        assertThat(((End.Succeeded) end).text()).isEqualTo("tmp/a");
    }

    @Test
    void whereSeveralCouldRunItOneHasToBeNamed() throws Exception {
        clientTestServer.join("files");
        clientTestServer.join("search");
        RecordingReviewer recordingReviewer = new RecordingReviewer(Decision.approve());
        clientTestServer.join("bob").review(recordingReviewer);
        Pending pending = clientTestServer.join("helper").propose(write("a")).send();
        RemoteProblem problem = next(recordingReviewer.notTaken);
        assertThat(problem.code()).isEqualTo("unknown_recipient");
        assertThat(problem.detail()).contains("files", "search", "runBy");
        assertThat(pending.end()).isNotDone();
    }

    @Test
    void whoMayDecideNothingIsShownNothing() throws Exception {
        RecordingReviewer recordingReviewer = new RecordingReviewer(Decision.leave());
        clientTestServer.join("files").review(recordingReviewer);
        RecordingReviewer other = new RecordingReviewer(Decision.reject("unsafe"));
        clientTestServer.join("alice").review(other);
        clientTestServer.join("helper").propose(write("a")).send().await();
        assertThat(recordingReviewer.shown).isEmpty();
        assertThat(other.shown).hasSize(1);
    }

    @Test
    void ofTwoReviewersWhoRaceOneIsTakenAndTheOtherTold() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        clientTestServer.join("files").serve(new Tools().tool("write", request -> {
                    runs.incrementAndGet();
                    return Answer.text("done");
                }));
        int many = 20;
        Set<String> lost = ConcurrentHashMap.newKeySet();
        Map<String, CountDownLatch> bothLook = new ConcurrentHashMap<>();
        CountDownLatch notified = new CountDownLatch(many);
        for (String identity : List.of("alice", "bob")) {
            Participant reviewer = clientTestServer.join(identity);
            reviewer.review(new Reviewer() {
                @Override
                public Decision review(Proposal proposal) throws InterruptedException {
                    CountDownLatch both = bothLook.computeIfAbsent(proposal.id(), id -> new CountDownLatch(2));
                    both.countDown();
                    both.await();
                    return Decision.approve().runBy("files");
                }

                @Override
                public void notTaken(Proposal proposal, Decision decision, RemoteProblem why) {
                    assertThat(why.code()).isEqualTo("already_fulfilled");
                    lost.add(proposal.id());
                    notified.countDown();
                }
            });
        }
        Participant helper = clientTestServer.join("helper");
        List<Pending> all = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            all.add(helper.propose(write("f" + i)).send());
        }
        for (Pending each : all) {
            assertThat(each.await()).isInstanceOf(End.Succeeded.class);
        }
        notified.await();
        assertThat(runs).hasValue(many);
        assertThat(lost).hasSize(many);
    }

    @Test
    void aReviewerThatFailsLeavesItToOthers() {
        clientTestServer.join("alice").review(proposal -> {
            throw new IllegalStateException("asleep");
        });
        clientTestServer.join("bob").review(proposal -> Decision.reject("policy"));
        assertThat(clientTestServer.join("helper").propose(write("a")).send().await())
                .isInstanceOf(End.Rejected.class);
    }

    @Test
    void theReceiptSaysWhetherARejectionClosedTheProposal() {
        Pending pending = clientTestServer.join("helper").propose(write("a")).send();
        pending.accepted().join();
        Participant search = clientTestServer.join("search");
        Participant alice = clientTestServer.join("alice");
        Proposal proposal = alice.proposal(pending.id());
        DecisionReceipt uncounted =
                search.decide(proposal, Decision.reject("unsafe")).join();
        assertThat(uncounted.closed()).isFalse();
        assertThat(uncounted.status()).contains("search voted to reject it, but cannot close it (unsafe)");
        assertThat(alice.decide(proposal, Decision.reject("busy")).join().closed())
                .isFalse();
        DecisionReceipt veto = alice.decide(proposal, Decision.reject("unsafe")).join();
        assertThat(veto.closed()).isTrue();
        assertThat(veto.status()).startsWith("rejected at ");
    }

    @Test
    void aDecisionThatComesTooLateFails() {
        Participant alice = clientTestServer.join("alice");
        Participant helper = clientTestServer.join("helper");
        Pending pending = helper.propose(write("a")).send();
        pending.accepted().join();
        Proposal proposal = alice.proposal(pending.id());
        pending.withdraw("no").join();
        CompletableFuture<Throwable> failure =
                alice.decide(proposal, Decision.reject("unsafe")).handle((receipt, thrown) -> thrown);
        assertThat(failure.join()).isInstanceOf(GavelException.Refused.class);
    }
}
