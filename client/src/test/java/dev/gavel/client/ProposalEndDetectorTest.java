package dev.gavel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which views and envelopes count as the end of a proposal, and which do not. */
class ProposalEndDetectorTest {
    private final ProposalEndDetector proposalEndDetector =
            new ProposalEndDetector("p", "helper", Call.method("tools/list"));

    private Optional<End> look(String view) {
        return proposalEndDetector.applyView(Json.parse(view.replace('\'', '"')).orElseThrow());
    }

    private Optional<End> applyEnvelope(String from, String id, String kind, String about, String... to) {
        EnvelopeReader reader = new EnvelopeReader(EnvelopeLimits.DEFAULT);
        byte[] bytes = EnvelopeDraft.of(id, Kind.of(kind))
                .withSender(from, Instant.EPOCH)
                .withRecipients(List.of(to))
                .withCorrelationIds(List.of(about))
                .encode(EnvelopeSyntax.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeNumberProperty("id", 1);
                    if (kind.startsWith("mcp.response")) {
                        json.writeObjectPropertyStart("result").writeEndObject();
                    } else {
                        json.writeStringProperty("method", "tools/list");
                    }
                    json.writeEndObject();
                });
        return proposalEndDetector.applyEnvelope((Envelope) reader.read(bytes));
    }

    @Test
    void anAnswerCountsOnlyToTheRequestAndFromWhomThatWasAddressedTo() {
        assertThat(applyEnvelope("files", "a1", "mcp.response.tools/list", "p")).isEmpty();
        assertThat(applyEnvelope("files", "a2", "mcp.response.tools/list", "r")).isEmpty();
        assertThat(applyEnvelope("alice", "r", "mcp.request.tools/list", "p", "files"))
                .isEmpty();
        assertThat(applyEnvelope("files", "a3", "mcp.response.tools/list", "p")).isEmpty();
        assertThat(applyEnvelope("mallory", "a4", "mcp.response.tools/list", "r"))
                .isEmpty();
        // A second request does not fulfil the proposal.
        assertThat(applyEnvelope("mallory", "r2", "mcp.request.tools/list", "p", "mallory"))
                .isEmpty();
        assertThat(applyEnvelope("mallory", "a5", "mcp.response.tools/list", "r2"))
                .isEmpty();
        assertThat(applyEnvelope("files", "a6", "mcp.response.tools/list", "r"))
                .get()
                .isInstanceOfSatisfying(
                        End.Succeeded.class, end -> assertThat(end.approvedBy()).isEqualTo("alice"));
    }

    @Test
    void onlyItsProposerWithdrawsIt() {
        assertThat(applyEnvelope("mallory", "w1", "mcpx.withdraw.proposal", "p"))
                .isEmpty();
        assertThat(applyEnvelope("helper", "w2", "mcpx.withdraw.proposal", "p"))
                .contains(new End.Withdrawn("p", Optional.empty()));
    }

    @Test
    void onlyTheGatewaySaysThatItExpiredOrWasRejected() {
        assertThat(applyEnvelope("mallory", "e1", "system.proposal.expired", "p"))
                .isEmpty();
        assertThat(applyEnvelope("mallory", "e2", "system.proposal.rejected", "p"))
                .isEmpty();
        assertThat(applyEnvelope("mallory", "e3", "mcpx.reject.proposal", "p")).isEmpty();
        assertThat(applyEnvelope("system:gateway", "system:event-4", "system.proposal.expired", "p"))
                .contains(new End.Expired("p"));
    }

    @Test
    void anOpenProposalHasNoEnd() {
        assertThat(look("{'state':'open','timeline':[{'event':'proposed'}]}")).isEmpty();
        assertThat(proposalEndDetector.request()).isEmpty();
    }

    @Test
    void whatWasApprovedAwaitsItsAnswer() {
        assertThat(look("{'state':'fulfilled','outcome':'pending','timeline':["
                        + "{'event':'fulfilled','by':'alice','envelope':'r','to':['files']}]}"))
                .isEmpty();
        assertThat(proposalEndDetector.request()).contains("r");
        assertThat(proposalEndDetector.isAwaitedRunner("files")).isTrue();
        assertThat(proposalEndDetector.isAwaitedRunner("alice")).isFalse();
    }

    @Test
    void theAnswerIsItsEnd() {
        String view = "{'state':'fulfilled','outcome':'%s','timeline':["
                + "{'event':'fulfilled','by':'alice','envelope':'r','to':['files']},{'event':'answered','result':%s}]}";
        assertThat(look(view.formatted("succeeded", "{'result':{'content':[{'type':'text','text':'done'}]}}")))
                .get()
                .isInstanceOfSatisfying(End.Succeeded.class, end -> {
                    assertThat(end.text()).isEqualTo("done");
                    assertThat(end.approvedBy()).isEqualTo("alice");
                });
        assertThat(look(view.formatted("failed", "{'error':{'code':1,'message':'no'}}")))
                .get()
                .isInstanceOfSatisfying(
                        End.Failed.class, end -> assertThat(end.text()).isEqualTo("no"));
    }

    @Test
    void onlyTheFirstAnswerCounts() {
        assertThat(look("{'state':'fulfilled','outcome':'succeeded','timeline':["
                        + "{'event':'fulfilled','by':'alice','envelope':'r','to':['files']},"
                        + "{'event':'answered','result':{'result':{'content':[{'type':'text','text':'first'}]}}},"
                        + "{'event':'answered','result':{'error':{'code':1,'message':'second'}}}]}"))
                .get()
                .isInstanceOfSatisfying(
                        End.Succeeded.class, end -> assertThat(end.text()).isEqualTo("first"));
    }

    @Test
    void anAnswerThatNobodyExpectsAnyMoreIsUnknown() {
        assertThat(look("{'state':'fulfilled','outcome':'unknown','timeline':["
                        + "{'event':'outcome_unknown','why':'addressee_left'}]}"))
                .contains(new End.Unknown("p", "addressee left"));
    }

    @Test
    void theOtherEndsCarryTheirReasons() {
        assertThat(look("{'state':'rejected','reasons':[{'from':'alice','reason':'unsafe'}]}"))
                .contains(new End.Rejected("p", List.of(new Rejection("alice", "unsafe", Optional.empty()))));
        assertThat(look("{'state':'withdrawn','timeline':[{'event':'withdrawn','reason':'no'}]}"))
                .contains(new End.Withdrawn("p", Optional.of("no")));
        assertThat(look("{'state':'expired','timeline':[{'event':'proposed'},{'event':'expired'}]}"))
                .contains(new End.Expired("p"));
    }

    @Test
    void whatHasExpiredByTheClockMayStillBecomeSomethingElseUntilThatIsRecorded() {
        assertThat(look("{'state':'expired','timeline':[{'event':'proposed'}]}"))
                .isEmpty();
    }
}
