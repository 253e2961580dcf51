package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.Room.declined;
import static dev.gavel.gateway.proposal.Room.route;
import static dev.gavel.gateway.proposal.Room.taken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.SystemMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RejectTest {
    private final Room room = new Room();

    private static Room all() {
        return new Room(new ProposalRules(
                Room.RULES.ttl(), Room.RULES.longestTtl(), Room.RULES.answer(), ProposalRules.Rejection.ALL, false));
    }

    private static ProposalState state(Room room, Proposal proposal) {
        return room.proposal(proposal.id()).state();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy",
                "unsafe",
                "disagree",
                "inappropriate",
                "duplicate",
                "invalid",
                "unspecified",
                "I do not like it",
                "Busy"
            })
    void aVetoOfOneWhoCouldFulfilItClosesIt(String reason) {
        Proposal proposal = room.proposed();
        assertThat(Room.types(room.reject("bob", reason, proposal.id())))
                .containsExactly("rejected", "closed_by_rejections");
        assertThat(state(room, proposal)).isEqualTo(ProposalState.REJECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy", "incapable", "resource_limit"})
    void anAbstentionSpeaksForItsSenderAlone(String reason) {
        Proposal proposal = room.proposed();
        assertThat(Room.types(room.reject("bob", reason, proposal.id()))).containsExactly("rejected");
        assertThat(state(room, proposal)).isEqualTo(ProposalState.OPEN);
    }

    @Test
    void noReasonIsUnspecifiedAndAVeto() {
        Proposal proposal = room.proposed();
        room.remark("alice", "reject", "{'note':'hm'}", proposal.id());
        assertThat(room.proposal(proposal.id()).rejections())
                .containsExactly(new SystemMessage.Rejection("alice", "unspecified", "hm"));
        assertThat(state(room, proposal)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void aVetoOfATargetClosesItAlsoWhereTheTargetCouldNotFulfilIt() {
        Proposal proposal = room.proposed("carol", "files");
        assertThat(room.circle(proposal.id()).targets()).containsExactly("carol");
        room.reject("carol", "policy", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void othersRejectionsAreRecordedAndCloseNothing() {
        Proposal proposal = room.proposed();
        Ruling ruling = room.reject("carol", "policy", proposal.id());
        assertThat(Room.types(ruling)).containsExactly("rejected");
        assertThat(route(ruling).concerns("agent")).isTrue();
        assertThat(state(room, proposal)).isEqualTo(ProposalState.OPEN);
        assertThat(room.proposal(proposal.id()).rejections()).hasSize(1);
    }

    @Test
    void everyRejectionReachesTheProposer() {
        Proposal proposal = room.proposed();
        Ruling ruling = room.done(room.life.remark(
                room.arrival("r", "bob", "mcpx.reject.proposal", "{}", "['alice']", "'" + proposal.id() + "'"),
                id -> Optional.of(proposal)));
        assertThat(route(ruling).also()).containsExactly("agent");
        assertThat(route(ruling).concerns("carol")).isFalse();
    }

    @Test
    void everyTargetHavingRejectedClosesItWhateverTheReasons() {
        Proposal proposal = room.proposed("alice", "bob");
        room.reject("alice", "busy", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.OPEN);
        room.reject("alice", "incapable", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.OPEN);
        room.reject("bob", "resource_limit", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void whereItHasTargetsTheRestOfThoseWhoCouldAreNotWaitedFor() {
        Proposal proposal = room.proposed("bob");
        room.reject("bob", "busy", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void aNameInToThatMayNeitherFulfilNorRejectOnlySaysWhere() {
        Proposal proposal = room.proposed("files");
        assertThat(room.circle(proposal.id()).targets()).isEmpty();
        room.reject("alice", "busy", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.OPEN);
        room.reject("bob", "busy", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void whoCouldFulfilItDependsOnThePayloadAsProposedAndIsNeverTheProposer() {
        assertThat(room.circle(room.proposed().id()).couldFulfil()).containsExactly("alice", "bob");
        room.propose("tmp", Room.WRITE_TMP, "agent", "dan");
        assertThat(room.circle("tmp").couldFulfil()).containsExactly("alice", "bob", "dan");
        assertThat(room.circle("tmp").targets()).containsExactly("dan");
    }

    @Test
    void theProposersOwnRejectionClosesNothing() {
        Proposal proposal = room.proposed("agent");
        room.reject("agent", "policy", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.OPEN);
    }

    @Test
    void whereNobodyCouldAnOutsidersRejectionClosesNothing() {
        room.life = new ProposalLife(
                Room.RULES,
                new Members(Map.of(
                        "agent", Room.can("['mcp.proposal.*']"), "carol", Room.can("['mcpx.reject.proposal']"))));
        Proposal proposal = room.proposed();
        room.reject("carol", "busy", proposal.id());
        assertThat(state(room, proposal)).isEqualTo(ProposalState.OPEN);
    }

    @ParameterizedTest
    @CsvSource({"policy,policy", "policy,busy", "busy,unsafe"})
    void withRejectionAllOnlyEverybodysClosesIt(String first, String second) {
        Room patient = all();
        Proposal proposal = patient.proposed();
        patient.reject("alice", first, proposal.id());
        patient.reject("carol", "policy", proposal.id());
        assertThat(state(patient, proposal)).isEqualTo(ProposalState.OPEN);
        patient.reject("bob", second, proposal.id());
        assertThat(state(patient, proposal)).isEqualTo(ProposalState.REJECTED);
    }

    @Test
    void closedByRejectionsEverybodyIsToldEveryReason() {
        Proposal proposal = room.proposed();
        room.reject("carol", "disagree", proposal.id());
        room.reject("bob", "busy", proposal.id());
        assertThat(taken(room.reject("alice", "policy", proposal.id())).notices())
                .containsExactly(new Told(
                        new SystemMessage.Rejected(
                                proposal.id(),
                                List.of(
                                        new SystemMessage.Rejection("carol", "disagree", null),
                                        new SystemMessage.Rejection("bob", "busy", null),
                                        new SystemMessage.Rejection("alice", "policy", null))),
                        List.of()));
    }

    @Test
    void rejectingGivesNobodyARightAndTakesNoneAway() {
        Proposal proposal = room.proposed();
        room.reject("bob", "busy", proposal.id());
        taken(room.fulfil("bob", proposal.id(), "files"));
        assertThat(declined(room.reject("alice", "policy", proposal.id()))
                        .refusal()
                        .code())
                .isEqualTo(ErrorCode.PROPOSAL_CLOSED);
    }

    @Test
    void nobodyRejectsOrReportsWithoutEnd() {
        Proposal proposal = room.proposed();
        for (int i = 0; i < 10; i++) {
            taken(room.reject("carol", "busy", proposal.id()));
        }
        assertThat(declined(room.reject("carol", "busy", proposal.id()))
                        .refusal()
                        .code())
                .isEqualTo(ErrorCode.RATE_LIMITED);
        taken(room.remark("carol", "status", "{'status':'queued'}", proposal.id()));
        taken(room.reject("alice", "busy", proposal.id()));
    }

    @Test
    void manyWordsAboutManyProposalsAreTooLarge() {
        String[] ids = new String[100];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = room.proposed().id();
        }
        assertThat(declined(room.reject("bob", "x".repeat(3000), ids)).refusal().code())
                .isEqualTo(ErrorCode.TOO_LARGE);
        taken(room.reject("bob", "x".repeat(2000), ids));
    }
}
