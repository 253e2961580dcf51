package dev.gavel.web.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage.Rejection;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.console.inbox.ArgumentsView.Argument;
import dev.gavel.web.console.inbox.ArgumentsView.Layout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProposalCardBuilderTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final ProposalCardBuilder WRITER =
            new ProposalCardBuilder("alice", false, true, ToolDescription.ToolLookup.EMPTY);

    /** Creates a proposal with this payload, in which single quotes stand for double quotes. */
    private static ProposalView view(String kind, String payload, ProposalState state, Rejection... reasons) {
        byte[] text = ("{'protocol':'mcpx/v0.1','id':'p-1','kind':'" + kind + "','payload':" + payload + "}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
        Envelope envelope = switch (new EnvelopeReader(EnvelopeLimits.DEFAULT).read(text)) {
            case Envelope read -> read;
            case EnvelopeRefusal refusal -> throw new AssertionError(refusal.message());
        };
        StoredEnvelope storedEnvelope = StoredEnvelope.of(new AdmittedEnvelope(envelope, "helper", List.of(), NOW));
        MoveEligibility approve =
                new MoveEligibility("fulfilled", List.of(), "alice", true, List.of(), Optional.empty());
        return new ProposalView(
                "p-1",
                "helper",
                List.of(),
                envelope.kind(),
                envelope.payload(),
                state,
                Optional.empty(),
                List.of(reasons),
                NOW.plusSeconds(900),
                List.of("files"),
                new LifecycleGuidance(
                        state.label(),
                        "",
                        NOW,
                        List.of(),
                        List.of(new Person("alice")),
                        "",
                        List.of(approve),
                        Optional.empty()),
                List.of(new ProposalTimelineEntry(
                        NOW, new ProposalEvent.Proposed(storedEnvelope, NOW.plusSeconds(900)))));
    }

    private static ProposalCard open(String kind, String payload) {
        return WRITER.build("ops", view(kind, payload, ProposalState.OPEN));
    }

    private static ProposalCard tool(String params) {
        return open("mcp.proposal.tools/call:rm", "{'method':'tools/call','params':" + params + "}");
    }

    @Test
    void aToolsArgumentsAreShownAlone() {
        ProposalCard card = tool("{'name':'rm','arguments':{'n':1.00}}");
        assertThat(card.call().name()).isEqualTo("rm");
        assertThat(card.call().argumentsView().arguments())
                .containsExactly(new Argument("n", Layout.SHORT, "1.00", ""));
        assertThat(card.actions())
                .isEqualTo(new ProposalCard.AllowedActions(true, false, true, true, List.of("files")));
        assertThat(tool("{'name':'rm'}").call().argumentsView().arguments()).isEmpty();
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
        assertThat(tool("{'name':'rm','arguments':{},'_meta':{'sudo':true}}")
                        .call()
                        .argumentsView()
                        .json())
                .contains("\"sudo\": true", "\"arguments\"", "\"name\"");
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
                .isEqualTo("{\n  \"a\\u202e\": \"b\\u200b\"\n}");
    }

    @Test
    void ofWhatIsLongThereIsTheBeginningUnlessAllIsWanted() {
        String params = "{'name':'rm','arguments':{'text':'" + "x".repeat(30_000) + "'}}";
        assertThat(tool(params).call().argumentsView().clipped()).isTrue();
        assertThat(tool(params).call().argumentsView().arguments().getFirst().text())
                .hasSizeLessThan(7_000)
                .endsWith("x…");
        ProposalView view = view(
                "mcp.proposal.tools/call:rm", "{'method':'tools/call','params':" + params + "}", ProposalState.OPEN);
        ProposalCard whole =
                new ProposalCardBuilder("alice", true, true, ToolDescription.ToolLookup.EMPTY).build("ops", view);
        assertThat(whole.call().argumentsView().clipped()).isFalse();
        assertThat(whole.call().argumentsView().json()).endsWith("x\"\n}");
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
                        .json())
                .doesNotContain("progressToken");
        assertThat(WRITER.build("ops", view("mcp.proposal.tools/call:x", call.formatted("p-2"), ProposalState.OPEN))
                        .call()
                        .argumentsView()
                        .json())
                .contains("progressToken");
    }

    @Test
    void aTextOfSeveralLinesIsShownAsItIs() {
        ProposalCard card = tool("{'name':'rm','arguments':{'path':'a.txt','text':'one\\ntwo\\n'}}");
        assertThat(card.call().argumentsView().arguments())
                .containsExactly(
                        new Argument("path", Layout.SHORT, "\"a.txt\"", ""),
                        new Argument("text", Layout.TEXT, "one\ntwo\n", "2 lines, 8 characters"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ../../etc/passwd | path leaves its folder with ".."
            a/../b           | path leaves its folder with ".."
            /etc/passwd      | path is an absolute path
            C:\\\\Windows      | path is an absolute path
            ~/.ssh/id        | path is in a home folder
            notes/*          | path can match many files with "*"
            """)
    void whereAPathLeadsIsSaid(String path, String warning) {
        assertThat(tool("{'name':'rm','arguments':{'path':'" + path + "'}}")
                        .call()
                        .argumentsView()
                        .warnings())
                .containsExactly(warning);
    }

    @Test
    void textsMadeToTakeLongAreLookedAtAllTheSame() {
        String text = "a" + "/".repeat(132) + "*".repeat(132) + "b".repeat(132) + " x";
        String list = IntStream.range(0, 2_000).mapToObj(i -> "'" + text + "'").collect(Collectors.joining(","));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(tool("{'name':'rm','arguments':{'paths':[" + list + "]}}")
                                .call()
                                .argumentsView()
                                .warnings())
                        .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes/todo.txt", "a .. b", "5 * 3", "and/or", "https://example.org/a"})
    void whatIsNoSuchPathIsNotSaidToBeOne(String text) {
        ProposalCard card = tool("{'name':'rm','arguments':{'path':'" + text + "'}}");
        assertThat(card.call().argumentsView().warnings()).isEmpty();
        assertThat(card.call().needsCaution()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                  | UNSPECIFIED
            {'annotations':{'readOnlyHint':true}}               | READS
            {'annotations':{'readOnlyHint':false}}              | DESTROYS
            {'annotations':{'destructiveHint':true}}            | DESTROYS
            {'annotations':{'destructiveHint':false}}           | CHANGES
            """)
    void whatAToolMayDoIsWhatItsServerSays(String entry, ToolDescription.Effect effect) {
        assertThat(ToolDescription.of(
                                "files", Json.parse(entry.replace('\'', '"')).orElseThrow())
                        .effect())
                .isEqualTo(effect);
    }
}
