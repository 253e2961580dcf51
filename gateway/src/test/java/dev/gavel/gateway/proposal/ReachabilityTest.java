package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.Room.taken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.SystemMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether anybody is there who could take a proposal. */
class ReachabilityTest {
    private static final Ruling UNCHANGED = new Ruling.Unchanged();

    private final Room room = new Room();

    private static Told unreachable(String id, String... who) {
        return new Told(new SystemMessage.Unreachable(id, List.of(who)), List.of("agent"));
    }

    private static Told reachable(String id, String... who) {
        return new Told(new SystemMessage.Reachable(id, List.of(who)), List.of("agent"));
    }

    @Test
    void whileSomebodyIsHereWhoCouldNothingIsSaid() {
        assertThat(taken(room.propose("p", Room.WRITE)).notices()).isEmpty();
        room.leave("alice");
        room.pass(Duration.ofMinutes(1));
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
        assertThat(room.attendAt("p")).isEmpty();
    }

    @Test
    void fromItsArrivalOnTheProposerIsToldThatNobodyIsHereAndWhoCouldBe() {
        room.here.removeAll(List.of("alice", "bob"));
        Ruling ruling = room.propose("p", Room.WRITE);
        assertThat(Room.types(ruling)).containsExactly("proposed", "unreachable");
        assertThat(taken(ruling).notices()).containsExactly(unreachable("p", "alice", "bob"));
    }

    @Test
    void whoLeftAMomentBeforeItsArrivalHasTheirGraceToo() {
        room.leave("alice", "bob");
        room.pass(Duration.ofSeconds(1));
        assertThat(taken(room.propose("p", Room.WRITE)).notices()).isEmpty();
        assertThat(room.attendAt("p")).contains(Room.START.plusSeconds(2));
    }

    @Test
    void theLastOnesLeavingIsSaidAfterTwoSecondsAndOnce() {
        room.propose("p", Room.WRITE);
        room.leave("alice");
        room.pass(Duration.ofSeconds(5));
        room.leave("bob");
        Instant due = room.now.plusSeconds(2);
        assertThat(room.attendAt("p")).contains(due);
        room.now = due.minusNanos(1);
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
        room.now = due;
        assertThat(taken(room.attend("p")).notices()).containsExactly(unreachable("p", "alice", "bob"));
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
        assertThat(room.attendAt("p")).isEmpty();
        assertThat(room.proposal("p").unreachable()).isTrue();
    }

    @Test
    void aReconnectWithinTheGraceIsNeverHeardOf() {
        room.propose("p", Room.WRITE);
        room.leave("alice", "bob");
        room.pass(Duration.ofMillis(1999));
        room.come("bob");
        room.pass(Duration.ofSeconds(1));
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
    }

    @Test
    void whenOneComesTheProposerIsTold() {
        room.here.removeAll(List.of("alice", "bob"));
        room.propose("p", Room.WRITE);
        room.come("carol", "dan");
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
        room.come("bob");
        assertThat(taken(room.attend("p")).notices()).containsExactly(reachable("p", "bob"));
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
    }

    @Test
    void whereItHasTargetsOneOfThemMustBeConnected() {
        room.here.remove("carol");
        assertThat(taken(room.propose("p", Room.WRITE, "carol", "files")).notices())
                .containsExactly(unreachable("p", "carol"));
        room.come("carol");
        assertThat(taken(room.attend("p")).notices()).containsExactly(reachable("p", "alice", "bob"));
    }

    @Test
    void aTargetThatMayOnlyRejectIsNotEnough() {
        room.here.removeAll(List.of("alice", "bob"));
        assertThat(taken(room.propose("p", Room.WRITE, "carol")).notices())
                .containsExactly(unreachable("p", "alice", "bob"));
    }

    @Test
    void whereNobodyMayDoItAtAllThatIsSaidToo() {
        room.life = new ProposalLife(Room.RULES, new Members(Map.of("agent", Room.can("['mcp.proposal.*']"))));
        assertThat(taken(room.propose("p", Room.WRITE)).notices()).containsExactly(unreachable("p"));
    }

    @Test
    void anEndedProposalIsNeitherReachableNorUnreachable() {
        room.propose("p", Room.WRITE);
        room.withdraw("agent", "p");
        room.here.removeAll(List.of("alice", "bob"));
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
        assertThat(room.attendAt("p")).isEmpty();
    }

    @Test
    void fromItsExpiryOnNobodyIsToldOfComingsAndGoings() {
        room.propose("p", Room.WRITE);
        room.here.removeAll(List.of("alice", "bob"));
        room.now = room.proposal("p").expiresAt();
        assertThat(room.attend("p")).isEqualTo(UNCHANGED);
    }
}
