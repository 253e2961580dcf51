package dev.gavel.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.Arrival;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.Sent;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.SystemMessage.Rejection;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CardWriterTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final CardWriter WRITER = new CardWriter("alice", false);

    /** A proposal with this payload, in which single quotes stand for double ones. */
    private static ProposalView view(String kind, String payload, ProposalState state, Rejection... reasons) {
        byte[] text = ("{'protocol':'mcpx/v0.1','id':'p-1','kind':'" + kind + "','payload':" + payload + "}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
        Envelope envelope = switch (new EnvelopeReader(Limits.DEFAULT).read(text)) {
            case Envelope read -> read;
            case Refusal refusal -> throw new AssertionError(refusal.message());
        };
        Sent sent = Sent.of(new Arrival(envelope, "helper", List.of(), NOW));
        Prospect approve = new Prospect("fulfilled", List.of(), "alice", true, List.of(), Optional.empty());
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
                new Guidance(
                        state.word(),
                        "",
                        NOW,
                        List.of(),
                        List.of(new Person("alice")),
                        "",
                        List.of(approve),
                        Optional.empty()),
                List.of(new Step(NOW, new ProposalEvent.Proposed(sent, NOW.plusSeconds(900)))));
    }

    private static Card open(String kind, String payload) {
        return WRITER.write("ops", view(kind, payload, ProposalState.OPEN));
    }

    private static Card tool(String params) {
        return open("mcp.proposal.tools/call:rm", "{'method':'tools/call','params':" + params + "}");
    }

    @Test
    void aToolsArgumentsAreShownAlone() {
        Card card = tool("{'name':'rm','arguments':{'n':1.00}}");
        assertThat(card.what()).isEqualTo("rm");
        assertThat(card.arguments()).isEqualTo("{\n  \"n\": 1.00\n}");
        assertThat(card.moves()).isEqualTo(new Card.Moves(true, false, List.of("files")));
        assertThat(tool("{'name':'rm'}").arguments()).isEqualTo("{}");
    }

    @Test
    void whoeverReadsItIsNotSaidToBeAway() {
        ProposalView view = view(
                "mcp.proposal.tools/call:rm", "{'method':'tools/call','params':{'name':'rm'}}", ProposalState.OPEN);
        assertThat(WRITER.write("ops", view).waiting()).isEqualTo("Waiting for you.");
        assertThat(new CardWriter("bob", false).write("ops", view).waiting())
                .isEqualTo("Waiting for alice, not connected now.");
    }

    @Test
    void whateverElseIsSentIsShownToo() {
        assertThat(tool("{'name':'rm','arguments':{},'_meta':{'sudo':true}}").arguments())
                .contains("\"sudo\": true", "\"arguments\"", "\"name\"");
        Card resource = open(
                "mcp.proposal.resources/read", "{'method':'resources/read','params':{'uri':'file:///etc/passwd'}}");
        assertThat(resource.what()).isEqualTo("file:///etc/passwd");
        assertThat(resource.method()).isEqualTo("resources/read");
        assertThat(resource.arguments()).contains("\"uri\"");
    }

    @Test
    void whatTurnsOrHidesTextIsMadeVisible() {
        assertThat(tool("{'name':'rm','arguments':{'a\u202e':'b\u200b'}}").arguments())
                .isEqualTo("{\n  \"a\\u202e\": \"b\\u200b\"\n}");
    }

    @Test
    void ofWhatIsLongThereIsTheBeginningUnlessAllIsWanted() {
        String params = "{'name':'rm','arguments':{'text':'" + "x".repeat(30_000) + "'}}";
        assertThat(tool(params).clipped()).isTrue();
        assertThat(tool(params).arguments()).hasSizeLessThan(21_000).endsWith("\n…");
        ProposalView view = view(
                "mcp.proposal.tools/call:rm", "{'method':'tools/call','params':" + params + "}", ProposalState.OPEN);
        Card whole = new CardWriter("alice", true).write("ops", view);
        assertThat(whole.clipped()).isFalse();
        assertThat(whole.arguments()).endsWith("x\"\n}");
    }

    @Test
    void anEndSaysWhoMadeItAndLeavesNothingToDo() {
        ProposalView view = view(
                "mcp.proposal.tools/call:rm",
                "{'method':'tools/call','params':{'name':'rm'}}",
                ProposalState.REJECTED,
                new Rejection("alice", "unsafe", "never"));
        Card mine = WRITER.write("ops", view);
        assertThat(mine.open()).isFalse();
        assertThat(mine.moves().any()).isFalse();
        assertThat(mine.ending()).hasValueSatisfying(ending -> {
            assertThat(ending.words()).isEqualTo("Rejected by you: unsafe (never)");
            assertThat(ending.mine()).isTrue();
        });
        assertThat(new CardWriter("bob", false).write("ops", view).ending()).hasValueSatisfying(ending -> {
            assertThat(ending.words()).isEqualTo("Rejected by alice: unsafe (never)");
            assertThat(ending.mine()).isFalse();
        });
    }

    @Test
    void onAPageEverythingIsText() {
        Card card = tool("{'name':'<script>','arguments':{'a':'</pre><b onclick=x>'}}")
                .with("<i>no</i>");
        assertThat(InboxPages.card(card, "\" onclick=\"x", NOW))
                .contains("&lt;script&gt;", "&lt;/pre&gt;&lt;b onclick=x&gt;", "&lt;i&gt;no&lt;/i&gt;")
                .doesNotContain("<script>", "<b onclick", "<i>", "\" onclick=\"");
    }

    @Test
    void aProgressTokenThatOnlyRepeatsTheProposalsIdIsNotShownAndAnyOtherIs() {
        String call =
                "{'method':'tools/call','params':{'name':'x','arguments':{'a':1},'_meta':{'progressToken':'%s'}}}";
        assertThat(WRITER.write("ops", view("mcp.proposal.tools/call:x", call.formatted("p-1"), ProposalState.OPEN))
                        .arguments())
                .doesNotContain("progressToken");
        assertThat(WRITER.write("ops", view("mcp.proposal.tools/call:x", call.formatted("p-2"), ProposalState.OPEN))
                        .arguments())
                .contains("progressToken");
    }
}
