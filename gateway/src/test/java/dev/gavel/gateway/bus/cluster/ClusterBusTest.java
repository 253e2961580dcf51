package dev.gavel.gateway.bus.cluster;

import static dev.gavel.gateway.bus.cluster.BusTestCluster.TOPIC;
import static dev.gavel.gateway.bus.cluster.BusTestCluster.parcel;
import static dev.gavel.gateway.bus.cluster.BusTestCluster.stay;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.InterProcessTopicChannel;
import dev.gavel.gateway.bus.MemberPresence;
import dev.gavel.gateway.bus.cluster.BusTestCluster.TestProcess;
import dev.gavel.ledger.AppendedRange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What several processes know of each other over a transport that loses messages. */
class ClusterBusTest {
    private static final long LEASE = PeerRegistry.LEASE_MILLIS + 500;

    private final BusTestCluster processes = new BusTestCluster();
    private final TestProcess a = processes.start();
    private final TestProcess b = processes.start();

    private void settle() {
        processes.network.deliverAll();
    }

    private String at(TestProcess process, String member) {
        return process.bus.processId() + "/" + member;
    }

    @Test
    void whatAProcessSendsIsHeardByTheOthersInItsOrderAndNotByItself() {
        a.send("1");
        a.bus.announceWrite(new AppendedRange(TOPIC, 8, 9));
        a.busChannel.send(parcel("2", true));
        a.send("3");
        settle();
        assertThat(b.listener.envelopes()).containsExactly("1", "wrote 8-9", "2", "3");
        assertThat(a.listener.envelopes()).isEmpty();
        assertThat(a.bus.metrics().sent()).isEqualTo(3);
        assertThat(b.bus.metrics().received()).isEqualTo(3);
    }

    @Test
    void anEnvelopeIsPublishedOnceHoweverManyHearIt() {
        processes.start();
        processes.start();
        int before = a.wire.published;
        a.send("1");
        assertThat(a.wire.published).isEqualTo(before + 1);
    }

    @Test
    void whoDoesNotFollowHearsOnlyWhatIsForGateways() {
        b.busChannel.setReceiving(false);
        a.send("1");
        a.busChannel.send(parcel("2", true));
        settle();
        assertThat(b.listener.envelopes()).containsExactly("2");
    }

    @Test
    void whoIsPresentIsKnownToOthersAndToThoseWhoStartLater() {
        a.busChannel.announcePresent(stay("alice", 3));
        a.busChannel.announcePresent(stay("bob", 0));
        a.busChannel.announcePresent(stay("bob", 4));
        a.busChannel.announceAbsent("alice");
        settle();
        TestProcess late = processes.start();
        processes.advanceTime(1_000);
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "bob")).containsValue(stay("bob", 4));
        assertThat(late.listener.present()).isEqualTo(b.listener.present());
        assertThat(b.listener.violations()).isEmpty();
    }

    @Test
    void aTopicThatIsConnectedLaterIsToldWhoIsPresent() {
        RecordingBusListener other = new RecordingBusListener();
        InterProcessTopicChannel topicChannel = a.bus.topicChannel("x");
        topicChannel.open(Runnable::run, new RecordingBusListener());
        topicChannel.announcePresent(stay("alice", 1));
        settle();
        b.bus.topicChannel("x").open(Runnable::run, other);
        assertThat(other.present()).containsOnlyKeys(at(a, "alice"));
    }

    @Test
    void whenMoreComesThanATopicTakesTheConnectionIsGivenUpAndWhatWaitedIsBounded() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        b.loop = waiting::add;
        String large = "x".repeat(1_000_000);
        for (int i = 0; i < 100; i++) {
            a.send(large);
        }
        settle();
        assertThat(b.bus.isAvailable()).isFalse();
        assertThat(waiting).hasSizeBetween(50, 70);
        b.loop = Runnable::run;
        waiting.forEach(Runnable::run);
        b.wire.reconnect();
        settle();
        processes.advanceTime(1_000);
        a.send("again");
        settle();
        assertThat(b.listener.envelopes()).endsWith("again");
    }

    @Test
    void aLostComingIsFoundByTheNextHeartbeat() {
        processes.network.drops = (channel, message) -> message instanceof BusMessage.MemberJoined;
        a.busChannel.announcePresent(stay("alice", 1));
        settle();
        assertThat(b.listener.present()).isEmpty();
        processes.network.drops = (channel, message) -> false;
        processes.advanceTime(1_250);
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "alice"));
    }

    @Test
    void aLostGoingIsFoundByTheNextChange() {
        a.busChannel.announcePresent(stay("alice", 1));
        settle();
        processes.network.drops = (channel, message) -> message instanceof BusMessage.MemberLeft;
        a.busChannel.announceAbsent("alice");
        processes.network.drops = (channel, message) -> false;
        processes.skipTime(600);
        a.busChannel.announcePresent(stay("bob", 1));
        settle();
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "bob"));
    }

    @Test
    void manyMembersAreAnsweredInPieces() {
        for (int i = 0; i < 5_000; i++) {
            a.busChannel.announcePresent(
                    new MemberPresence("m" + i, BusTestCluster.capabilities("chat.*", "x" + i + ".*"), i));
        }
        settle();
        int[] pieces = {0};
        processes.network.drops = (channel, message) -> {
            if (message instanceof BusMessage.PresenceResponse) {
                pieces[0]++;
            }
            // One chunk is lost the first time, so the whole response has to be sent again.
            return message instanceof BusMessage.PresenceResponse && pieces[0] == 2;
        };
        TestProcess late = processes.start();
        assertThat(late.listener.present()).isEmpty();
        processes.advanceTime(2_500);
        assertThat(late.listener.present()).hasSize(5_000).isEqualTo(b.listener.present());
        assertThat(pieces[0]).isGreaterThan(10);
    }

    @Test
    void aKilledProcessIsGoneWhenItsLeaseIsOver() {
        a.busChannel.announcePresent(stay("alice", 1));
        settle();
        a.kill();
        processes.advanceTime(2_000);
        assertThat(b.bus.isAlive(a.bus.processId())).isTrue();
        assertThat(b.listener.present()).isNotEmpty();
        processes.advanceTime(LEASE);
        assertThat(b.bus.isAlive(a.bus.processId())).isFalse();
        assertThat(b.listener.present()).isEmpty();
        assertThat(b.listener.violations()).isEmpty();
        assertThat(b.bus.metrics().processes()).isZero();
    }

    @Test
    void aProcessThatTakesLeaveIsGoneAtOnceAndForEver() {
        a.busChannel.announcePresent(stay("alice", 1));
        settle();
        byte[] late =
                BusMessageCodec.encode(a.bus.processId(), 1, new BusMessage.EnvelopeMessage(parcel("late", false)));
        a.alive = false;
        a.bus.close();
        settle();
        assertThat(b.bus.isAlive(a.bus.processId())).isFalse();
        assertThat(b.listener.present()).isEmpty();
        b.wire.inject("topic.ops=eu", late);
        settle();
        assertThat(b.listener.envelopes()).isEmpty();
        assertThat(a.send("after")).isEqualTo(BusSendResult.UNAVAILABLE);
    }

    @Test
    void everyProcessIsAliveToItselfAndAnUnknownOneIsNot() {
        assertThat(a.bus.isAlive(a.bus.processId())).isTrue();
        assertThat(a.bus.isAlive(b.bus.processId())).isTrue();
        assertThat(a.bus.isAlive("nobody")).isFalse();
    }

    @Test
    void whileAProcessIsCutOffItSendsNothingAndNobodyLeavesThere() {
        a.busChannel.announcePresent(stay("alice", 1));
        b.busChannel.announcePresent(stay("bob", 1));
        settle();
        b.wire.cut();
        assertThat(b.bus.isAvailable()).isFalse();
        assertThat(b.listener.isReachable()).isFalse();
        assertThat(b.send("1")).isEqualTo(BusSendResult.UNAVAILABLE);
        processes.advanceTime(60_000);
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "alice"));
        assertThat(b.bus.isAlive(a.bus.processId())).isTrue();
        assertThat(a.listener.present()).isEmpty();
        b.wire.reconnect();
        settle();
        processes.advanceTime(1_500);
        assertThat(b.listener.isReachable()).isTrue();
        assertThat(a.listener.present()).containsOnlyKeys(at(b, "bob"));
        assertThat(a.listener.violations()).isEmpty();
        assertThat(b.listener.violations()).isEmpty();
    }

    @Test
    void whoLeftWhileAProcessWasCutOffIsFoundMissingAfterwards() {
        a.busChannel.announcePresent(stay("alice", 1));
        TestProcess c = processes.start();
        c.busChannel.announcePresent(stay("carol", 1));
        settle();
        b.wire.cut();
        a.busChannel.announceAbsent("alice");
        a.busChannel.announcePresent(stay("amy", 1));
        c.kill();
        processes.advanceTime(10_000);
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "alice"), at(c, "carol"));
        b.wire.reconnect();
        settle();
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "amy"), at(c, "carol"));
        processes.advanceTime(LEASE);
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "amy"));
    }

    @Test
    void whatAnEarlierConnectionSentDoesNotCountOnceTheNextWasHeard() {
        byte[] late =
                BusMessageCodec.encode(a.bus.processId(), 1, new BusMessage.EnvelopeMessage(parcel("late", false)));
        a.wire.cut();
        a.wire.reconnect();
        settle();
        b.wire.inject("topic.ops=eu", late);
        a.send("now");
        settle();
        assertThat(b.listener.envelopes()).containsExactly("now");
    }

    @Test
    void afterItsOwnLossAProcessHearsOthersOnceTheyHaveAnswered() {
        byte[] late =
                BusMessageCodec.encode(a.bus.processId(), 1, new BusMessage.EnvelopeMessage(parcel("late", false)));
        b.wire.cut();
        b.wire.reconnect();
        b.wire.inject("topic.ops=eu", late);
        settle();
        a.send("now");
        settle();
        assertThat(b.listener.envelopes()).containsExactly("now");
    }

    @Test
    void aProcessThatWasTakenForDeadIsBackByItsAnswer() {
        a.busChannel.announcePresent(stay("alice", 1));
        settle();
        a.alive = false;
        processes.advanceTime(LEASE);
        assertThat(b.listener.present()).isEmpty();
        a.send("unheard");
        settle();
        assertThat(b.listener.envelopes()).isEmpty();
        a.alive = true;
        processes.advanceTime(1_500);
        assertThat(b.bus.isAlive(a.bus.processId())).isTrue();
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "alice"));
        assertThat(a.listener.violations()).isEmpty();
        a.send("heard");
        settle();
        assertThat(b.listener.envelopes()).containsExactly("heard");
    }

    @Test
    void aDelayedResponseToAnEarlierRequestDoesNotMakeDelayedEnvelopesCount() {
        AtomicLong requestId = new AtomicLong();
        processes.network.drops = (channel, message) -> {
            if (message instanceof BusMessage.PresenceRequest request) {
                requestId.set(request.requestId());
            }
            return message instanceof BusMessage.MemberJoined;
        };
        // b misses a change, so it sends a request; the response and the envelope after it are delayed.
        a.busChannel.announcePresent(stay("alice", 1));
        processes.advanceTime(1_500);
        assertThat(requestId.get()).isPositive();
        byte[] response = BusMessageCodec.encode(
                a.bus.processId(), 1, new BusMessage.PresenceResponse(requestId.get(), 1, 0, true, List.of()));
        byte[] envelope =
                BusMessageCodec.encode(a.bus.processId(), 1, new BusMessage.EnvelopeMessage(parcel("late", false)));
        a.alive = false;
        processes.advanceTime(LEASE);
        assertThat(b.bus.isAlive(a.bus.processId())).isFalse();
        b.wire.inject("to." + b.bus.processId(), response);
        b.wire.inject("topic.ops=eu", envelope);
        settle();
        assertThat(b.listener.envelopes()).isEmpty();
        assertThat(b.bus.isAlive(a.bus.processId())).isFalse();
    }

    @Test
    void aProcessThatSleptDoesNotTakeOthersForDead() {
        a.busChannel.announcePresent(stay("alice", 1));
        settle();
        processes.skipTime(30_000);
        b.bus.tick();
        assertThat(b.listener.present()).containsOnlyKeys(at(a, "alice"));
    }

    @Test
    void whatCannotBeReadIsCountedAndIgnored() {
        b.wire.inject("here", new byte[0]);
        b.wire.inject("topic.ops=eu", new byte[] {2, 1, 1, 'x'});
        b.wire.inject("here", new byte[] {1, 3, 1, 'x', 1, 0});
        settle();
        a.send("1");
        settle();
        assertThat(b.listener.envelopes()).containsExactly("1");
        assertThat(b.bus.metrics().malformed()).isEqualTo(3);
    }

    @Test
    void anEnvelopeThatIsTooLargeIsRefusedAsSuch() {
        assertThat(a.send("x".repeat(InMemoryTransportNetwork.LIMIT))).isEqualTo(BusSendResult.TOO_LARGE);
        assertThat(a.send("x".repeat(InMemoryTransportNetwork.LIMIT - 200))).isEqualTo(BusSendResult.SENT);
        assertThat(a.bus.metrics().refused()).isOne();
    }

    @Property(tries = 300)
    void whateverIsLostAllProcessesAgreeInTheEnd(@ForAll @Size(max = 60) List<@IntRange(max = 107) Integer> incidents) {
        BusTestCluster three = new BusTestCluster();
        for (int i = 0; i < 3; i++) {
            three.start();
        }
        Map<String, MemberPresence> there = new TreeMap<>();
        for (int incident : incidents) {
            TestProcess who = three.all().get(incident % 3);
            String member = "m" + incident / 27;
            switch (incident / 3 % 9) {
                case 0, 1 -> {
                    who.busChannel.announcePresent(stay(member, incident % 2));
                    there.put(at(who, member), stay(member, incident % 2));
                }
                case 2 -> {
                    who.busChannel.announceAbsent(member);
                    there.remove(at(who, member));
                }
                case 3 -> who.wire.cut();
                case 4 -> who.wire.reconnect();
                case 5 -> three.network.drops = (channel, message) -> message.hashCode() % 2 == 0;
                case 6 -> three.network.drops = (channel, message) -> false;
                case 7 -> three.advanceTime(1_000);
                default -> three.network.deliverAll();
            }
        }
        three.network.drops = (channel, message) -> false;
        three.all().forEach(each -> each.wire.reconnect());
        three.advanceTime(3_000);
        for (TestProcess each : three.all()) {
            assertThat(each.listener.violations()).isEmpty();
            assertThat(each.listener.isReachable()).isTrue();
        }
        for (TestProcess each : three.all()) {
            Map<String, MemberPresence> elsewhere = new TreeMap<>(there);
            elsewhere.keySet().removeIf(name -> name.startsWith(each.bus.processId() + "/"));
            assertThat(each.listener.present()).isEqualTo(elsewhere);
        }
    }
}
