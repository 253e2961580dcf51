package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.docket.Docket;
import dev.gavel.gateway.proposal.Members;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.ProposalRules;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Limits;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways that serve one topic on one ledger: {@code agent} is at the one, {@code alice} and {@code files} at the other. */
class TwoGatewaysTest {
    private static final ProposalRules RULES = new ProposalRules(
            Duration.ofMinutes(15), Duration.ofHours(1), Duration.ofMinutes(10), ProposalRules.Rejection.VETO, false);
    private static final Map<String, Capabilities> MEMBERS = Map.of(
            "agent", can("mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"),
            "alice", can("mcp.request.*", "mcpx.*", "chat.*"),
            "files", can("mcp.response.*", "mcp.request.notifications/*"));

    @TempDir
    Path directory;

    private final Hub hub = new Hub();
    private final ExecutorService reading = Executors.newFixedThreadPool(2);
    private SqliteLedger ledger;
    private Office one;
    private Office two;
    private Guest agent;
    private Guest alice;
    private Guest files;

    private static Capabilities can(String... patterns) {
        return Capabilities.compile(List.of(patterns)).orThrow();
    }

    /** One gateway with a writer and a loop of its own. */
    private final class Office {
        final DefaultEventExecutor loop = new DefaultEventExecutor();
        final Lookout lookout = new Lookout();
        final Hub.Node bus;
        final LedgerWriter writer = new LedgerWriter(ledger, InstantSource.system(), WriterOptions.DEFAULT);
        final Gateway gateway;
        final Topic topic;

        Office(String process) {
            bus = hub.node(process, lookout);
            writer.whenWritten(bus::wrote);
            Docket docket = new Docket("ops", new ProposalLife(RULES, new Members(MEMBERS)), writer, ledger);
            List<Member> members = MEMBERS.entrySet().stream()
                    .map(entry -> new Member(entry.getKey(), entry.getValue()))
                    .toList();
            gateway = new Gateway(
                    Map.of("ops", new TopicPlan(members, Optional.of(docket))),
                    List.of(loop),
                    new Gateway.Bounds(Limits.DEFAULT, 1000, 1000),
                    reading,
                    InstantSource.system(),
                    bus,
                    lookout);
            topic = gateway.topic("ops").orElseThrow();
            gateway.open();
        }

        void close() {
            writer.close();
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }

        Guest seat(String member) {
            return seat(member, OptionalLong.empty());
        }

        Guest seat(String member, OptionalLong since) {
            Guest guest = new Guest();
            guest.seat = gateway.seat(
                    topic,
                    topic.membership(member).orElseThrow(),
                    new Warrant(),
                    new Connection.Wish(Mode.ALL, since),
                    guest);
            await().until(() -> !guest.heard.isEmpty());
            return guest;
        }
    }

    /** Remembers what it heard. */
    private static final class Guest implements Seat.Guest {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @SuppressWarnings("NullAway.Init") // whoever seats it sets it
        private Seat seat;

        @Override
        public void heard(byte[] envelope) {
            heard.add(new String(envelope, StandardCharsets.UTF_8).replace('"', '\''));
        }

        @Override
        public void closed(Closing why) {
            heard.add("closed " + why);
        }

        void say(String id, String text) {
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
            seat.send(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        }

        /** The ids heard of those somebody sent, in order. */
        List<String> ids() {
            return heard.stream()
                    .filter(text -> !text.contains("'from':'system:gateway'"))
                    .map(text -> text.replaceAll(".*?'id':'([^']*)'.*", "$1"))
                    .toList();
        }

        void awaits(String... ids) {
            await().untilAsserted(() -> assertThat(ids()).containsSequence(ids));
        }
    }

    @BeforeEach
    void open() {
        ledger = switch (SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            case Opening.Opened(SqliteLedger opened) -> opened;
            case Opening.Refused(String reason) -> throw new AssertionError(reason);
        };
        one = new Office("one");
        two = new Office("two");
        agent = one.seat("agent");
        alice = two.seat("alice");
        files = two.seat("files");
    }

    @AfterEach
    void close() throws Exception {
        for (Office office : List.of(one, two)) {
            office.close();
        }
        reading.shutdown();
        assertThat(reading.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        ledger.close();
    }

    @Test
    void aProposalLivesItsWholeLifeAcrossTheTwo() {
        agent.propose("p-1");
        alice.awaits("p-1");
        alice.fulfil("f-1", "p-1");
        files.awaits("p-1", "f-1");
        files.answer("a-1", "f-1");
        agent.awaits("p-1", "f-1", "a-1");
        alice.awaits("p-1", "f-1", "a-1");
    }

    @Test
    void whoIsAtTheOtherIsPresent() {
        await().untilAsserted(
                        () -> assertThat(agent.heard.toString()).contains("'event':'join'", "'files'", "'alice'"));
        Guest late = two.seat("agent");
        assertThat(late.heard.getFirst()).contains("'alice'", "'files'");
        assertThat(alice.heard.toString()).contains("'agent'");
        files.seat.close();
        await().untilAsserted(() -> assertThat(agent.heard.toString()).contains("'event':'leave'"));
    }

    @Test
    void aGatewayThatStartsLaterKnowsWhoIsPresent() {
        Office three = new Office("three");
        try {
            await().untilAsserted(() ->
                    assertThat(three.seat("agent").heard.getFirst()).contains("'id':'alice'", "'id':'files'"));
        } finally {
            three.close();
        }
    }

    @Test
    void whatSomebodyOffersAnewIsHeardEverywhereAlsoWhereNobodyIs() {
        List<String> heard = new CopyOnWriteArrayList<>();
        Office three = new Office("three");
        three.gateway.listen(new Listener() {
            @Override
            public void heard(Topic topic, String from, Envelope envelope) {
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
        two.topic.enrol(eve).toCompletableFuture().join();
        Guest guest = two.seat("eve");
        // Where it is not known yet that eve is a member, she is who the other says.
        await().until(() ->
                one.topic.overview().toCompletableFuture().join().participants().contains(eve));
        one.topic.enrol(eve).toCompletableFuture().join();
        Member more = new Member("eve", can("chat.*", "mcp.request.*"));
        one.topic.enrol(more).toCompletableFuture().join();
        assertThat(one.topic.overview().toCompletableFuture().join().participants())
                .contains(more);
        guest.seat.close();
    }

    @Test
    void whoLeavesOneAndIsAtTheOtherHasNotLeft() {
        Guest again = two.seat("agent");
        Guest beside = one.seat("alice");
        agent.seat.close();
        // Said after the leaving, in the same process, so heard after it, too.
        beside.say("c-1", "somebody left");
        files.awaits("c-1");
        again.say("c-2", "still here");
        alice.awaits("c-2");
        assertThat(alice.heard.toString()).doesNotContain("'event':'leave'");
    }

    @Test
    void whatIsSaidIsHeardAtBothOnce() {
        agent.say("c-1", "hello");
        alice.say("c-2", "hello yourself");
        agent.awaits("c-2");
        alice.awaits("c-1");
        files.awaits("c-1");
        assertThat(agent.ids()).containsExactly("c-2");
    }

    @Test
    void nothingIsSaidWhileTheOthersCannotBeReachedAndProposalsGoOn() {
        one.bus.away(true);
        agent.say("c-1", "anybody?");
        await().untilAsserted(() -> assertThat(agent.heard.getLast()).contains("'unavailable'", "'c-1'"));
        agent.propose("p-1");
        agent.awaits("p-1");
        two.lookout.seen(ledger.heads());
        alice.awaits("p-1");
        alice.fulfil("f-1", "p-1");
        await().until(() -> {
            one.lookout.seen(ledger.heads());
            return agent.ids().contains("f-1");
        });
        one.bus.away(false);
        agent.say("c-2", "back");
        alice.awaits("c-2");
        assertThat(alice.ids()).doesNotContain("c-1");
    }

    @Test
    void whatNobodySaidThatTheyWroteIsFoundByLooking() {
        hub.silence();
        agent.propose("p-1");
        agent.awaits("p-1");
        two.lookout.seen(ledger.heads());
        alice.awaits("p-1");
    }

    @Test
    void whatIsSaidAfterAProposalIsHeardAfterItThoughNobodySaysThatItWasWritten() {
        hub.silence();
        for (int i = 1; i <= 20; i++) {
            agent.propose("p-" + i);
            agent.say("c-" + i, "about that");
        }
        await().until(() -> alice.ids().size() >= 40);
        for (int i = 1; i <= 20; i++) {
            assertThat(alice.ids()).containsSubsequence("p-" + i, "c-" + i);
        }
    }

    @Test
    void whatWasSaidBeforeAProposalAndComesLaterThanItIsNotHeardAtAll() {
        hub.silence();
        hub.keep();
        agent.say("c-1", "before");
        agent.propose("p-1");
        agent.awaits("p-1");
        two.lookout.seen(ledger.heads());
        alice.awaits("p-1");
        hub.arrive();
        agent.say("c-2", "after");
        alice.awaits("c-2");
        assertThat(alice.ids()).doesNotContain("c-1");
    }

    @Test
    void bothDecideAtOnceAndEverybodyHearsItInOneOrder() {
        Guest other = one.seat("alice");
        for (int i = 1; i <= 100; i++) {
            agent.propose("p-" + i);
        }
        alice.awaits("p-100");
        other.awaits("p-100");
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

    private static long refusals(Guest guest) {
        return guest.heard.stream()
                .filter(text -> text.contains("'already_fulfilled'"))
                .count();
    }

    @Test
    void whoComesFromTheOtherWithWhatItSawThereIsToldNothingTwice() {
        hub.silence();
        agent.propose("p-1");
        agent.propose("p-2");
        agent.awaits("p-1", "p-2");
        agent.seat.close();
        Guest again = two.seat("agent", OptionalLong.of(2));
        alice.awaits("p-1", "p-2");
        again.propose("p-3");
        again.awaits("p-3");
        assertThat(again.ids()).containsExactly("p-3");
    }
}
