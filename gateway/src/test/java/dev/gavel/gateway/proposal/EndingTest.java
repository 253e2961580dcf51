package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.Room.declined;
import static dev.gavel.gateway.proposal.Room.route;
import static dev.gavel.gateway.proposal.Room.taken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.SystemMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Withdrawing, reporting, expiring, and what is left to do after an end. */
class EndingTest {
    private final Room room = new Room();

    @Test
    void theProposerWithdrawsItAndNobodyConfirmsIt() {
        Proposal proposal = room.proposed();
        Ruling ruling = room.remark("agent", "withdraw", "{'reason':'No longer needed'}", proposal.id());
        assertThat(Room.types(ruling)).containsExactly("withdrawn");
        assertThat(taken(ruling).notices()).isEmpty();
        assertThat(room.proposal(proposal.id()).state()).isEqualTo(ProposalState.WITHDRAWN);
    }

    @Test
    void anybodyElsesWithdrawalIsNotProposer() {
        Proposal proposal = room.proposed("alice");
        Fault fault = declined(room.withdraw("alice", proposal.id()));
        assertThat(fault.refusal().code()).isEqualTo(ErrorCode.NOT_PROPOSER);
        assertThat(fault.failure().state()).isEqualTo("open");
        assertThat(fault.refusal().message()).contains("agent", "mcpx.reject.proposal");
        assertThat(room.proposal(proposal.id()).open()).isTrue();
    }

    @Test
    void aStatusReachesTheProposerAndEndsNothing() {
        Proposal proposal = room.proposed();
        Ruling ruling = room.remark("bob", "status", "{'status':'queued','note':'after lunch'}", proposal.id());
        room.remark("bob", "status", "{'status':'considering'}", proposal.id());
        assertThat(route(ruling).also()).containsExactly("agent");
        Proposal after = room.proposal(proposal.id());
        assertThat(after.open()).isTrue();
        assertThat(after.statuses()).hasSize(1);
        assertThat(after.statuses().values().iterator().next().status()).isEqualTo("considering");
    }

    @ParameterizedTest
    @CsvSource({"'',900", "'60',60", "'0.5',0", "'3600',3600", "'3601',3600", "'1e300',3600"})
    void ttlCountsFromReceiptAndIsClamped(String ttl, long seconds) {
        String payload = "{'method':'tools/call'" + (ttl.isEmpty() ? "" : ",'ttl':" + ttl) + "}";
        room.propose("p", payload);
        Duration stands = Duration.between(room.now, room.proposal("p").expiresAt());
        assertThat(stands.toSeconds()).isEqualTo(seconds);
        assertThat(stands).isPositive();
        assertThat(room.proposal("p").dueAt()).contains(room.proposal("p").expiresAt());
    }

    @Test
    void aDefaultAboveTheMaximumIsClampedToo() {
        ProposalRules rules = new ProposalRules(
                Duration.ofHours(2), Duration.ofHours(1), Duration.ofMinutes(1), ProposalRules.Rejection.VETO, false);
        assertThat(rules.expiry(null, Room.START)).isEqualTo(Room.START.plus(Duration.ofHours(1)));
    }

    @Test
    void onExpiryEverybodyIsTold() {
        Proposal proposal = room.proposed();
        room.now = proposal.expiresAt().minusNanos(1);
        assertThat(room.carryOut(proposal.id())).isEqualTo(new Ruling.Unchanged());
        room.now = proposal.expiresAt();
        Ruling.Taken taken = taken(room.carryOut(proposal.id()));
        assertThat(Room.types(taken)).containsExactly("expired");
        assertThat(taken.notices()).containsExactly(new Told(new SystemMessage.Expired(proposal.id()), List.of()));
        assertThat(taken.route()).isEmpty();
        assertThat(room.carryOut(proposal.id())).isEqualTo(new Ruling.Unchanged());
    }

    private void end(String id, ProposalState end) {
        switch (end) {
            case OPEN -> throw new AssertionError("no end");
            case FULFILLED -> room.fulfil("alice", id, "files");
            case REJECTED -> room.reject("alice", "policy", id);
            case WITHDRAWN -> room.withdraw("agent", id);
            case EXPIRED -> {
                room.now = room.proposal(id).expiresAt();
                room.carryOut(id);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "OPEN", mode = EnumSource.Mode.EXCLUDE)
    void afterTheEndNothingCanBeDoneToItAndNothingIsRouted(ProposalState end) {
        String id = room.proposed().id();
        end(id, end);
        Proposal ended = room.proposal(id);
        String state = end.word();
        for (Ruling ruling : List.of(
                room.withdraw("agent", id),
                room.withdraw("alice", id),
                room.reject("bob", "policy", id),
                room.remark("bob", "status", "{'status':'unable'}", id))) {
            assertThat(declined(ruling).refusal().code()).isEqualTo(ErrorCode.PROPOSAL_CLOSED);
            assertThat(declined(ruling).failure().state()).isEqualTo(state);
        }
        Fault again = declined(room.fulfil("bob", id, "files"));
        assertThat(again.refusal().code())
                .isEqualTo(end == ProposalState.FULFILLED ? ErrorCode.ALREADY_FULFILLED : ErrorCode.PROPOSAL_CLOSED);
        assertThat(again.failure().state()).isEqualTo(state);
        assertThat(room.proposal(id)).isEqualTo(ended);
        assertThat(ended.summary().endedAt()).contains(room.now);
        assertThat(ended.summary().open()).isFalse();
    }

    @Test
    void fromTheMomentOfExpiryOnItIsClosedAlsoBeforeThatIsRecorded() {
        Proposal proposal = room.proposed();
        room.now = proposal.expiresAt();
        Fault fault = declined(room.withdraw("agent", proposal.id()));
        assertThat(fault.refusal().code()).isEqualTo(ErrorCode.PROPOSAL_CLOSED);
        assertThat(fault.failure().state()).isEqualTo("expired");
    }

    @Test
    void aSummaryFindsAnOpenProposal() {
        Proposal proposal = room.proposed();
        assertThat(proposal.summary())
                .isEqualTo(new ProposalSummary(
                        proposal.id(),
                        ProposalState.OPEN,
                        true,
                        "agent",
                        Optional.of(proposal.expiresAt()),
                        Room.START,
                        Optional.empty()));
    }
}
