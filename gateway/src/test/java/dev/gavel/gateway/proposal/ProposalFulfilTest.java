package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.accepted;
import static dev.gavel.gateway.proposal.ProposalFixture.declined;
import static dev.gavel.gateway.proposal.ProposalFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions on requests that fulfil a proposal. */
class ProposalFulfilTest {
    private static final String FORGED = "{'method':'tools/call','params':{'name':'write_file','arguments':{'path':"
            + "{'dev\\u002egavel/redacted':'secret','mode':'evil'}}}}";

    private final ProposalFixture fixture = new ProposalFixture();
    private final ProposalSnapshot proposalSnapshot = fixture.openProposal();
    private final String id = proposalSnapshot.id();

    private void refused(ProposalDeciderResult proposalDeciderResult, EnvelopeErrorCode code, ProposalState state) {
        ProposalRefusal proposalRefusal = declined(proposalDeciderResult);
        assertThat(proposalRefusal.refusal().code()).isEqualTo(code);
        assertThat(proposalRefusal.toFailure().proposal()).isEqualTo(id);
        assertThat(proposalRefusal.toFailure().state()).isEqualTo(state.label());
        assertThat(fixture.proposal(id).stateAt(fixture.now)).isEqualTo(state);
    }

    @Test
    void theFirstRequestThatNamesItFulfilsItAndItsOutcomeIsPending() {
        ProposalDeciderResult proposalDeciderResult = fixture.fulfil("alice", id, "files");
        assertThat(ProposalFixture.types(proposalDeciderResult)).containsExactly("fulfilled");
        assertThat(fixture.proposal(id).state()).isEqualTo(ProposalState.FULFILLED);
        assertThat(fixture.proposal(id).outcome()).contains(FulfilmentOutcome.PENDING);
    }

    @Test
    void aFulfilmentGoesToWhomItIsAddressedAndToTheProposer() {
        RoutedEnvelope routedEnvelope = route(fixture.fulfil("alice", id, "files"));
        assertThat(routedEnvelope.storedEnvelope().to()).containsExactly("files");
        assertThat(routedEnvelope.additionalRecipients()).containsExactly("agent");
        assertThat(routedEnvelope.proposalIds()).containsExactly(id);
        assertThat(routedEnvelope.concerns("agent")).isTrue();
        assertThat(routedEnvelope.concerns("files")).isTrue();
        assertThat(routedEnvelope.concerns("bob")).isFalse();
    }

    @Test
    void aProposalWithAForgedMarkerIsRefused() {
        assertThat(declined(fixture.propose("forged", FORGED)).refusal().code()).isEqualTo(EnvelopeErrorCode.MALFORMED);
    }

    /** Earlier versions accepted such a proposal. */
    @Test
    void aStoredProposalWithAForgedMarkerCannotBeApproved() {
        ProposalEvent.Proposed proposed = new ProposalEvent.Proposed(
                StoredEnvelope.of(fixture.admitted("forged", "agent", "mcp.proposal.tools/call", FORGED, "", "")),
                fixture.now.plusSeconds(60));
        fixture.proposalSnapshots.put("forged", ProposalSnapshot.create(proposed, fixture.now));
        ProposalRefusal refusal =
                declined(fixture.request("alice", "forged", "mcp.request.tools/call", FORGED, "files"));
        assertThat(refusal.refusal().code()).isEqualTo(EnvelopeErrorCode.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProposerDoesNotLearnFromARefusalWhoApproved(boolean selfApproval) {
        ProposalFixture blind = new ProposalFixture(new ProposalSettings(
                Duration.ofMinutes(15),
                Duration.ofHours(1),
                Duration.ofMinutes(10),
                ProposalSettings.RejectionPolicy.VETO,
                selfApproval,
                ProposalVisibility.MEMBERS,
                false,
                SecretArgumentPatterns.NONE));
        String proposal = blind.openProposal().id();
        blind.fulfil("alice", proposal, "files");
        ProposalRefusal refusal = declined(blind.fulfil("agent", proposal, "files"));
        assertThat(refusal.refusal().code()).isEqualTo(EnvelopeErrorCode.ALREADY_FULFILLED);
        assertThat(refusal.refusal().message()).doesNotContain("alice");
        assertThat(declined(blind.fulfil("bob", proposal, "files")).refusal().message())
                .contains("already approved by alice");
    }

    @Test
    void aSecondFulfilmentIsAlreadyFulfilled() {
        fixture.fulfil("alice", id, "files");
        refused(fixture.fulfil("bob", id, "files"), EnvelopeErrorCode.ALREADY_FULFILLED, ProposalState.FULFILLED);
        refused(fixture.fulfil("alice", id, "files"), EnvelopeErrorCode.ALREADY_FULFILLED, ProposalState.FULFILLED);
        fixture.answer("files", id, "{'result':{}}");
        refused(fixture.fulfil("bob", id, "files"), EnvelopeErrorCode.ALREADY_FULFILLED, ProposalState.FULFILLED);
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
        refused(
                fixture.request("alice", id, kind, payload, "files"),
                EnvelopeErrorCode.FULFILMENT_MISMATCH,
                ProposalState.OPEN);
    }

    @Test
    void aContextThatOnlyOneOfThemSpellsOutIsTheSame() {
        accepted(fixture.request("alice", id, "mcp.request.tools/call:write_file", ProposalFixture.WRITE, "files"));
    }

    @Test
    void aToolIsReportedAsGoneOnlyIfTheListOfItsServerIsLoaded() {
        ToolDefinition writeFile = ToolDefinition.of(
                "files", "write_file", Json.parse("{\"name\":\"write_file\"}").orElseThrow());
        fixture.tools = ProposalFixture.tools(true, writeFile);
        String pinned = fixture.openProposal().id();

        fixture.tools = ProposalFixture.tools(false);
        assertThat(declined(fixture.fulfil("alice", pinned, "files")).refusal().code())
                .isEqualTo(EnvelopeErrorCode.UNAVAILABLE);
        fixture.tools = ProposalFixture.tools(true);
        assertThat(declined(fixture.fulfil("alice", pinned, "files")).refusal().code())
                .isEqualTo(EnvelopeErrorCode.DEFINITION_CHANGED);
        fixture.tools = ProposalFixture.tools(true, writeFile);
        accepted(fixture.fulfil("alice", pinned, "files"));
    }

    @Test
    void argumentsMayDifferAndBothAreKept() {
        fixture.request("alice", id, "mcp.request.tools/call", ProposalFixture.WRITE_TMP, "files");
        Fulfilment call = fixture.proposal(id).fulfilment();
        assertThat(call).isNotNull();
        assertThat(call.fulfilled().edited()).isTrue();
        assertThat(call.fulfilled().payload().toString()).contains("/tmp/x");
        assertThat(fixture.proposal(id).payload().toString()).contains("/etc/x");
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
        fixture.request(
                "alice", id, "mcp.request.tools/call", "{'method':'tools/call','params':" + params + "}", "files");
        Fulfilment call = fixture.proposal(id).fulfilment();
        assertThat(call).isNotNull();
        assertThat(call.fulfilled().edited()).isEqualTo(edited);
    }

    @Test
    void toNobodyItIsRefusedAndTheProposalStaysOpen() {
        refused(fixture.fulfil("alice", id), EnvelopeErrorCode.UNKNOWN_RECIPIENT, ProposalState.OPEN);
    }

    @Test
    void toAbsentOnesAloneItIsRefusedAndTheProposalStaysOpen() {
        fixture.leave("files");
        refused(fixture.fulfil("alice", id, "files"), EnvelopeErrorCode.UNKNOWN_RECIPIENT, ProposalState.OPEN);
        fixture.join("files");
        accepted(fixture.fulfil("alice", id, "files"));
    }

    @Test
    void toSeveralMembersItIsRefusedBecauseTheCallCouldRunMoreThanOnce() {
        refused(fixture.fulfil("alice", id, "files", "bob"), EnvelopeErrorCode.MALFORMED, ProposalState.OPEN);
        fixture.leave("bob");
        refused(fixture.fulfil("alice", id, "files", "bob"), EnvelopeErrorCode.MALFORMED, ProposalState.OPEN);
        accepted(fixture.fulfil("alice", id, "files", "files"));
    }

    @Test
    void aDefinitionThatWasNotKnownAtTheProposalMustBeNamed() {
        ToolDefinition listedLater = ToolDefinition.of(
                "files",
                "write_file",
                Json.parse("{\"name\":\"write_file\",\"description\":\"Shows the weather.\"}")
                        .orElseThrow());
        fixture.tools = ProposalFixture.tools(true, listedLater);
        ProposalRefusal refusal = declined(fixture.fulfil("alice", id, "files"));
        assertThat(refusal.refusal().code()).isEqualTo(EnvelopeErrorCode.DEFINITION_CHANGED);
        assertThat(refusal.refusal().message())
                .contains("did not know the definition of write_file on files", listedLater.digest());
        // Without any definition, the reviewer approves a call of an unknown tool, and of no other one.
        fixture.tools = ProposalFixture.tools(true);
        accepted(fixture.fulfil("alice", id, "files"));
        Fulfilment call = fixture.proposal(id).fulfilment();
        assertThat(call).isNotNull();
        assertThat(call.fulfilled().storedEnvelope().envelope().definitionDigests())
                .containsExactly(ToolDefinition.UNLISTED);
    }

    @Test
    void aMemberWhoseDirectCallsAreStoppedCannotApproveTheChangedDefinition() {
        ToolDefinition writeFile = ToolDefinition.of(
                "files", "write_file", Json.parse("{\"name\":\"write_file\"}").orElseThrow());
        fixture.tools = ProposalFixture.tools(true, writeFile);
        String pinned = fixture.openProposal().id();
        fixture.tools =
                ProposalFixture.tools(true, writeFile).withPinCheck((participant, tool) -> participant.equals("files"));
        ProposalRefusal refusal = declined(fixture.fulfil("alice", pinned, "files"));
        assertThat(refusal.refusal().code()).isEqualTo(EnvelopeErrorCode.CAPABILITY_VIOLATION);
        assertThat(refusal.refusal().message()).contains("gavel.approve.definition");
        fixture.tools = ProposalFixture.tools(true, writeFile);
        accepted(fixture.fulfil("alice", pinned, "files"));
    }

    @Test
    void theProposersOwnIsRefusedUnlessTheTopicAllowsIt() {
        refused(fixture.fulfil("agent", id, "files"), EnvelopeErrorCode.OWN_PROPOSAL, ProposalState.OPEN);
        fixture.decider = new ProposalDecider(
                new ProposalSettings(
                        ProposalFixture.RULES.ttl(),
                        ProposalFixture.RULES.maxTtl(),
                        ProposalFixture.RULES.answerTimeout(),
                        ProposalSettings.RejectionPolicy.VETO,
                        true),
                ProposalFixture.MEMBERS);
        accepted(fixture.fulfil("agent", id, "files"));
    }

    @Test
    void aCorrelationIdThatNamesNoProposalIsUnknown() {
        ProposalRefusal proposalRefusal = declined(fixture.decider.decideFulfilment(
                fixture.admitted(
                        "r", "alice", "mcp.request.tools/call", ProposalFixture.WRITE, "['files']", "'nowhere'"),
                Optional.empty(),
                fixture.presence(),
                fixture.tools,
                Optional.empty()));
        assertThat(proposalRefusal.refusal().code()).isEqualTo(EnvelopeErrorCode.UNKNOWN_PROPOSAL);
        assertThat(proposalRefusal.toFailure().proposal()).isEqualTo("nowhere");
        assertThat(proposalRefusal.toFailure().state()).isNull();
    }

    @Test
    void afterAnyOtherEndItIsClosed() {
        fixture.withdraw("agent", id);
        refused(fixture.fulfil("alice", id, "files"), EnvelopeErrorCode.PROPOSAL_CLOSED, ProposalState.WITHDRAWN);
    }

    @Test
    void atTheVeryMomentOfExpiryItIsTooLateAlsoBeforeThatIsRecorded() {
        fixture.now = proposalSnapshot.expiresAt();
        refused(fixture.fulfil("alice", id, "files"), EnvelopeErrorCode.PROPOSAL_CLOSED, ProposalState.EXPIRED);
        fixture.now = proposalSnapshot.expiresAt().minusNanos(1);
        accepted(fixture.fulfil("alice", id, "files"));
    }

    @Test
    void aFulfilledProposalDoesNotExpire() {
        fixture.fulfil("alice", id, "files");
        fixture.answer("files", id, "{'result':{}}");
        fixture.advanceTime(Duration.ofDays(1));
        assertThat(fixture.expireDue(id)).isEqualTo(new ProposalDeciderResult.Unchanged());
        assertThat(fixture.proposal(id).dueAt()).isEmpty();
    }

    @Test
    void anErrorSaysWhatToDo() {
        fixture.leave("files");
        assertThat(declined(fixture.fulfil("alice", id, "files")).refusal().message())
                .contains("files", "try again", "stays open");
        assertThat(declined(fixture.fulfil("alice", id)).refusal().message()).contains("'to'");
        assertThat(declined(fixture.request("alice", id, "mcp.request.tools/list", "{'method':'tools/list'}", "bob"))
                        .refusal()
                        .message())
                .contains("mcp.request.tools/call:write_file");
    }
}
