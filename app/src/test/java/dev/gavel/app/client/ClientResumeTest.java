package dev.gavel.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.End;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests participants whose connections are cut and whose servers are stopped and killed: no durable envelope is lost,
 * and nothing is done twice.
 */
@Timeout(180)
class ClientResumeTest {
    private static final Call WRITE = Call.tool("write");
    private static final int CUTS = 30;
    private static final int KILLS = 2;

    @TempDir
    private Path directory;

    private static void until(BlockingQueue<LinkEvent> events, Class<? extends LinkEvent> kind) throws Exception {
        LinkEvent next;
        do {
            next = events.poll(30, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
        } while (!kind.isInstance(next));
    }

    @Test
    void whatEndedWhileAwayIsLearnedWhenTheServerIsBack() throws Exception {
        try (ClientTestServer clientTestServer = new ClientTestServer(directory)) {
            Participant helper = clientTestServer.join("helper");
            Participant alice = clientTestServer.join("alice");
            Pending rejected = helper.propose(WRITE).send();
            Pending expired = helper.propose(WRITE).ttl(Duration.ofSeconds(1)).send();
            Pending stays = helper.propose(WRITE).send();
            List.of(rejected, expired, stays).forEach(each -> each.accepted().join());
            clientTestServer.restart();
            assertThat(expired.await()).isInstanceOf(End.Expired.class);
            alice.decide(alice.proposal(rejected.id()), Decision.reject("unsafe"))
                    .join();
            assertThat(rejected.await()).isInstanceOf(End.Rejected.class);
            assertThat(stays.end()).isNotDone();
        }
    }

    @Test
    void whatEndedWhileOnlyTheProposerWasAwayIsLearnedToo() throws Exception {
        try (ClientTestServer clientTestServer = new ClientTestServer(directory)) {
            BlockingQueue<LinkEvent> events = new LinkedBlockingQueue<>();
            Participant helper = clientTestServer.join("helper", events::add);
            List<Pending> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(helper.propose(WRITE).send());
            }
            all.forEach(each -> each.accepted().join());
            clientTestServer.join("alice").review(proposal -> Decision.reject("unsafe"));
            clientTestServer.cutter().cut();
            for (Pending each : all) {
                assertThat(each.await()).isInstanceOf(End.Rejected.class);
            }
            until(events, LinkEvent.Down.class);
            until(events, LinkEvent.Up.class);
        }
    }

    @Test
    void whatWasNotEchoedWhenTheServerWasKilledIsThereOnceAfterwards() throws Exception {
        try (ClientTestServer clientTestServer = ClientTestServer.inSeparateProcess(directory)) {
            Participant helper = clientTestServer.join("helper");
            List<Pending> all = Collections.synchronizedList(new ArrayList<>());
            AtomicBoolean stopped = new AtomicBoolean();
            Thread proposing = Thread.ofVirtual().start(() -> {
                while (!stopped.get()) {
                    all.add(helper.propose(WRITE).send());
                }
            });
            for (int life = 0; life < KILLS; life++) {
                int before = all.size();
                while (all.size() < before + 200) {
                    Thread.onSpinWait();
                }
                clientTestServer.restart();
            }
            stopped.set(true);
            proposing.join();
            for (Pending each : all) {
                each.accepted().get(60, TimeUnit.SECONDS);
            }
            List<String> stored = clientTestServer.history().stream()
                    .filter(id -> id.startsWith("p-"))
                    .toList();
            assertThat(stored)
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().map(Pending::id).toList());
        }
    }

    @Test
    void overConnectionsCutAtRandomEveryProposalEndsAsTheLedgerSays() throws Exception {
        Random chance = new Random(20261116);
        try (ClientTestServer clientTestServer = new ClientTestServer(directory, "answer: 30s")) {
            Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
            clientTestServer.join("files").serve(new Tools().tool("write", request -> {
                        runs.computeIfAbsent(request.proposal().orElseThrow(), id -> new AtomicInteger())
                                .incrementAndGet();
                        return request.argument("n").endsWith("3") ? Answer.failed("no") : Answer.text("done");
                    }));
            for (String identity : List.of("alice", "bob")) {
                clientTestServer.join(identity).review(proposal -> switch (proposal.call()
                        .arguments()
                        .at("n")
                        .text()
                        .charAt(0)) {
                    case 'r' -> Decision.reject("unsafe");
                    case 'e' -> Decision.leave();
                    default -> Decision.approve().runBy("files");
                });
            }
            Participant helper = clientTestServer.join("helper");
            ReceivedIds receivedIds = new ReceivedIds();
            helper.onEnvelope(receivedIds::take);
            Thread cutting = Thread.ofVirtual().start(() -> {
                try {
                    for (int cuts = 0; cuts < CUTS; cuts++) {
                        // A random moment for each cut; the test does not wait for anything here.
                        Thread.sleep(chance.nextInt(20, 400));
                        clientTestServer.cutter().cut();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            List<Pending> all = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                String n = List.of("a", "a", "a", "r", "w", "e").get(i % 6) + i;
                // Proposals that both reviewers approve while the tool server is disconnected stay open until it is
                // back.
                Pending pending = helper.propose(Call.tool("write").argument("n", n))
                        .ttl(Duration.ofSeconds(n.startsWith("e") ? 2 : 30))
                        .send();
                if (n.startsWith("w")) {
                    pending.withdraw("no").exceptionally(tooLate -> null);
                }
                all.add(pending);
            }
            Map<String, End> ends = new HashMap<>();
            for (Pending each : all) {
                ends.put(each.id(), each.await(Duration.ofMinutes(2)));
            }
            cutting.join();
            for (Pending each : all) {
                Json stored = clientTestServer.ledger(each.id());
                String outcome = describeEnd(each.await());
                String state = stored.at("state").text();
                String ledger = state.equals("fulfilled") ? stored.at("outcome").text() : state;
                // A late answer arrives after the end, because the tool server's connection is cut, too.
                assertThat(outcome).isIn(ledger, ledger.matches("succeeded|failed") ? "unknown" : ledger);
            }
            assertThat(ends.values().stream().filter(End.Unknown.class::isInstance))
                    .hasSizeLessThan(100);
            assertThat(runs.values()).allMatch(count -> count.get() == 1);
            assertThat(clientTestServer.history()).doesNotHaveDuplicates();
            assertThat(clientTestServer.cutter().sockets().size()).isGreaterThan(CUTS / 2);
            receivedIds.compareWith(clientTestServer.history(), all.getLast().id());
        }
    }

    private static String describeEnd(End end) {
        return switch (end) {
            case End.Succeeded _ -> "succeeded";
            case End.Failed _ -> "failed";
            case End.Unknown _ -> "unknown";
            case End.Rejected _ -> "rejected";
            case End.Withdrawn _ -> "withdrawn";
            case End.Expired _ -> "expired";
            case End.Refused refused -> "refused: " + refused.problem();
        };
    }

    /** The envelopes about proposals that one listener received. */
    private static final class ReceivedIds {
        private final List<String> ids = Collections.synchronizedList(new ArrayList<>());

        void take(Envelope envelope) {
            if (envelope.needsLedgerCheck() || envelope.id().startsWith("system:event-")) {
                ids.add(envelope.id());
            }
        }

        /**
         * Checks that the listener received every stored envelope once, except those after the last one it waited for.
         */
        void compareWith(List<String> history, String last) {
            List<String> now = List.copyOf(ids);
            assertThat(now).doesNotHaveDuplicates();
            assertThat(now).containsAll(history.subList(0, history.indexOf(last)));
        }
    }

    @Test
    void aSlowListenerStopsNobody() throws Exception {
        try (ClientTestServer clientTestServer = new ClientTestServer(directory)) {
            CountDownLatch never = new CountDownLatch(1);
            CountDownLatch startedLatch = new CountDownLatch(1);
            Set<String> guided = ConcurrentHashMap.newKeySet();
            Participant helper = clientTestServer.join("helper");
            helper.onEnvelope(envelope -> {
                startedLatch.countDown();
                await(never);
            });
            clientTestServer.join("files").serve(new Tools().tool("write", request -> Answer.text("done")));
            clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
            for (int i = 0; i < 20; i++) {
                Pending pending = helper.propose(WRITE)
                        .onGuidance(guidance -> {
                            guided.add(guidance.status());
                            await(never);
                        })
                        .send();
                assertThat(pending.await()).isInstanceOf(End.Succeeded.class);
            }
            startedLatch.await();
            never.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aFutureOfTheUsersDoesNotHoldUpReadingEither() throws Exception {
        try (ClientTestServer clientTestServer = new ClientTestServer(directory)) {
            CountDownLatch never = new CountDownLatch(1);
            Participant helper = clientTestServer.join("helper");
            clientTestServer.join("alice").review(proposal -> Decision.reject("unsafe"));
            Pending first = helper.propose(WRITE).send();
            var blocked = first.end().thenAccept(end -> await(never));
            var heldToo = first.accepted().thenAccept(id -> await(never));
            assertThat(helper.propose(WRITE).send().await()).isInstanceOf(End.Rejected.class);
            never.countDown();
            blocked.join();
            heldToo.join();
        }
    }
}
