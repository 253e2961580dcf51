package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.Room.declined;
import static dev.gavel.gateway.proposal.Room.route;
import static dev.gavel.gateway.proposal.Room.taken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FulfilTest {
    private final Room room = new Room();
    private final Proposal proposal = room.proposed();
    private final String id = proposal.id();

    private void refused(Ruling ruling, ErrorCode code, ProposalState state) {
        Fault fault = declined(ruling);
        assertThat(fault.refusal().code()).isEqualTo(code);
        assertThat(fault.failure().proposal()).isEqualTo(id);
        assertThat(fault.failure().state()).isEqualTo(state.word());
        assertThat(room.proposal(id).stateAt(room.now)).isEqualTo(state);
    }

    @Test
    void theFirstRequestThatNamesItFulfilsItAndItsOutcomeIsPending() {
        Ruling ruling = room.fulfil("alice", id, "files");
        assertThat(Room.types(ruling)).containsExactly("fulfilled");
        assertThat(room.proposal(id).state()).isEqualTo(ProposalState.FULFILLED);
        assertThat(room.proposal(id).outcome()).contains(Outcome.PENDING);
    }

    @Test
    void aFulfilmentGoesToWhomItIsAddressedAndToTheProposer() {
        Route route = route(room.fulfil("alice", id, "files"));
        assertThat(route.sent().to()).containsExactly("files");
        assertThat(route.also()).containsExactly("agent");
        assertThat(route.about()).containsExactly(id);
        assertThat(route.concerns("agent")).isTrue();
        assertThat(route.concerns("files")).isTrue();
        assertThat(route.concerns("bob")).isFalse();
    }

    @Test
    void aSecondFulfilmentIsAlreadyFulfilled() {
        room.fulfil("alice", id, "files");
        refused(room.fulfil("bob", id, "files"), ErrorCode.ALREADY_FULFILLED, ProposalState.FULFILLED);
        refused(room.fulfil("alice", id, "files"), ErrorCode.ALREADY_FULFILLED, ProposalState.FULFILLED);
        room.answer("files", id, "{'result':{}}");
        refused(room.fulfil("bob", id, "files"), ErrorCode.ALREADY_FULFILLED, ProposalState.FULFILLED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            mcp.request.tools/call                  | {'method':'tools/call','params':{'name':'read_file'}}
            mcp.request.tools/call:read_file        | {'method':'tools/call','params':{'name':'read_file'}}
            mcp.request.tools/call                  | {'method':'tools/call'}
            mcp.request.tools/list                  | {'method':'tools/list'}
            mcp.request.prompts/get:write_file      | {'method':'prompts/get','params':{'name':'write_file'}}
            """)
    void anotherMethodOrContextIsAMismatch(String kind, String payload) {
        refused(room.request("alice", id, kind, payload, "files"), ErrorCode.FULFILMENT_MISMATCH, ProposalState.OPEN);
    }

    @Test
    void aContextThatOnlyOneOfThemSpellsOutIsTheSame() {
        taken(room.request("alice", id, "mcp.request.tools/call:write_file", Room.WRITE, "files"));
    }

    @Test
    void argumentsMayDifferAndBothAreKept() {
        room.request("alice", id, "mcp.request.tools/call", Room.WRITE_TMP, "files");
        Fulfilment call = room.proposal(id).fulfilment();
        assertThat(call).isNotNull();
        assertThat(call.request().edited()).isTrue();
        assertThat(call.request().payload().toString()).contains("/tmp/x");
        assertThat(room.proposal(id).payload().toString()).contains("/etc/x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'name':'write_file','arguments':{'path':'/etc/x'}}                                | false
            { 'arguments' : { 'path' : '/etc\\u002fx' } , 'name':'write_file' }                | false
            {'name':'write_file','arguments':{'path':'/etc/x'},'_meta':{'progressToken':1}}    | false
            {'name':'write_file','arguments':{'path':'/etc/y'}}                                | true
            {'name':'write_file','arguments':{'path':'/etc/x','mode':null}}                    | true
            {'name':'write_file','arguments':{'path':['/etc/x']}}                              | true
            {'name':'write_file'}                                                              | true
            """)
    void argumentsAreEditedWhereAProgramWouldReadSomethingElse(String params, boolean edited) {
        room.request("alice", id, "mcp.request.tools/call", "{'method':'tools/call','params':" + params + "}", "files");
        Fulfilment call = room.proposal(id).fulfilment();
        assertThat(call).isNotNull();
        assertThat(call.request().edited()).isEqualTo(edited);
    }

    @Test
    void toNobodyItIsRefusedAndTheProposalStaysOpen() {
        refused(room.fulfil("alice", id), ErrorCode.UNKNOWN_RECIPIENT, ProposalState.OPEN);
    }

    @Test
    void toAbsentOnesAloneItIsRefusedAndTheProposalStaysOpen() {
        room.leave("files");
        refused(room.fulfil("alice", id, "files"), ErrorCode.UNKNOWN_RECIPIENT, ProposalState.OPEN);
        taken(room.fulfil("alice", id, "files", "bob"));
    }

    @Test
    void theProposersOwnIsRefusedUnlessTheTopicAllowsIt() {
        refused(room.fulfil("agent", id, "files"), ErrorCode.OWN_PROPOSAL, ProposalState.OPEN);
        room.life = new ProposalLife(
                new ProposalRules(
                        Room.RULES.ttl(),
                        Room.RULES.longestTtl(),
                        Room.RULES.answer(),
                        ProposalRules.Rejection.VETO,
                        true),
                Room.MEMBERS);
        taken(room.fulfil("agent", id, "files"));
    }

    @Test
    void aCorrelationIdThatNamesNoProposalIsUnknown() {
        Fault fault = declined(room.life.fulfil(
                room.arrival("r", "alice", "mcp.request.tools/call", Room.WRITE, "['files']", "'nowhere'"),
                Optional.empty(),
                room.presence()));
        assertThat(fault.refusal().code()).isEqualTo(ErrorCode.UNKNOWN_PROPOSAL);
        assertThat(fault.failure().proposal()).isEqualTo("nowhere");
        assertThat(fault.failure().state()).isNull();
    }

    @Test
    void afterAnyOtherEndItIsClosed() {
        room.withdraw("agent", id);
        refused(room.fulfil("alice", id, "files"), ErrorCode.PROPOSAL_CLOSED, ProposalState.WITHDRAWN);
    }

    @Test
    void atTheVeryMomentOfExpiryItIsTooLateAlsoBeforeThatIsRecorded() {
        room.now = proposal.expiresAt();
        refused(room.fulfil("alice", id, "files"), ErrorCode.PROPOSAL_CLOSED, ProposalState.EXPIRED);
        room.now = proposal.expiresAt().minusNanos(1);
        taken(room.fulfil("alice", id, "files"));
    }

    @Test
    void aFulfilledProposalDoesNotExpire() {
        room.fulfil("alice", id, "files");
        room.answer("files", id, "{'result':{}}");
        room.pass(Duration.ofDays(1));
        assertThat(room.carryOut(id)).isEqualTo(new Ruling.Unchanged());
        assertThat(room.proposal(id).dueAt()).isEmpty();
    }

    @Test
    void anErrorSaysWhatToDo() {
        room.leave("files");
        assertThat(declined(room.fulfil("alice", id, "files")).refusal().message())
                .contains("files", "Try again", "stays open");
        assertThat(declined(room.fulfil("alice", id)).refusal().message()).contains("'to'");
        assertThat(declined(room.request("alice", id, "mcp.request.tools/list", "{'method':'tools/list'}", "bob"))
                        .refusal()
                        .message())
                .contains("mcp.request.tools/call:write_file");
    }
}
