package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProposalViewTest {
    private final ProposalFixture proposalFixture = new ProposalFixture();

    private String json(String id, String reader) {
        return new String(ProposalView.of(proposalFixture.guide(id, reader)).toJson(), StandardCharsets.UTF_8)
                .replace('"', '\'');
    }

    @Test
    void aProposalIsShownWithItsWholeLife() {
        proposalFixture.propose("p", ProposalFixture.WRITE, "files");
        proposalFixture.reject("carol", "disagree", "p");
        proposalFixture.request("alice", "p", "mcp.request.tools/call", ProposalFixture.WRITE_TMP, "files");
        proposalFixture.answer("files", "p", "{'result':{}}");
        assertThat(json("p", "agent"))
                .startsWith(
                        "{'id':'p','from':'agent','to':['files'],'kind':'mcp.proposal.tools/call','payload':"
                                + ProposalFixture.WRITE
                                + ",'edited':true,'fulfilledParams':{'name':'write_file','arguments':{'path':'/tmp/x'}},"
                                + "'state':'fulfilled','outcome':'succeeded','reasons':[{'from':'carol','reason':'disagree'}],"
                                + "'expiresAt':'2026-01-05T10:15:00Z','couldRun':[],'guidance':{'status':'succeeded: approved by alice")
                .contains("{'at':'2026-01-05T10:00:00Z','event':'proposed','by':'agent','envelope':'p',")
                .contains("'event':'rejected','by':'carol','envelope':'e-1','reason':'disagree'}")
                .contains(
                        "'event':'fulfilled','by':'alice','envelope':'e-2','to':['files'],'edited':true,'check':'no_schema',"
                                + "'proposedParams':{'name':'write_file','arguments':{'path':'/etc/x'}},"
                                + "'fulfilledParams':{'name':'write_file','arguments':{'path':'/tmp/x'}}}")
                .endsWith("'event':'answered','by':'files','envelope':'e-3','outcome':'succeeded','late':false,"
                        + "'result':{'result':{}}}]}");
    }

    @Test
    void unchangedArgumentsAreNotShownTwiceAndAnOpenProposalHasNoOutcome() {
        proposalFixture.propose("p", ProposalFixture.WRITE);
        assertThat(json("p", "bob"))
                .doesNotContain("outcome")
                .contains("'until':'2026-01-05T10:15:00Z','then':'it expires'")
                .contains("{'to':'fulfilled','whoMay':['alice','bob'],'youMay':true}")
                .contains("{'to':'withdrawn','whoMay':['agent'],'youMay':false}");
        proposalFixture.fulfil("alice", "p", "files");
        assertThat(json("p", "bob")).contains("'edited':false}").doesNotContain("Params");
    }

    @Test
    void everyEventCanBeShown() {
        proposalFixture.propose("p", ProposalFixture.WRITE);
        // Older ledgers contain these events.
        proposalFixture.apply(ProposalDecider.accept(
                proposalFixture.proposal("p"),
                List.of(
                        new ProposalEvent.Unreachable(List.of("alice", "bob")),
                        new ProposalEvent.Reachable(List.of("alice", "bob"))),
                Optional.empty()));
        proposalFixture.remark("bob", "status", "{'status':'queued','note':'n'}", "p");
        proposalFixture.fulfil("alice", "p", "files");
        proposalFixture.leave("files");
        proposalFixture.advanceTime(ProposalSettings.ABSENCE_GRACE);
        proposalFixture.applyAbsence("p");
        proposalFixture.apply(proposalFixture.decider.markNotForwarded(proposalFixture.proposal("p"), "gone"));
        assertThat(json("p", "agent"))
                .contains("'event':'unreachable','by':'system:gateway','couldFulfil':['alice','bob']}")
                .contains("'event':'reachable','by':'system:gateway','couldFulfil':['alice','bob']}")
                .contains("'status':'queued','note':'n'}")
                .contains("'event':'outcome_unknown','by':'system:gateway','why':'addressee_left'}")
                .contains("'event':'not_forwarded','by':'system:gateway','why':'gone'}");
    }
}
