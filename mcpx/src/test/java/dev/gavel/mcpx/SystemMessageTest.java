package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.bytes;
import static dev.gavel.mcpx.EnvelopeFixtures.json;
import static dev.gavel.mcpx.EnvelopeFixtures.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SystemMessageTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final ParticipantInfo ALICE = new ParticipantInfo("alice", EnvelopeFixtures.capabilities("['*']"));
    private static final ParticipantInfo HELPER = new ParticipantInfo(
            "helper",
            EnvelopeFixtures.capabilities(
                    "['mcp.proposal.*','chat.message',{'kind':'mcp.request.tools/call','payload':{'params':{'name':['a','!b*']}}}]"));

    private static String written(SystemMessage message, EnvelopeSyntax syntaxVersion) {
        return text(message.encode("s-1", NOW, List.of("helper"), syntaxVersion));
    }

    private static String start(String kind) {
        return "{'protocol':'mcpx/v0.1','id':'s-1','ts':'2026-01-05T10:00:00.000Z','from':'system:gateway','to':['helper'],'kind':'"
                + kind + "',";
    }

    @Test
    void theWelcomeSaysWhoYouAreWhoIsHereAndWhatWaits() {
        String proposal = "{'id':'p-1','kind':'mcp.proposal.tools/call:echo','state':'open',"
                + "'payload':{'kind':'mcp.request.x','n':1.0}}";
        String oldProposal = proposal.replace("mcp.proposal.tools/call", "mcp/proposal:tools/call");
        var welcome =
                new SystemMessage.Welcome(HELPER, List.of(ALICE), List.of(RawPayload.of(bytes(json(proposal)))), 7, 42);
        String looking = "{'kind':'mcp.request.tools/call','payload':{'params':{'name':['a','!b*']}}}";
        assertThat(written(welcome, EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.welcome")
                        + "'payload':{'you':{'id':'helper','capabilities':['mcp.proposal.*','chat.message',"
                        + looking
                        + "]},'participants':[{'id':'alice','capabilities':['*']}],'proposals':[" + proposal
                        + "],'more':7,'seq':42}}"));
        assertThat(written(welcome, EnvelopeSyntax.LEGACY))
                .isEqualTo(json(start("system/welcome")
                        + "'payload':{'you':{'id':'helper','capabilities':['mcp/proposal:*','chat',"
                        + looking.replace("mcp.request.", "mcp/request:")
                        + "]},'participants':[{'id':'alice','capabilities':['*']}],'proposals':[" + oldProposal
                        + "],'more':7,'seq':42}}"));
    }

    @Test
    void presenceSaysWhoCameOrWent() {
        assertThat(written(new SystemMessage.Presence(SystemMessage.PresenceEvent.JOIN, ALICE), EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.presence")
                        + "'payload':{'event':'join','participant':{'id':'alice','capabilities':['*']}}}"));
        assertThat(written(new SystemMessage.Presence(SystemMessage.PresenceEvent.LEAVE, ALICE), EnvelopeSyntax.LEGACY))
                .isEqualTo(json(start("system/presence")
                        + "'payload':{'event':'leave','participant':{'id':'alice','capabilities':['*']}}}"));
    }

    @Test
    void presenceSaysWhatSomebodyMaySendFromNowOn() {
        assertThat(written(
                        new SystemMessage.Presence(SystemMessage.PresenceEvent.UPDATE, ALICE), EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.presence")
                        + "'payload':{'event':'update','participant':{'id':'alice','capabilities':['*']}}}"));
    }

    @Test
    void anErrorSaysWhatWasTriedAndWhatWouldHaveBeenAllowed() {
        var refusal = new EnvelopeRefusal(
                EnvelopeErrorCode.CAPABILITY_VIOLATION,
                "Propose it instead.",
                "env-bad",
                Kind.of("mcp.request.tools/call:rm"),
                EnvelopeSyntax.CURRENT);
        var failure = SystemMessage.Failure.of(refusal, EnvelopeFixtures.capabilities("['mcp.proposal.*']"));
        assertThat(written(failure, EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.error")
                        + "'correlationId':'env-bad','payload':{'error':'capability_violation','message':'Propose it instead.',"
                        + "'attemptedKind':'mcp.request.tools/call:rm','yourCapabilities':['mcp.proposal.*']}}"));
        assertThat(written(failure, EnvelopeSyntax.LEGACY))
                .isEqualTo(json(start("system/error")
                        + "'correlation_id':'env-bad','payload':{'error':'capability_violation','message':'Propose it instead.',"
                        + "'attempted_kind':'mcp/request:tools/call:rm','your_capabilities':['mcp/proposal:*']}}"));
    }

    @Test
    void anErrorSaysHowTheProposalStandsAndWhenToTryAgain() {
        var refusal =
                new EnvelopeRefusal(EnvelopeErrorCode.PROPOSAL_CLOSED, "Too late.", null, null, EnvelopeSyntax.CURRENT);
        assertThat(written(
                        SystemMessage.Failure.of(refusal, null)
                                .withProposal("p-1", "withdrawn")
                                .withRetryAfter(250),
                        EnvelopeSyntax.CURRENT))
                .isEqualTo(
                        json(
                                start("system.error")
                                        + "'payload':{'error':'proposal_closed','message':'Too late.','proposal':'p-1','state':'withdrawn','retryAfterMs':250}}"));
    }

    @Test
    void noticesCarryTheProposalAsCorrelation() {
        assertThat(written(new SystemMessage.Expired("p"), EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.proposal.expired") + "'correlationId':'p','payload':{'proposal':'p'}}"));
        assertThat(written(new SystemMessage.Unreachable("p", List.of("bob")), EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.proposal.unreachable")
                        + "'correlationId':'p','payload':{'proposal':'p','couldFulfil':['bob']}}"));
        assertThat(written(new SystemMessage.Reachable("p", List.of("bob")), EnvelopeSyntax.LEGACY))
                .isEqualTo(json(start("system.proposal.reachable")
                        + "'correlation_id':'p','payload':{'proposal':'p','couldFulfil':['bob']}}"));
        assertThat(written(
                        new SystemMessage.Rejected(
                                "p",
                                List.of(
                                        new SystemMessage.Rejection("bob", "busy", null),
                                        new SystemMessage.Rejection("eve", "policy", "no \"rm\""))),
                        EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.proposal.rejected")
                                + "'correlationId':'p','payload':{'proposal':'p','reasons':[{'from':'bob','reason':'busy'},"
                                + "{'from':'eve','reason':'policy','note':'no #rm#'}]}}")
                        .replace("#", "\\\""));
        assertThat(written(new SystemMessage.Resync(7, 12), EnvelopeSyntax.CURRENT))
                .isEqualTo(json(start("system.resync") + "'payload':{'oldest':7,'seq':12}}"));
    }

    static Stream<SystemMessage> messages() {
        return Stream.of(
                new SystemMessage.Welcome(HELPER, List.of(), List.of(), 0, 0),
                new SystemMessage.Presence(SystemMessage.PresenceEvent.JOIN, HELPER),
                SystemMessage.Failure.of(
                        new EnvelopeRefusal(
                                EnvelopeErrorCode.MALFORMED, "a\u0000\"\\é😀", "i", null, EnvelopeSyntax.LEGACY),
                        CapabilitySet.NONE),
                new SystemMessage.Expired("p"),
                new SystemMessage.Unreachable("p", List.of()),
                new SystemMessage.Reachable("p", List.of("a", "b")),
                new SystemMessage.Rejected("p", List.of()),
                new SystemMessage.Resync(0, 0));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void whatTheGatewayWritesAClientCanReadInEitherSpelling(SystemMessage message) {
        for (EnvelopeSyntax syntaxVersion : EnvelopeSyntax.values()) {
            Envelope envelope = EnvelopeFixtures.readAccepted(written(message, syntaxVersion));
            assertThat(envelope.kind()).isEqualTo(message.kind());
            assertThat(envelope.from()).isEqualTo("system:gateway");
            assertThat(envelope.kind().isReserved()).isTrue();
            assertThat(envelope.category()).isEqualTo(KindCategory.SYSTEM);
        }
    }

    @Test
    void aDraftIsWrittenAroundAPayloadThatIsJsonAlready() {
        byte[] draft = EnvelopeDraft.of("w", Kind.of("mcpx.withdraw.proposal"))
                .withCorrelationIds(List.of("p", "q"))
                .encode(EnvelopeSyntax.CURRENT, RawPayload.of(bytes("{ \"reason\" : \"é\" }")));
        assertThat(text(draft))
                .isEqualTo(
                        json(
                                "{'protocol':'mcpx/v0.1','id':'w','kind':'mcpx.withdraw.proposal','correlationId':['p','q'],'payload':{ 'reason' : 'é' }}"));
    }
}
