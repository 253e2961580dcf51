package dev.gavel.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.End;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the limits for size, rate and time of absence. */
@Timeout(120)
class ClientLimitsTest {
    private static final Call WRITE = Call.tool("write");

    @TempDir
    private Path directory;

    private ClientTestServer clientTestServer;

    @BeforeEach
    void open() throws Exception {
        clientTestServer = new ClientTestServer(directory.resolve("data"));
    }

    @AfterEach
    void close() throws Exception {
        clientTestServer.close();
    }

    @Test
    void whatIsTooLargeIsRefusedAndTheRestGoesOn() {
        Participant helper = clientTestServer.join("helper");
        clientTestServer.join("alice").review(proposal -> Decision.reject("unsafe"));
        Pending before = helper.propose(WRITE).send();
        Pending large =
                helper.propose(WRITE.argument("text", "x".repeat(2_000_000))).send();
        Pending after = helper.propose(WRITE).send();
        assertThat(large.await())
                .isInstanceOfSatisfying(
                        End.Refused.class,
                        end -> assertThat(end.problem().code()).isEqualTo("too_large"));
        assertThat(before.await()).isInstanceOf(End.Rejected.class);
        assertThat(after.await()).isInstanceOf(End.Rejected.class);
    }

    @Test
    void whereSomethingElseWasTooLargeNoProposalIsBlamed() {
        Participant helper = clientTestServer.join("helper");
        clientTestServer.join("alice").review(proposal -> Decision.reject("unsafe"));
        List<CompletableFuture<Void>> chats = new ArrayList<>();
        List<Pending> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            chats.add(helper.chat("x".repeat(2_000_000)));
            for (int j = 0; j < 20; j++) {
                all.add(helper.propose(WRITE.argument("n", j)).send());
            }
        }
        assertThat(all).allSatisfy(each -> assertThat(each.await()).isInstanceOf(End.Rejected.class));
        assertThat(chats).allMatch(CompletableFuture::isDone);
    }

    @Test
    void anotherLedgerThatIsFurtherAlreadyIsNoticedToo() throws Exception {
        Path other = directory.resolve("other");
        try (ClientTestServer otherServer = new ClientTestServer(other)) {
            Participant otherParticipant = otherServer.join("helper");
            for (int i = 0; i < 20; i++) {
                otherParticipant.propose(WRITE).send().accepted().get();
            }
        }
        Pending pending = clientTestServer.join("helper").propose(WRITE).send();
        pending.accepted().join();
        clientTestServer.restartWith(ClientTestServer.config(other, ""));
        assertThat(pending.await())
                .isInstanceOfSatisfying(
                        End.Unknown.class, end -> assertThat(end.why()).contains("ledger"));
    }

    @Test
    void whoIsTooFastIsSlowedDownAndLosesNothing() throws Exception {
        clientTestServer.restartWith(
                ClientTestServer.config(directory.resolve("data"), "").replace("100000/s", "100/s"));
        Participant helper = clientTestServer.join("helper");
        List<Pending> all = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            all.add(helper.propose(WRITE).send());
        }
        for (Pending each : all) {
            assertThat(each.accepted().get()).isEqualTo(each.id());
        }
    }

    @Test
    void whereTheLedgerHasForgottenWhatBecameOfAProposalThatIsSaid() throws Exception {
        BlockingQueue<LinkEvent> events = new LinkedBlockingQueue<>();
        Participant helper = clientTestServer.join("helper", events::add);
        Pending pending = helper.propose(WRITE).send();
        pending.accepted().join();
        helper.propose(WRITE).send().accepted().join();
        clientTestServer.restartWith(ClientTestServer.config(directory.resolve("other"), ""));
        assertThat(pending.await())
                .isInstanceOfSatisfying(
                        End.Unknown.class, end -> assertThat(end.why()).contains("ledger"));
        await().until(() -> events.stream().anyMatch(LinkEvent.Resync.class::isInstance));
        clientTestServer.join("alice").review(proposal -> Decision.reject("unsafe"));
        assertThat(helper.propose(WRITE).send().await()).isInstanceOf(End.Rejected.class);
    }

    @Test
    void whereNoNoticeTellsASeqOneIsFoundBeforeTooMuchWouldBeToldAgain() throws Exception {
        int many = 2_600;
        Participant alice = clientTestServer.join("alice");
        Participant helper = clientTestServer.join("helper");
        Pending pending = alice.propose(WRITE).send();
        pending.accepted().join();
        CountDownLatch receivedLatch = new CountDownLatch(many + 1);
        List<String> ids = new ArrayList<>();
        helper.onEnvelope(envelope -> {
            if (envelope.kind().operation().equals("status")) {
                ids.add(envelope.id());
                receivedLatch.countDown();
            }
        });
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        List<Pending> others = new ArrayList<>();
        // The number of statuses per proposal is limited.
        for (int i = 0; i < many; i++) {
            if (i % 50 == 0) {
                others.add(alice.propose(WRITE).send());
                others.getLast().accepted().join();
            }
            sent.add(status(alice, "s" + i, others.getLast().id()));
        }
        for (CompletableFuture<Void> each : sent) {
            each.get();
        }
        clientTestServer.cutter().cut();
        List<String> back = clientTestServer.cutter().sockets();
        while (back.size() < 4) {
            Thread.onSpinWait();
            back = clientTestServer.cutter().sockets();
        }
        // Two connected and two reconnected: alice, whose own envelopes do not count, and helper.
        assertThat(back.subList(2, 4)).anyMatch(query -> since(query) > 1_000);
        status(alice, "last", others.getLast().id()).get();
        receivedLatch.await();
        assertThat(ids).doesNotHaveDuplicates().hasSize(many + 1);
    }

    private static long since(String query) {
        return Long.parseLong(query.replaceAll(".*since=(\\d+).*", "$1"));
    }

    private static CompletableFuture<Void> status(Participant from, String id, String proposal) {
        return from.send(
                EnvelopeDraft.of(id, Kind.of("mcpx.status.proposal")).withCorrelationIds(List.of(proposal)),
                Json.object().with("status", Json.ofText("considering")));
    }
}
