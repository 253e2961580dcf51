package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.accepted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.SystemMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whether a member is present who could decide a proposal. */
class ProposalReachabilityDeciderTest {
    private static final ProposalDeciderResult UNCHANGED = new ProposalDeciderResult.Unchanged();

    private final ProposalFixture fixture = new ProposalFixture();

    private static ProposalNotice unreachable(String id, String... who) {
        return new ProposalNotice(new SystemMessage.Unreachable(id, List.of(who)), List.of("agent"));
    }

    private static ProposalNotice reachable(String id, String... who) {
        return new ProposalNotice(new SystemMessage.Reachable(id, List.of(who)), List.of("agent"));
    }

    @Test
    void whileSomebodyIsHereWhoCouldNothingIsSaid() {
        assertThat(accepted(fixture.propose("p", ProposalFixture.WRITE)).notices())
                .isEmpty();
        fixture.leave("alice");
        fixture.advanceTime(Duration.ofMinutes(1));
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
        assertThat(fixture.presenceDueAt("p")).isEmpty();
    }

    @Test
    void fromItsArrivalOnTheProposerIsToldThatNobodyIsHereAndWhoCouldBe() {
        fixture.here.removeAll(List.of("alice", "bob"));
        ProposalDeciderResult proposalDeciderResult = fixture.propose("p", ProposalFixture.WRITE);
        assertThat(ProposalFixture.types(proposalDeciderResult)).containsExactly("proposed", "unreachable");
        assertThat(accepted(proposalDeciderResult).notices()).containsExactly(unreachable("p", "alice", "bob"));
    }

    @Test
    void whoLeftAMomentBeforeItsArrivalHasTheirGraceToo() {
        fixture.leave("alice", "bob");
        fixture.advanceTime(Duration.ofSeconds(1));
        assertThat(accepted(fixture.propose("p", ProposalFixture.WRITE)).notices())
                .isEmpty();
        assertThat(fixture.presenceDueAt("p")).contains(ProposalFixture.START.plusSeconds(2));
    }

    @Test
    void theLastOnesLeavingIsSaidAfterTwoSecondsAndOnce() {
        fixture.propose("p", ProposalFixture.WRITE);
        fixture.leave("alice");
        fixture.advanceTime(Duration.ofSeconds(5));
        fixture.leave("bob");
        Instant due = fixture.now.plusSeconds(2);
        assertThat(fixture.presenceDueAt("p")).contains(due);
        fixture.now = due.minusNanos(1);
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
        fixture.now = due;
        assertThat(accepted(fixture.applyPresence("p")).notices()).containsExactly(unreachable("p", "alice", "bob"));
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
        assertThat(fixture.presenceDueAt("p")).isEmpty();
        assertThat(fixture.proposal("p").unreachable()).isTrue();
    }

    @Test
    void aReconnectWithinTheGraceIsNeverHeardOf() {
        fixture.propose("p", ProposalFixture.WRITE);
        fixture.leave("alice", "bob");
        fixture.advanceTime(Duration.ofMillis(1999));
        fixture.join("bob");
        fixture.advanceTime(Duration.ofSeconds(1));
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
    }

    @Test
    void whenOneComesTheProposerIsTold() {
        fixture.here.removeAll(List.of("alice", "bob"));
        fixture.propose("p", ProposalFixture.WRITE);
        fixture.join("carol", "dan");
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
        fixture.join("bob");
        assertThat(accepted(fixture.applyPresence("p")).notices()).containsExactly(reachable("p", "bob"));
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
    }

    @Test
    void whereItHasTargetsOneOfThemMustBeConnected() {
        fixture.here.remove("carol");
        assertThat(accepted(fixture.propose("p", ProposalFixture.WRITE, "carol", "files"))
                        .notices())
                .containsExactly(unreachable("p", "carol"));
        fixture.join("carol");
        assertThat(accepted(fixture.applyPresence("p")).notices()).containsExactly(reachable("p", "alice", "bob"));
    }

    @Test
    void aTargetThatMayOnlyRejectIsNotEnough() {
        fixture.here.removeAll(List.of("alice", "bob"));
        assertThat(accepted(fixture.propose("p", ProposalFixture.WRITE, "carol"))
                        .notices())
                .containsExactly(unreachable("p", "alice", "bob"));
    }

    @Test
    void whereNobodyMayDoItAtAllThatIsSaidToo() {
        fixture.decider = new ProposalDecider(
                ProposalFixture.RULES,
                new CapabilitiesByMember(Map.of("agent", ProposalFixture.capabilities("['mcp.proposal.*']"))));
        assertThat(accepted(fixture.propose("p", ProposalFixture.WRITE)).notices())
                .containsExactly(unreachable("p"));
    }

    @Test
    void anEndedProposalIsNeitherReachableNorUnreachable() {
        fixture.propose("p", ProposalFixture.WRITE);
        fixture.withdraw("agent", "p");
        fixture.here.removeAll(List.of("alice", "bob"));
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
        assertThat(fixture.presenceDueAt("p")).isEmpty();
    }

    @Test
    void fromItsExpiryOnNobodyIsToldOfComingsAndGoings() {
        fixture.propose("p", ProposalFixture.WRITE);
        fixture.here.removeAll(List.of("alice", "bob"));
        fixture.now = fixture.proposal("p").expiresAt();
        assertThat(fixture.applyPresence("p")).isEqualTo(UNCHANGED);
    }
}
