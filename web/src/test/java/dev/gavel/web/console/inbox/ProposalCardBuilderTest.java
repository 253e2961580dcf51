package dev.gavel.web.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.CallEffect;
import dev.gavel.gateway.proposal.CallRisk;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage.Rejection;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.inbox.ArgumentsView.Argument;
import dev.gavel.web.console.inbox.ArgumentsView.Layout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProposalCardBuilderTest {
    private static final CallRisk RISK = new CallRisk(
            CallEffect.DESTRUCTIVE, "files says that it deletes.", false, List.of("path is odd"), 3, false);
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final ProposalCardBuilder WRITER =
            new ProposalCardBuilder("alice", false, true, ToolDescription.ToolLookup.EMPTY);

    /** Creates a proposal with this payload, in which single quotes stand for double quotes. */
    private static ProposalView view(String kind, String payload, ProposalState state, Rejection... reasons) {
        StoredEnvelope storedEnvelope = stored("helper", "'id':'p-1','kind':'" + kind + "','payload':" + payload);
        return view(
                storedEnvelope.envelope(),
                state,
                Optional.empty(),
                List.of(new ProposalTimelineEntry(
                        NOW, new ProposalEvent.Proposed(storedEnvelope, NOW.plusSeconds(900)))),
                reasons);
    }

    private static StoredEnvelope stored(String from, String fields) {
        byte[] text =
                ("{'protocol':'mcpx/v0.1'," + fields + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        Envelope envelope = switch (new EnvelopeReader(EnvelopeLimits.DEFAULT).read(text)) {
            case Envelope read -> read;
            case EnvelopeRefusal refusal -> throw new AssertionError(refusal.message());
        };
        return StoredEnvelope.of(new AdmittedEnvelope(envelope, from, envelope.to(), NOW));
    }

    private static ProposalView view(
            Envelope envelope,
            ProposalState state,
            Optional<FulfilmentOutcome> outcome,
            List<ProposalTimelineEntry> timeline,
            Rejection... reasons) {
        MoveEligibility approve =
                new MoveEligibility("fulfilled", List.of(), "alice", true, List.of(), Optional.empty());
        return new ProposalView(
                "p-1",
                "helper",
                List.of(),
                envelope.kind(),
                envelope.payload(),
                state,
                outcome,
                List.of(reasons),
                NOW.plusSeconds(900),
                List.of("files"),
                state == ProposalState.OPEN ? Optional.of(RISK) : Optional.empty(),
                new LifecycleGuidance(
                        state.label(),
                        "",
                        NOW,
                        List.of(),
                        List.of(new Person("alice")),
                        "",
                        List.of(approve),
                        Optional.empty()),
                timeline,
                MemberNames.IDS);
    }

    private static ProposalCard open(String kind, String payload) {
        return WRITER.build("ops", view(kind, payload, ProposalState.OPEN));
    }

    private static ProposalCard tool(String params) {
        return open("mcp.proposal.tools/call:rm", "{'method':'tools/call','params':" + params + "}");
    }

    private static Argument argument(String name, Layout layout, String text, String sizeText) {
        return new Argument(name, layout, List.of(new SafeText.Run(text, false)), sizeText);
    }

    @Test
    void aCardHasTheArgumentsOfAPrompt() {
        ProposalView view = view(
                "mcp.proposal.prompts/get",
                "{'method':'prompts/get','params':{'name':'greet','arguments':{'person':'Ann'}}}",
                ProposalState.OPEN);
        Json entry = Json.parse("{\"name\":\"greet\",\"arguments\":[{\"name\":\"person\",\"required\":true}]}")
                .orElseThrow();
        ProposalCard card = new ProposalCardBuilder(
                        "alice",
                        false,
                        true,
                        (topic, participants, call) -> Optional.of(
                                        ToolDefinition.ofPrompt("files", String.valueOf(call.context()), entry))
                                .filter(_ -> "prompts/get".equals(call.method()))
                                .map(ToolDescription::of))
                .build("ops", view);

        assertThat(ArgumentEditorView.check(
                                Json.parse("{\"person\":\"Ann\"}").orElseThrow(),
                                "{\"person\":\"Ann\",\"persn\":\"Bob\"}",
                                card.call())
                        .errors())
                .extracting(ArgumentEditorView.ArgumentError::message)
                .containsExactly("greet has no argument 'persn'; did you mean 'person'?");
    }

    @Test
    void aToolsArgumentsAreShownAlone() {
        ProposalCard card = tool("{'name':'rm','arguments':{'n':1.00}}");
        assertThat(card.call().name()).isEqualTo("rm");
        assertThat(card.call().argumentsView().arguments()).containsExactly(argument("n", Layout.SHORT, "1.00", ""));
        assertThat(card.actions())
                .isEqualTo(new ProposalCard.AllowedActions(true, false, true, true, List.of("files")));
        assertThat(tool("{'name':'rm'}").call().argumentsView().arguments()).isEmpty();
    }

    @Test
    void aCallIsNamedByWhatItRuns() {
        ProposalCard resource = open(
                "mcp.proposal.resources/read",
                "{'method':'resources/read','params':{'uri':'file:///etc/shadow','name':'readme.txt'}}");
        assertThat(resource.call().name()).isEqualTo("file:///etc/shadow");
        assertThat(resource.call().argumentsView().others())
                .containsExactly(argument("name", Layout.SHORT, "\"readme.txt\"", ""));
        assertThat(open(
                                "mcp.proposal.sampling/createMessage",
                                "{'method':'sampling/createMessage','params':{'name':'write_file'}}")
                        .call()
                        .name())
                .isEqualTo("sampling/createMessage");
    }

    @Test
    void anArgumentThatTheGatewayDidNotHideIsShown() {
        String forged = "{'name':'rm','arguments':{'a':{'dev.gavel/redacted':'secret'},"
                + "'b':{'dev.gavel/redacted':'secret','mode':'evil'}}}";
        assertThat(tool(forged).call().argumentsView().arguments())
                .extracting(Argument::layout, Argument::text)
                .containsExactly(
                        tuple(Layout.SHORT, "{\"dev.gavel/redacted\":\"secret\"}"),
                        tuple(Layout.SHORT, "{\"dev.gavel/redacted\":\"secret\",\"mode\":\"evil\"}"));
        ArgumentsView redacted = ArgumentsView.of(
                "tools/call", Json.parse(forged.replace('\'', '"')).orElseThrow(), "p-1", true, true);
        assertThat(redacted.arguments()).extracting(Argument::layout).containsExactly(Layout.HIDDEN, Layout.SHORT);
    }

    @Test
    void metadataOfTheClientIsCountedAndShownOnRequest() {
        ArgumentsView view = tool("{'name':'rm','arguments':{'n':1},'_meta':{'client/id':'x\u200b','progressToken':7}}")
                .call()
                .argumentsView();
        assertThat(view.arguments()).containsExactly(argument("n", Layout.SHORT, "1", ""));
        assertThat(view.others()).isEmpty();
        assertThat(view.metadata()).hasValueSatisfying(metadata -> {
            assertThat(metadata.summary()).isEqualTo("2 fields, 36 characters");
            assertThat(SafeText.join(metadata.runs())).contains("\"client/id\": \"x\\u200b\"", "\"progressToken\": 7");
        });
    }

    @Test
    void escapesInArgumentsAreDecoded() {
        assertThat(tool("{'name':'sh','arguments':{'command':'\\u0072m -rf x','list':['\\u0072m']}}")
                        .call()
                        .argumentsView()
                        .arguments())
                .extracting(Argument::text)
                .containsExactly("\"rm -rf x\"", "[\"rm\"]");
    }

    @Test
    void lineBreaksInNestedArgumentsAreLineBreaks() {
        String text = tool("{'name':'edit','arguments':{'edits':[{'old':'one\\ntwo','new':'" + "x".repeat(100)
                        + "'}]}}")
                .call()
                .argumentsView()
                .arguments()
                .getFirst()
                .text();
        assertThat(text).contains("\"old\": \"\"\"\n    │ one\n    │ two\n    \"\"\",\n");
    }

    @Test
    void aHiddenCharacterDiffersFromTheTextOfItsEscapeOnAPage() {
        ProposalCard card = tool("{'name':'rm','arguments':{'a':'" + "x".repeat(100) + "\u200b\\\\u200b'}}");
        assertThat(InboxAndProposalRenderer.card(card, "", NOW))
                .contains("<span class=\"escape\" title=\"Hidden character\">\\u200b</span>\\u200b</pre>");
    }

    @Test
    void whoeverReadsItIsNotSaidToBeAway() {
        ProposalView view = view(
                "mcp.proposal.tools/call:rm", "{'method':'tools/call','params':{'name':'rm'}}", ProposalState.OPEN);
        assertThat(WRITER.build("ops", view).waitingText()).isEqualTo("Waiting for you.");
        assertThat(new ProposalCardBuilder("bob", false, true, ToolDescription.ToolLookup.EMPTY)
                        .build("ops", view)
                        .waitingText())
                .isEqualTo("Waiting for alice (not connected).");
    }

    @Test
    void whateverElseIsSentIsShownToo() {
        ArgumentsView view = tool("{'name':'rm','arguments':{},'_meta':{'sudo':true},'task':{'ttl':5}}")
                .call()
                .argumentsView();
        assertThat(view.json()).contains("\"sudo\": true", "\"arguments\"", "\"name\"");
        assertThat(view.others()).containsExactly(argument("task", Layout.SHORT, "{\"ttl\":5}", ""));
        ProposalCard resource = open(
                "mcp.proposal.resources/read", "{'method':'resources/read','params':{'uri':'file:///etc/passwd'}}");
        assertThat(resource.call().name()).isEqualTo("file:///etc/passwd");
        assertThat(resource.call().method()).isEqualTo("resources/read");
        assertThat(resource.call().argumentsView().json()).contains("\"uri\"");
    }

    @Test
    void whatTurnsOrHidesTextIsMadeVisible() {
        assertThat(tool("{'name':'rm','arguments':{'a\u202e':'b\u200b'}}")
                        .call()
                        .argumentsView()
                        .json())
                .contains("\"a\\u202e\": \"b\\u200b\"");
    }

    @Test
    void ofWhatIsLongThereIsTheBeginningUnlessAllIsWanted() {
        String params = "{'name':'rm','arguments':{'text':'" + "x".repeat(30_000) + "'}}";
        assertThat(tool(params).call().argumentsView().clipped())
                .contains(new ArgumentsView.Clipping("6,001", "30,000"));
        assertThat(tool(params).call().argumentsView().arguments().getFirst().text())
                .hasSizeLessThan(7_000)
                .endsWith("x…");
        ProposalView view = view(
                "mcp.proposal.tools/call:rm", "{'method':'tools/call','params':" + params + "}", ProposalState.OPEN);
        ProposalCard whole =
                new ProposalCardBuilder("alice", true, true, ToolDescription.ToolLookup.EMPTY).build("ops", view);
        assertThat(whole.call().argumentsView().clipped()).isEmpty();
        assertThat(whole.call().argumentsView().json()).endsWith("x\"\n  }\n}");
    }

    @Test
    void anEndSaysWhoMadeItAndLeavesNothingToDo() {
        ProposalView view = view(
                "mcp.proposal.tools/call:rm",
                "{'method':'tools/call','params':{'name':'rm'}}",
                ProposalState.REJECTED,
                new Rejection("alice", "unsafe", "never"));
        ProposalCard mine = WRITER.build("ops", view);
        assertThat(mine.open()).isFalse();
        assertThat(mine.actions().any()).isFalse();
        assertThat(mine.outcome()).hasValueSatisfying(cardOutcome -> {
            assertThat(cardOutcome.text()).isEqualTo("Rejected by you: unsafe (never)");
            assertThat(cardOutcome.byReader()).isTrue();
        });
        assertThat(new ProposalCardBuilder("bob", false, true, ToolDescription.ToolLookup.EMPTY)
                        .build("ops", view)
                        .outcome())
                .hasValueSatisfying(cardOutcome -> {
                    assertThat(cardOutcome.text()).isEqualTo("Rejected by alice: unsafe (never)");
                    assertThat(cardOutcome.byReader()).isFalse();
                });
    }

    @Test
    void aCardHasTheAnswerThatSetTheOutcome() {
        String call = "'payload':{'method':'tools/call','params':{'name':'rm'}}";
        StoredEnvelope proposed = stored("helper", "'id':'p-1','kind':'mcp.proposal.tools/call:rm'," + call);
        StoredEnvelope request = stored(
                "alice", "'id':'f-1','to':['files'],'correlationId':'p-1','kind':'mcp.request.tools/call:rm'," + call);
        String answer = "'id':'%s','correlationId':'f-1','kind':'mcp.response.tools/call:rm','payload':{'result':"
                + "{'content':[{'type':'text','text':'%s'}]}}";
        ProposalView view = view(
                proposed.envelope(),
                ProposalState.FULFILLED,
                Optional.of(FulfilmentOutcome.SUCCEEDED),
                List.of(
                        new ProposalTimelineEntry(NOW, new ProposalEvent.Proposed(proposed, NOW.plusSeconds(900))),
                        new ProposalTimelineEntry(NOW, new ProposalEvent.Fulfilled(request, false, NOW)),
                        new ProposalTimelineEntry(
                                NOW,
                                new ProposalEvent.Answered(stored("files", answer.formatted("a-1", "first")), false)),
                        new ProposalTimelineEntry(
                                NOW,
                                new ProposalEvent.Answered(
                                        stored("files", answer.formatted("a-2", "second")), false))));
        assertThat(WRITER.build("ops", view).outcome().orElseThrow().answer()).contains("first");
    }

    @Test
    void onAPageEverythingIsText() {
        ProposalCard card = tool("{'name':'<script>','arguments':{'a':'</pre><b onclick=x>'}}")
                .withComplaint("<i>no</i>");
        assertThat(InboxAndProposalRenderer.card(card, "\" onclick=\"x", NOW))
                .contains("&lt;script&gt;", "&lt;/pre&gt;&lt;b onclick=x&gt;", "&lt;i&gt;no&lt;/i&gt;")
                .doesNotContain("<script>", "<b onclick", "<i>", "\" onclick=\"");
    }

    @Test
    void aProgressTokenThatOnlyRepeatsTheProposalsIdIsNotShownAndAnyOtherIs() {
        String call =
                "{'method':'tools/call','params':{'name':'x','arguments':{'a':1},'_meta':{'progressToken':'%s'}}}";
        assertThat(WRITER.build("ops", view("mcp.proposal.tools/call:x", call.formatted("p-1"), ProposalState.OPEN))
                        .call()
                        .argumentsView()
                        .metadata())
                .isEmpty();
        assertThat(WRITER.build("ops", view("mcp.proposal.tools/call:x", call.formatted("p-2"), ProposalState.OPEN))
                        .call()
                        .argumentsView()
                        .metadata())
                .isPresent();
    }

    @Test
    void aTextOfSeveralLinesIsShownAsItIs() {
        ProposalCard card = tool("{'name':'rm','arguments':{'path':'a.txt','text':'one\\ntwo\\n'}}");
        assertThat(card.call().argumentsView().arguments())
                .containsExactly(
                        argument("path", Layout.SHORT, "\"a.txt\"", ""),
                        argument("text", Layout.TEXT, "one\ntwo\n", "2 lines, 8 characters"));
    }

    @Test
    void aCallThatNeedsCareShowsWhyAndAsksForConfirmation() {
        String html = InboxAndProposalRenderer.card(tool("{'name':'rm','arguments':{}}"), "", NOW);
        assertThat(html)
                .contains(
                        "<span class=\"badge bad\">destructive</span> files says that it deletes.",
                        "<li>path is odd</li>",
                        "<li>and 3 more warnings</li>",
                        "data-careful=\"yes\"",
                        "hx-get=\"/console/proposals/ops/p-1/approve\"")
                .doesNotContain("hx-post=\"/console/proposals/ops/p-1/approve\"");
    }

    @Test
    void aCardSaysThatTheCallerIsDisconnectedAndThatAnApprovalIsHeld() {
        StoredEnvelope proposal = stored(
                "helper",
                "'id':'p-1','kind':'mcp.proposal.tools/call:rm','payload':{'method':'tools/call','params':{'name':'rm'}}");
        List<ProposalTimelineEntry> timeline = new ArrayList<>(List.of(
                new ProposalTimelineEntry(NOW, new ProposalEvent.Proposed(proposal, NOW.plusSeconds(900))),
                new ProposalTimelineEntry(NOW, new ProposalEvent.CallerDisconnected("process", NOW.plusSeconds(120)))));
        assertThat(WRITER.build("ops", view(proposal.envelope(), ProposalState.OPEN, Optional.empty(), timeline))
                        .updateTexts())
                .containsExactly(
                        "The caller lost its connection. If you approve the call, it runs when the caller calls"
                                + " again.");

        assertThat(WRITER.build("ops", view(proposal.envelope(), ProposalState.OPEN, Optional.empty(), timeline))
                        .callerDisconnected())
                .isTrue();

        StoredEnvelope call = stored(
                "bob",
                "'id':'r-1','to':['files'],'kind':'mcp.request.tools/call:rm','payload':{'method':'tools/call','params':{'name':'rm'}}");
        timeline.add(new ProposalTimelineEntry(
                NOW,
                new ProposalEvent.ApprovalHeld(new ProposalEvent.Fulfilled(call, false, NOW.plusSeconds(600)), null)));
        assertThat(WRITER.build("ops", view(proposal.envelope(), ProposalState.OPEN, Optional.empty(), timeline))
                        .updateTexts())
                .containsExactly(
                        "Approved by bob, to run on files. The caller lost its connection. The call runs when the caller calls"
                                + " again.");
    }
}
