package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.accepted;
import static dev.gavel.gateway.proposal.ProposalFixture.declined;
import static dev.gavel.gateway.proposal.ProposalFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.SystemMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Withdrawal, status, expiry, and what remains possible after a proposal has ended. */
class ProposalEndTest {
    private final ProposalFixture fixture = new ProposalFixture();

    @Test
    void theProposerWithdrawsItAndNobodyConfirmsIt() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        ProposalDeciderResult proposalDeciderResult =
                fixture.remark("agent", "withdraw", "{'reason':'No longer needed'}", proposalSnapshot.id());
        assertThat(ProposalFixture.types(proposalDeciderResult)).containsExactly("withdrawn");
        assertThat(accepted(proposalDeciderResult).notices()).isEmpty();
        assertThat(fixture.proposal(proposalSnapshot.id()).state()).isEqualTo(ProposalState.WITHDRAWN);
    }

    @Test
    void anybodyElsesWithdrawalIsNotProposer() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal("alice");
        ProposalRefusal proposalRefusal = declined(fixture.withdraw("alice", proposalSnapshot.id()));
        assertThat(proposalRefusal.refusal().code()).isEqualTo(EnvelopeErrorCode.NOT_PROPOSER);
        assertThat(proposalRefusal.toFailure().state()).isEqualTo("open");
        assertThat(proposalRefusal.refusal().message()).contains("agent", "mcpx.reject.proposal");
        assertThat(fixture.proposal(proposalSnapshot.id()).isOpen()).isTrue();
    }

    @Test
    void aStatusReachesTheProposerAndEndsNothing() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        ProposalDeciderResult proposalDeciderResult =
                fixture.remark("bob", "status", "{'status':'queued','note':'after lunch'}", proposalSnapshot.id());
        fixture.remark("bob", "status", "{'status':'considering'}", proposalSnapshot.id());
        assertThat(route(proposalDeciderResult).additionalRecipients()).containsExactly("agent");
        ProposalSnapshot after = fixture.proposal(proposalSnapshot.id());
        assertThat(after.isOpen()).isTrue();
        assertThat(after.statuses()).hasSize(1);
        assertThat(after.statuses().values().iterator().next().status()).isEqualTo("considering");
    }

    @ParameterizedTest
    @CsvSource({"'',900", "'60',60", "'0.5',0", "'3600',3600", "'3601',3600", "'1e300',3600"})
    void ttlCountsFromReceiptAndIsClamped(String ttl, long seconds) {
        String payload = "{'method':'tools/call'" + (ttl.isEmpty() ? "" : ",'ttl':" + ttl) + "}";
        fixture.propose("p", payload);
        Duration stands = Duration.between(fixture.now, fixture.proposal("p").expiresAt());
        assertThat(stands.toSeconds()).isEqualTo(seconds);
        assertThat(stands).isPositive();
        assertThat(fixture.proposal("p").dueAt()).contains(fixture.proposal("p").expiresAt());
    }

    @Test
    void aDefaultAboveTheMaximumIsClampedToo() {
        ProposalSettings rules = new ProposalSettings(
                Duration.ofHours(2),
                Duration.ofHours(1),
                Duration.ofMinutes(1),
                ProposalSettings.RejectionPolicy.VETO,
                false);
        assertThat(rules.expiry(null, ProposalFixture.START))
                .isEqualTo(ProposalFixture.START.plus(Duration.ofHours(1)));
    }

    @Test
    void onExpiryEverybodyIsTold() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        fixture.now = proposalSnapshot.expiresAt().minusNanos(1);
        assertThat(fixture.expireDue(proposalSnapshot.id())).isEqualTo(new ProposalDeciderResult.Unchanged());
        fixture.now = proposalSnapshot.expiresAt();
        ProposalDeciderResult.Accepted accepted = accepted(fixture.expireDue(proposalSnapshot.id()));
        assertThat(ProposalFixture.types(accepted)).containsExactly("expired");
        assertThat(accepted.notices())
                .containsExactly(new ProposalNotice(new SystemMessage.Expired(proposalSnapshot.id()), List.of()));
        assertThat(accepted.routedEnvelope()).isEmpty();
        assertThat(fixture.expireDue(proposalSnapshot.id())).isEqualTo(new ProposalDeciderResult.Unchanged());
    }

    private void end(String id, ProposalState end) {
        switch (end) {
            case OPEN -> throw new AssertionError("no end");
            case FULFILLED -> fixture.fulfil("alice", id, "files");
            case REJECTED -> fixture.reject("alice", "policy", id);
            case WITHDRAWN -> fixture.withdraw("agent", id);
            case EXPIRED -> {
                fixture.now = fixture.proposal(id).expiresAt();
                fixture.expireDue(id);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "OPEN", mode = EnumSource.Mode.EXCLUDE)
    void afterTheEndNothingCanBeDoneToItAndNothingIsRouted(ProposalState end) {
        String id = fixture.openProposal().id();
        end(id, end);
        ProposalSnapshot ended = fixture.proposal(id);
        String state = end.label();
        for (ProposalDeciderResult proposalDeciderResult : List.of(
                fixture.withdraw("agent", id),
                fixture.withdraw("alice", id),
                fixture.reject("bob", "policy", id),
                fixture.remark("bob", "status", "{'status':'unable'}", id))) {
            assertThat(declined(proposalDeciderResult).refusal().code()).isEqualTo(EnvelopeErrorCode.PROPOSAL_CLOSED);
            assertThat(declined(proposalDeciderResult).toFailure().state()).isEqualTo(state);
        }
        ProposalRefusal again = declined(fixture.fulfil("bob", id, "files"));
        assertThat(again.refusal().code())
                .isEqualTo(
                        end == ProposalState.FULFILLED
                                ? EnvelopeErrorCode.ALREADY_FULFILLED
                                : EnvelopeErrorCode.PROPOSAL_CLOSED);
        assertThat(again.toFailure().state()).isEqualTo(state);
        assertThat(fixture.proposal(id)).isEqualTo(ended);
        assertThat(ended.toIndexEntry().endedAt()).contains(fixture.now);
        assertThat(ended.toIndexEntry().open()).isFalse();
    }

    @Test
    void fromTheMomentOfExpiryOnItIsClosedAlsoBeforeThatIsRecorded() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        fixture.now = proposalSnapshot.expiresAt();
        ProposalRefusal proposalRefusal = declined(fixture.withdraw("agent", proposalSnapshot.id()));
        assertThat(proposalRefusal.refusal().code()).isEqualTo(EnvelopeErrorCode.PROPOSAL_CLOSED);
        assertThat(proposalRefusal.toFailure().state()).isEqualTo("expired");
    }

    @Test
    void aSummaryFindsAnOpenProposal() {
        ProposalSnapshot proposalSnapshot = fixture.openProposal();
        assertThat(proposalSnapshot.toIndexEntry())
                .isEqualTo(new ProposalIndexEntry(
                        proposalSnapshot.id(),
                        ProposalState.OPEN,
                        true,
                        "agent",
                        Optional.of(proposalSnapshot.expiresAt()),
                        ProposalFixture.START,
                        Optional.empty()));
    }
}
