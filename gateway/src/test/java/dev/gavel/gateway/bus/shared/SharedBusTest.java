package dev.gavel.gateway.bus.shared;

import static dev.gavel.gateway.bus.shared.TestProcesses.TOPIC;
import static dev.gavel.gateway.bus.shared.TestProcesses.parcel;
import static dev.gavel.gateway.bus.shared.TestProcesses.stay;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.gateway.bus.shared.TestProcesses.TestProcess;
import dev.gavel.ledger.Growth;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What several processes know of each other, over wires that lose what they like. */
class SharedBusTest {
    private static final long LEASE = Peers.LEASE_MILLIS + 500;

    private final TestProcesses processes = new TestProcesses();
    private final TestProcess a = processes.start();
    private final TestProcess b = processes.start();

    private void settle() {
        processes.exchange.settle();
    }

    private String at(TestProcess process, String member) {
        return process.bus.process() + "/" + member;
    }

    @Test
    void whatAProcessSendsIsHeardByTheOthersInItsOrderAndNotByItself() {
        a.say("1");
        a.bus.wrote(new Growth(TOPIC, 8, 9));
        a.line.send(parcel("2", true));
        a.say("3");
        settle();
        assertThat(b.party.heard()).containsExactly("1", "wrote 8-9", "2", "3");
        assertThat(a.party.heard()).isEmpty();
        assertThat(a.bus.measures().sent()).isEqualTo(3);
        assertThat(b.bus.measures().received()).isEqualTo(3);
    }

    @Test
    void anEnvelopeIsPublishedOnceHoweverManyHearIt() {
        processes.start();
        processes.start();
        int before = a.wire.published;
        a.say("1");
        assertThat(a.wire.published).isEqualTo(before + 1);
    }

    @Test
    void whoDoesNotFollowHearsOnlyWhatIsForGateways() {
        b.line.follow(false);
        a.say("1");
        a.line.send(parcel("2", true));
        settle();
        assertThat(b.party.heard()).containsExactly("2");
    }

    @Test
    void whoIsPresentIsKnownToOthersAndToThoseWhoStartLater() {
        a.line.here(stay("alice", 3));
        a.line.here(stay("bob", 0));
        a.line.here(stay("bob", 4));
        a.line.gone("alice");
        settle();
        TestProcess late = processes.start();
        processes.pass(1_000);
        assertThat(b.party.present()).containsOnlyKeys(at(a, "bob")).containsValue(stay("bob", 4));
        assertThat(late.party.present()).isEqualTo(b.party.present());
        assertThat(b.party.wrongs()).isEmpty();
    }

    @Test
    void aTopicThatIsConnectedLaterIsToldWhoIsPresent() {
        TestParty other = new TestParty();
        Line line = a.bus.line("x");
        line.open(Runnable::run, new TestParty());
        line.here(stay("alice", 1));
        settle();
        b.bus.line("x").open(Runnable::run, other);
        assertThat(other.present()).containsOnlyKeys(at(a, "alice"));
    }

    @Test
    void whenMoreComesThanATopicTakesTheConnectionIsGivenUpAndWhatWaitedIsBounded() {
        Deque<Runnable> waiting = new ArrayDeque<>();
        b.loop = waiting::add;
        String large = "x".repeat(1_000_000);
        for (int i = 0; i < 100; i++) {
            a.say(large);
        }
        settle();
        assertThat(b.bus.available()).isFalse();
        assertThat(waiting).hasSizeBetween(50, 70);
        b.loop = Runnable::run;
        waiting.forEach(Runnable::run);
        b.wire.mend();
        settle();
        processes.pass(1_000);
        a.say("again");
        settle();
        assertThat(b.party.heard()).endsWith("again");
    }

    @Test
    void aLostComingIsFoundByTheNextHeartbeat() {
        processes.exchange.loses = (channel, message) -> message instanceof Message.Came;
        a.line.here(stay("alice", 1));
        settle();
        assertThat(b.party.present()).isEmpty();
        processes.exchange.loses = (channel, message) -> false;
        processes.pass(1_250);
        assertThat(b.party.present()).containsOnlyKeys(at(a, "alice"));
    }

    @Test
    void aLostGoingIsFoundByTheNextChange() {
        a.line.here(stay("alice", 1));
        settle();
        processes.exchange.loses = (channel, message) -> message instanceof Message.Left;
        a.line.gone("alice");
        processes.exchange.loses = (channel, message) -> false;
        processes.sleep(600);
        a.line.here(stay("bob", 1));
        settle();
        assertThat(b.party.present()).containsOnlyKeys(at(a, "bob"));
    }

    @Test
    void manyMembersAreAnsweredInPieces() {
        for (int i = 0; i < 5_000; i++) {
            a.line.here(new Stay("m" + i, TestProcesses.capabilities("chat.*", "x" + i + ".*"), i));
        }
        settle();
        int[] pieces = {0};
        processes.exchange.loses = (channel, message) -> {
            if (message instanceof Message.Answer) {
                pieces[0]++;
            }
            // One is lost the first time, so all of it has to come again.
            return message instanceof Message.Answer && pieces[0] == 2;
        };
        TestProcess late = processes.start();
        assertThat(late.party.present()).isEmpty();
        processes.pass(2_500);
        assertThat(late.party.present()).hasSize(5_000).isEqualTo(b.party.present());
        assertThat(pieces[0]).isGreaterThan(10);
    }

    @Test
    void aKilledProcessIsGoneWhenItsLeaseIsOver() {
        a.line.here(stay("alice", 1));
        settle();
        a.kill();
        processes.pass(2_000);
        assertThat(b.bus.alive(a.bus.process())).isTrue();
        assertThat(b.party.present()).isNotEmpty();
        processes.pass(LEASE);
        assertThat(b.bus.alive(a.bus.process())).isFalse();
        assertThat(b.party.present()).isEmpty();
        assertThat(b.party.wrongs()).isEmpty();
        assertThat(b.bus.measures().processes()).isZero();
    }

    @Test
    void aProcessThatTakesLeaveIsGoneAtOnceAndForEver() {
        a.line.here(stay("alice", 1));
        settle();
        byte[] late = MessageFormat.write(a.bus.process(), 1, new Message.Carried(parcel("late", false)));
        a.alive = false;
        a.bus.close();
        settle();
        assertThat(b.bus.alive(a.bus.process())).isFalse();
        assertThat(b.party.present()).isEmpty();
        b.wire.forge("topic.ops=eu", late);
        settle();
        assertThat(b.party.heard()).isEmpty();
        assertThat(a.say("after")).isEqualTo(Sent.AWAY);
    }

    @Test
    void everyProcessIsAliveToItselfAndAnUnknownOneIsNot() {
        assertThat(a.bus.alive(a.bus.process())).isTrue();
        assertThat(a.bus.alive(b.bus.process())).isTrue();
        assertThat(a.bus.alive("nobody")).isFalse();
    }

    @Test
    void whileAProcessIsCutOffItSendsNothingAndNobodyLeavesThere() {
        a.line.here(stay("alice", 1));
        b.line.here(stay("bob", 1));
        settle();
        b.wire.cut();
        assertThat(b.bus.available()).isFalse();
        assertThat(b.party.isReachable()).isFalse();
        assertThat(b.say("1")).isEqualTo(Sent.AWAY);
        processes.pass(60_000);
        assertThat(b.party.present()).containsOnlyKeys(at(a, "alice"));
        assertThat(b.bus.alive(a.bus.process())).isTrue();
        assertThat(a.party.present()).isEmpty();
        b.wire.mend();
        settle();
        processes.pass(1_500);
        assertThat(b.party.isReachable()).isTrue();
        assertThat(a.party.present()).containsOnlyKeys(at(b, "bob"));
        assertThat(a.party.wrongs()).isEmpty();
        assertThat(b.party.wrongs()).isEmpty();
    }

    @Test
    void whoLeftWhileAProcessWasCutOffIsFoundMissingAfterwards() {
        a.line.here(stay("alice", 1));
        TestProcess c = processes.start();
        c.line.here(stay("carol", 1));
        settle();
        b.wire.cut();
        a.line.gone("alice");
        a.line.here(stay("amy", 1));
        c.kill();
        processes.pass(10_000);
        assertThat(b.party.present()).containsOnlyKeys(at(a, "alice"), at(c, "carol"));
        b.wire.mend();
        settle();
        assertThat(b.party.present()).containsOnlyKeys(at(a, "amy"), at(c, "carol"));
        processes.pass(LEASE);
        assertThat(b.party.present()).containsOnlyKeys(at(a, "amy"));
    }

    @Test
    void whatAnEarlierConnectionSentDoesNotCountOnceTheNextWasHeard() {
        byte[] late = MessageFormat.write(a.bus.process(), 1, new Message.Carried(parcel("late", false)));
        a.wire.cut();
        a.wire.mend();
        settle();
        b.wire.forge("topic.ops=eu", late);
        a.say("now");
        settle();
        assertThat(b.party.heard()).containsExactly("now");
    }

    @Test
    void afterItsOwnLossAProcessHearsOthersOnceTheyHaveAnswered() {
        byte[] late = MessageFormat.write(a.bus.process(), 1, new Message.Carried(parcel("late", false)));
        b.wire.cut();
        b.wire.mend();
        b.wire.forge("topic.ops=eu", late);
        settle();
        a.say("now");
        settle();
        assertThat(b.party.heard()).containsExactly("now");
    }

    @Test
    void aProcessThatWasTakenForDeadIsBackByItsAnswer() {
        a.line.here(stay("alice", 1));
        settle();
        a.alive = false;
        processes.pass(LEASE);
        assertThat(b.party.present()).isEmpty();
        a.say("unheard");
        settle();
        assertThat(b.party.heard()).isEmpty();
        a.alive = true;
        processes.pass(1_500);
        assertThat(b.bus.alive(a.bus.process())).isTrue();
        assertThat(b.party.present()).containsOnlyKeys(at(a, "alice"));
        assertThat(a.party.wrongs()).isEmpty();
        a.say("heard");
        settle();
        assertThat(b.party.heard()).containsExactly("heard");
    }

    @Test
    void aProcessThatSleptDoesNotTakeOthersForDead() {
        a.line.here(stay("alice", 1));
        settle();
        processes.sleep(30_000);
        b.bus.tick();
        assertThat(b.party.present()).containsOnlyKeys(at(a, "alice"));
    }

    @Test
    void whatCannotBeReadIsCountedAndIgnored() {
        b.wire.forge("here", new byte[0]);
        b.wire.forge("topic.ops=eu", new byte[] {1, 1, 1, 'x'});
        b.wire.forge("here", new byte[] {2, 3, 1, 'x', 1, 0});
        settle();
        a.say("1");
        settle();
        assertThat(b.party.heard()).containsExactly("1");
        assertThat(b.bus.measures().unreadable()).isEqualTo(3);
    }

    @Test
    void anEnvelopeThatIsTooLargeIsRefusedAsSuch() {
        assertThat(a.say("x".repeat(Exchange.LIMIT))).isEqualTo(Sent.TOO_LARGE);
        assertThat(a.say("x".repeat(Exchange.LIMIT - 200))).isEqualTo(Sent.SENT);
        assertThat(a.bus.measures().refused()).isOne();
    }

    @Property(tries = 300)
    void whateverIsLostAllProcessesAgreeInTheEnd(@ForAll @Size(max = 60) List<@IntRange(max = 107) Integer> incidents) {
        TestProcesses three = new TestProcesses();
        for (int i = 0; i < 3; i++) {
            three.start();
        }
        Map<String, Stay> there = new TreeMap<>();
        for (int incident : incidents) {
            TestProcess who = three.all().get(incident % 3);
            String member = "m" + incident / 27;
            switch (incident / 3 % 9) {
                case 0, 1 -> {
                    who.line.here(stay(member, incident % 2));
                    there.put(at(who, member), stay(member, incident % 2));
                }
                case 2 -> {
                    who.line.gone(member);
                    there.remove(at(who, member));
                }
                case 3 -> who.wire.cut();
                case 4 -> who.wire.mend();
                case 5 -> three.exchange.loses = (channel, message) -> message.hashCode() % 2 == 0;
                case 6 -> three.exchange.loses = (channel, message) -> false;
                case 7 -> three.pass(1_000);
                default -> three.exchange.settle();
            }
        }
        three.exchange.loses = (channel, message) -> false;
        three.all().forEach(each -> each.wire.mend());
        three.pass(3_000);
        for (TestProcess each : three.all()) {
            assertThat(each.party.wrongs()).isEmpty();
            assertThat(each.party.isReachable()).isTrue();
        }
        for (TestProcess each : three.all()) {
            Map<String, Stay> elsewhere = new TreeMap<>(there);
            elsewhere.keySet().removeIf(name -> name.startsWith(each.bus.process() + "/"));
            assertThat(each.party.present()).isEqualTo(elsewhere);
        }
    }
}
