package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.SystemMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProposalReachabilityTest {
    private final ProposalFixture fixture = new ProposalFixture();

    private ProposalReachability reachability(String id) {
        return new ProposalReachability(fixture.eligibleReviewers(id), fixture.presence());
    }

    private void assertReachable(String id, String... present) {
        assertThat(reachability(id).unreachableFrom()).isEmpty();
        assertThat(reachability(id).toNotice(id)).isEqualTo(new SystemMessage.Reachable(id, List.of(present)));
    }

    private void assertUnreachable(String id, String... missing) {
        assertThat(reachability(id).unreachableFrom()).isPresent();
        assertThat(reachability(id).toNotice(id)).isEqualTo(new SystemMessage.Unreachable(id, List.of(missing)));
    }

    @Test
    void aProposalIsReachableWhileOneReviewerIsPresent() {
        fixture.propose("p", ProposalFixture.WRITE);
        assertReachable("p", "alice", "bob");
        fixture.leave("alice");
        assertReachable("p", "bob");
    }

    @Test
    void noEventIsRecordedWhateverThePresence() {
        fixture.here.removeAll(List.of("alice", "bob"));
        assertThat(ProposalFixture.types(fixture.propose("p", ProposalFixture.WRITE)))
                .containsExactly("proposed");
        assertThat(fixture.applyAbsence("p")).isEqualTo(new ProposalDeciderResult.Unchanged());
    }

    @Test
    void anAbsenceCountsWhenTheGraceOfTheLastReviewerIsOver() {
        fixture.propose("p", ProposalFixture.WRITE);
        fixture.leave("alice");
        fixture.advanceTime(Duration.ofSeconds(5));
        fixture.leave("bob");
        Instant due = fixture.now.plus(ProposalSettings.ABSENCE_GRACE);
        assertThat(reachability("p").unreachableFrom()).contains(due);
        assertUnreachable("p", "alice", "bob");
        fixture.join("bob");
        assertReachable("p", "bob");
    }

    @Test
    void ifItHasTargetsOneOfThemMustBePresent() {
        fixture.here.remove("carol");
        fixture.propose("p", ProposalFixture.WRITE, "carol", "files");
        assertUnreachable("p", "carol");
        fixture.join("carol");
        assertReachable("p", "alice", "bob");
    }

    @Test
    void aTargetThatMayOnlyRejectIsNotEnough() {
        fixture.here.removeAll(List.of("alice", "bob"));
        fixture.propose("p", ProposalFixture.WRITE, "carol");
        assertUnreachable("p", "alice", "bob");
    }

    @Test
    void aProposalThatNoMemberMayApproveIsUnreachable() {
        fixture.decider = new ProposalDecider(
                ProposalFixture.RULES,
                new CapabilitiesByMember(Map.of("agent", ProposalFixture.capabilities("['mcp.proposal.*']"))));
        fixture.propose("p", ProposalFixture.WRITE);
        assertUnreachable("p");
    }
}
