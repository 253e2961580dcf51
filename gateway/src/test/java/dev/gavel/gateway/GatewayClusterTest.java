package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.topic.InProcessConnection;
import dev.gavel.gateway.topic.SubscriptionScope;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.gateway.topic.TopicConnection;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways that serve one topic over a bus and a shared ledger. */
class GatewayClusterTest {
    private static final ProposalSettings RULES = new ProposalSettings(
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofMinutes(10),
            ProposalSettings.RejectionPolicy.VETO,
            false);
    private static final Map<String, CapabilitySet> MEMBERS = Map.of(
            "agent", can("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"),
            "alice", can("mcp.request.*", "mcpx.*", "chat.*"),
            "files", can("mcp.response.*", "mcp.request.notifications/*"));

    @TempDir
    Path directory;

    private final InMemoryBusNetwork inMemoryBusNetwork = new InMemoryBusNetwork();
    private volatile Duration elapsed = Duration.ZERO;
    private final InstantSource clock = () -> Instant.now().plus(elapsed);
    private final ExecutorService reading = Executors.newFixedThreadPool(2);
    private SqliteLedger ledger;
    private GatewayProcess one;
    private GatewayProcess two;
    private RecordingListener agent;
    private RecordingListener alice;
    private RecordingListener files;

    private static CapabilitySet can(String... patterns) {
        return CapabilitySet.compile(List.of(patterns)).orThrow();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** One gateway with its own writer and loop. */
    private final class GatewayProcess {
        final DefaultEventExecutor loop = new DefaultEventExecutor();
        final RemoteLedgerWriteDispatcher writeNotifier = new RemoteLedgerWriteDispatcher();
        final InMemoryBusNetwork.Node bus;
        final LedgerWriter writer = new LedgerWriter(ledger, clock, WriterOptions.DEFAULT);
        final Gateway gateway;
        final Topic topic;

        GatewayProcess(String process) {
            bus = inMemoryBusNetwork.node(process, writeNotifier);
            writer.setAppendListener(bus::announceWrite);
            ProposalStore proposalStore = new ProposalStore(
                    "ops", new ProposalDecider(RULES, new CapabilitiesByMember(MEMBERS)), writer, ledger);
            List<Member> members = MEMBERS.entrySet().stream()
                    .map(entry -> new Member(entry.getKey(), entry.getValue()))
                    .toList();
            gateway = new Gateway(
                    Map.of("ops", new TopicConfig(members, Optional.of(proposalStore))),
                    List.of(loop),
                    new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1000, 1000),
                    FairExecutor.unlimited(reading),
                    clock,
                    bus,
                    writeNotifier);
            topic = gateway.topic("ops").orElseThrow();
            gateway.loadOpenProposals();
        }

        /** Suspends the writer: the envelopes that this process receives wait until the result is counted down. */
        CountDownLatch suspendWriter() {
            CountDownLatch suspended = new CountDownLatch(1);
            CountDownLatch resumed = new CountDownLatch(1);
            writer.submit("ops", context -> TaskDecision.withoutEvents(""), written -> {
                suspended.countDown();
                awaitUninterruptibly(resumed);
            });
            awaitUninterruptibly(suspended);
            return resumed;
        }

        /** Waits until this process has submitted an envelope to its suspended writer. */
        void awaitQueued(int tasks) {
            await().until(() -> writer.metrics().queuedTasks() == tasks);
        }

        void close() {
            writer.close();
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }

        RecordingListener connect(String member) {
            return connect(member, OptionalLong.empty());
        }

        RecordingListener connect(String member, OptionalLong since) {
            RecordingListener recordingListener = new RecordingListener();
            recordingListener.inProcessConnection = gateway.connectInProcess(
                    topic,
                    topic.membership(member).orElseThrow(),
                    new RevocableAccessGrant(),
                    new TopicConnection.SubscribeOptions(SubscriptionScope.ALL, since),
                    recordingListener);
            await().until(() -> !recordingListener.received.isEmpty());
            return recordingListener;
        }
    }

    /** Records the envelopes it receives. */
    private static final class RecordingListener implements InProcessConnection.Listener {
        final List<String> received = new CopyOnWriteArrayList<>();

        @SuppressWarnings("NullAway.Init") // set by the caller that connects it
        private InProcessConnection inProcessConnection;

        @Override
        public void onEnvelope(byte[] envelope) {
            received.add(new String(envelope, StandardCharsets.UTF_8).replace('"', '\''));
        }

        @Override
        public void onClose(ConnectionCloseReason why) {
            received.add("closed " + why);
        }

        void sendChat(String id, String text) {
            send("{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'chat.message','payload':{'text':'" + text + "'}}");
        }

        void propose(String id) {
            send("{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'mcp.proposal.tools/call:write','payload':"
                    + "{'method':'tools/call','params':{'name':'write'}}}");
        }

        void fulfil(String id, String proposal) {
            send("{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'mcp.request.tools/call:write','to':['files'],"
                    + "'correlationId':'" + proposal + "','payload':{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                    + "'params':{'name':'write'}}}");
        }

        void answer(String id, String request) {
            send("{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'mcp.response.tools/call:write','to':['alice'],"
                    + "'correlationId':'" + request + "','payload':{'jsonrpc':'2.0','id':1,'result':{}}}");
        }

        private void send(String json) {
            inProcessConnection.send(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        }

        /** The ids of the envelopes received from members, in order. */
        List<String> ids() {
            return received.stream()
                    .filter(text -> !text.contains("'from':'system:gateway'"))
                    .map(text -> text.replaceAll(".*?'id':'([^']*)'.*", "$1"))
                    .toList();
        }

        void awaitRefusal(String id, String code) {
            await().untilAsserted(() -> assertThat(received)
                    .anySatisfy(text ->
                            assertThat(text).contains("'kind':'system.error'", "'" + id + "'", "'" + code + "'")));
        }

        void awaitNotice(String kind) {
            await().untilAsserted(() ->
                    assertThat(received).anySatisfy(text -> assertThat(text).contains("'kind':'" + kind + "'")));
        }

        void awaitIds(String... ids) {
            await().untilAsserted(() -> assertThat(ids()).containsSequence(ids));
        }
    }

    @BeforeEach
    void open() {
        ledger = switch (SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger opened) -> opened;
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
        one = new GatewayProcess("one");
        two = new GatewayProcess("two");
        agent = one.connect("agent");
        alice = two.connect("alice");
        files = two.connect("files");
    }

    @AfterEach
    void close() throws Exception {
        for (GatewayProcess gatewayProcess : List.of(one, two)) {
            gatewayProcess.close();
        }
        reading.shutdown();
        assertThat(reading.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        ledger.close();
    }

    @Test
    void aProposalLivesItsWholeLifeAcrossTheTwo() {
        agent.propose("p-1");
        alice.awaitIds("p-1");
        alice.fulfil("f-1", "p-1");
        files.awaitIds("p-1", "f-1");
        files.answer("a-1", "f-1");
        agent.awaitIds("p-1", "f-1", "a-1");
        alice.awaitIds("p-1", "f-1", "a-1");
    }

    @Test
    void whoIsAtTheOtherIsPresent() {
        await().untilAsserted(
                        () -> assertThat(agent.received.toString()).contains("'event':'join'", "'files'", "'alice'"));
        RecordingListener late = two.connect("agent");
        assertThat(late.received.getFirst()).contains("'alice'", "'files'");
        assertThat(alice.received.toString()).contains("'agent'");
        files.inProcessConnection.close();
        await().untilAsserted(() -> assertThat(agent.received.toString()).contains("'event':'leave'"));
    }

    @Test
    void aGatewayThatStartsLaterKnowsWhoIsPresent() {
        GatewayProcess three = new GatewayProcess("three");
        try {
            await().untilAsserted(() ->
                    assertThat(three.connect("agent").received.getFirst()).contains("'id':'alice'", "'id':'files'"));
        } finally {
            three.close();
        }
    }

    @Test
    void whatSomebodyOffersAnewIsHeardEverywhereAlsoWhereNobodyIs() {
        List<String> heard = new CopyOnWriteArrayList<>();
        GatewayProcess three = new GatewayProcess("three");
        three.gateway.addListener(new TopicListener() {
            @Override
            public void onEnvelope(Topic topic, String from, Envelope envelope) {
                heard.add(from + " " + envelope.kind());
            }
        });
        try {
            files.send("{'protocol':'mcpx/v0.1','id':'n-1','kind':'mcp.request.notifications/tools/list_changed',"
                    + "'payload':{'jsonrpc':'2.0','method':'notifications/tools/list_changed'}}");
            await().untilAsserted(() ->
                    assertThat(heard).containsExactly("files mcp.request.notifications/tools/list_changed"));
        } finally {
            three.close();
        }
    }

    @Test
    void whatSomebodyMaySendIsKnownWhereTheyAreNot() {
        Member eve = new Member("eve", can("chat.*"));
        two.topic.addMember(eve).toCompletableFuture().join();
        RecordingListener recordingListener = two.connect("eve");
        // As long as this process does not know eve as a member, it uses the capabilities that the other process
        // announced.
        await().until(() ->
                one.topic.overview().toCompletableFuture().join().participants().contains(eve));
        one.topic.addMember(eve).toCompletableFuture().join();
        Member more = new Member("eve", can("chat.*", "mcp.request.*"));
        one.topic.addMember(more).toCompletableFuture().join();
        assertThat(one.topic.overview().toCompletableFuture().join().participants())
                .contains(more);
        recordingListener.inProcessConnection.close();
    }

    @Test
    void whoLeavesOneAndIsAtTheOtherHasNotLeft() {
        RecordingListener again = two.connect("agent");
        RecordingListener beside = one.connect("alice");
        agent.inProcessConnection.close();
        // Sent after the member left, in the same process, so it is also received after that.
        beside.sendChat("c-1", "somebody left");
        files.awaitIds("c-1");
        again.sendChat("c-2", "still here");
        alice.awaitIds("c-2");
        assertThat(alice.received.toString()).doesNotContain("'event':'leave'");
    }

    @Test
    void whatIsSaidIsHeardAtBothOnce() {
        agent.sendChat("c-1", "hello");
        alice.sendChat("c-2", "hello yourself");
        agent.awaitIds("c-2");
        alice.awaitIds("c-1");
        files.awaitIds("c-1");
        assertThat(agent.ids()).containsExactly("c-2");
    }

    @Test
    void nothingIsSaidWhileTheOthersCannotBeReachedAndProposalsGoOn() {
        one.bus.setUnreachable(true);
        agent.sendChat("c-1", "anybody?");
        await().untilAsserted(() -> assertThat(agent.received.getLast()).contains("'unavailable'", "'c-1'"));
        agent.propose("p-1");
        agent.awaitIds("p-1");
        two.writeNotifier.notifyHeads(ledger.lastSeqs());
        alice.awaitIds("p-1");
        alice.fulfil("f-1", "p-1");
        await().until(() -> {
            one.writeNotifier.notifyHeads(ledger.lastSeqs());
            return agent.ids().contains("f-1");
        });
        one.bus.setUnreachable(false);
        agent.sendChat("c-2", "back");
        alice.awaitIds("c-2");
        assertThat(alice.ids()).doesNotContain("c-1");
    }

    @Test
    void whatNobodySaidThatTheyWroteIsFoundByLooking() {
        inMemoryBusNetwork.dropWriteAnnouncements();
        agent.propose("p-1");
        agent.awaitIds("p-1");
        two.writeNotifier.notifyHeads(ledger.lastSeqs());
        alice.awaitIds("p-1");
    }

    @Test
    void whatIsSaidAfterAProposalIsHeardAfterItThoughNobodySaysThatItWasWritten() {
        inMemoryBusNetwork.dropWriteAnnouncements();
        for (int i = 1; i <= 20; i++) {
            agent.propose("p-" + i);
            agent.sendChat("c-" + i, "about that");
        }
        await().until(() -> alice.ids().size() >= 40);
        for (int i = 1; i <= 20; i++) {
            assertThat(alice.ids()).containsSubsequence("p-" + i, "c-" + i);
        }
    }

    @Test
    void whatWasSaidBeforeAProposalAndComesLaterThanItIsNotHeardAtAll() {
        inMemoryBusNetwork.dropWriteAnnouncements();
        inMemoryBusNetwork.delayEnvelopes();
        agent.sendChat("c-1", "before");
        agent.propose("p-1");
        agent.awaitIds("p-1");
        two.writeNotifier.notifyHeads(ledger.lastSeqs());
        alice.awaitIds("p-1");
        inMemoryBusNetwork.releaseEnvelopes();
        agent.sendChat("c-2", "after");
        alice.awaitIds("c-2");
        assertThat(alice.ids()).doesNotContain("c-1");
    }

    @Test
    void bothDecideAtOnceAndEverybodyHearsItInOneOrder() {
        RecordingListener other = one.connect("alice");
        for (int i = 1; i <= 100; i++) {
            agent.propose("p-" + i);
        }
        alice.awaitIds("p-100");
        other.awaitIds("p-100");
        for (int i = 1; i <= 100; i++) {
            alice.fulfil("f-two-" + i, "p-" + i);
            other.fulfil("f-one-" + i, "p-" + i);
        }
        await().untilAsserted(() -> {
            assertThat(agent.ids().stream().filter(id -> id.startsWith("f-"))).hasSize(100);
            assertThat(files.ids()).isEqualTo(agent.ids());
            assertThat(refusals(alice) + refusals(other)).isEqualTo(100);
        });
    }

    private static long refusals(RecordingListener recordingListener) {
        return recordingListener.received.stream()
                .filter(text -> text.contains("'already_fulfilled'"))
                .count();
    }

    @Test
    void whoComesFromTheOtherWithWhatItSawThereIsToldNothingTwice() {
        inMemoryBusNetwork.dropWriteAnnouncements();
        agent.propose("p-1");
        agent.propose("p-2");
        agent.awaitIds("p-1", "p-2");
        agent.inProcessConnection.close();
        RecordingListener again = two.connect("agent", OptionalLong.of(2));
        alice.awaitIds("p-1", "p-2");
        again.propose("p-3");
        again.awaitIds("p-3");
        assertThat(again.ids()).containsExactly("p-3");
    }

    @Test
    void anEnvelopeThatOneGatewayStoredIsEchoedByTheOther() {
        agent.propose("p-1");
        alice.awaitIds("p-1");
        alice.fulfil("f-1", "p-1");
        alice.awaitIds("f-1");
        elapsed = Duration.ofHours(1);
        RecordingListener again = one.connect("alice");
        again.fulfil("f-1", "p-1");
        again.awaitIds("f-1");
    }

    @Test
    void anEnvelopeThatAnotherGatewayStillHoldsIsStoredAndEchoed() {
        agent.propose("p-1");
        alice.awaitIds("p-1");
        CountDownLatch resume = two.suspendWriter();
        alice.fulfil("f-1", "p-1");
        two.awaitQueued(1);
        RecordingListener again = one.connect("alice");
        again.fulfil("f-1", "p-1");
        again.awaitIds("f-1");
        resume.countDown();
        alice.awaitIds("p-1", "f-1");
        assertThat(storedReferences()).containsOnlyOnce("f-1");
    }

    @Test
    void noGatewayStoresAnEnvelopeThatAnotherRefusedBecauseTheProposalHadExpired() {
        agent.propose("p-1");
        alice.awaitIds("p-1");
        CountDownLatch resume = two.suspendWriter();
        alice.fulfil("f-1", "p-1");
        two.awaitQueued(1);
        elapsed = Duration.ofHours(1);
        RecordingListener again = one.connect("alice");
        again.fulfil("f-1", "p-1");
        again.awaitRefusal("f-1", "proposal_closed");
        resume.countDown();
        alice.awaitRefusal("f-1", "proposal_closed");
        assertThat(storedReferences()).doesNotContain("f-1");
        agent.awaitNotice("system.proposal.expired");
    }

    @Test
    void aWithdrawalThatComesTooLateForSomeProposalsRecordsTheirExpiry() {
        agent.propose("p-1");
        agent.awaitIds("p-1");
        elapsed = Duration.ofHours(1);
        agent.propose("p-2");
        agent.send("{'protocol':'mcpx/v0.1','id':'w-1','kind':'mcpx.withdraw.proposal',"
                + "'correlationId':['p-1','p-2'],'payload':{}}");
        agent.awaitIds("w-1");
        agent.awaitRefusal("w-1", "proposal_closed");
        assertThat(ledger.history("ops", "p-1")).extracting(LedgerEvent::type).contains("expired");
    }

    @Test
    void aProposerLearnsOfTheReviewersAtAnotherGatewayAndTheLedgerGetsNoEvent() {
        agent.propose("p-1");
        agent.awaitIds("p-1");
        alice.inProcessConnection.close();
        agent.awaitNotice("system.proposal.unreachable");
        two.connect("alice");
        agent.awaitNotice("system.proposal.reachable");
        assertThat(files.received)
                .as("only the proposer is notified")
                .noneMatch(text -> text.contains("system.proposal.unreachable"));
        assertThat(ledger.retainedRange("ops").last()).isEqualTo(1);
    }

    private List<String> storedReferences() {
        return ledger.eventsAfter("ops", 0, 100) instanceof StreamReadResult.Events(var events)
                ? events.stream()
                        .flatMap(event -> Optional.ofNullable(event.reference()).stream())
                        .toList()
                : List.of();
    }
}
