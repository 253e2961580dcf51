package dev.gavel.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.gavel.console.inbox.Arguments.Argument;
import dev.gavel.console.inbox.Arguments.Form;
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
import dev.gavel.mcpx.json.Json;
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

class CardWriterTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final CardWriter WRITER = new CardWriter("alice", false, true, Tool.Shelf.EMPTY);

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
        assertThat(card.call().what()).isEqualTo("rm");
        assertThat(card.call().arguments().list()).containsExactly(new Argument("n", Form.SHORT, "1.00", ""));
        assertThat(card.moves()).isEqualTo(new Card.Moves(true, false, true, true, List.of("files")));
        assertThat(tool("{'name':'rm'}").call().arguments().list()).isEmpty();
    }

    @Test
    void whoeverReadsItIsNotSaidToBeAway() {
        ProposalView view = view(
                "mcp.proposal.tools/call:rm", "{'method':'tools/call','params':{'name':'rm'}}", ProposalState.OPEN);
        assertThat(WRITER.write("ops", view).waiting()).isEqualTo("Waiting for you.");
        assertThat(new CardWriter("bob", false, true, Tool.Shelf.EMPTY)
                        .write("ops", view)
                        .waiting())
                .isEqualTo("Waiting for alice, not connected now.");
    }

    @Test
    void whateverElseIsSentIsShownToo() {
        assertThat(tool("{'name':'rm','arguments':{},'_meta':{'sudo':true}}")
                        .call()
                        .arguments()
                        .json())
                .contains("\"sudo\": true", "\"arguments\"", "\"name\"");
        Card resource = open(
                "mcp.proposal.resources/read", "{'method':'resources/read','params':{'uri':'file:///etc/passwd'}}");
        assertThat(resource.call().what()).isEqualTo("file:///etc/passwd");
        assertThat(resource.call().method()).isEqualTo("resources/read");
        assertThat(resource.call().arguments().json()).contains("\"uri\"");
    }

    @Test
    void whatTurnsOrHidesTextIsMadeVisible() {
        assertThat(tool("{'name':'rm','arguments':{'a\u202e':'b\u200b'}}")
                        .call()
                        .arguments()
                        .json())
                .isEqualTo("{\n  \"a\\u202e\": \"b\\u200b\"\n}");
    }

    @Test
    void ofWhatIsLongThereIsTheBeginningUnlessAllIsWanted() {
        String params = "{'name':'rm','arguments':{'text':'" + "x".repeat(30_000) + "'}}";
        assertThat(tool(params).call().arguments().clipped()).isTrue();
        assertThat(tool(params).call().arguments().list().getFirst().text())
                .hasSizeLessThan(7_000)
                .endsWith("x…");
        ProposalView view = view(
                "mcp.proposal.tools/call:rm", "{'method':'tools/call','params':" + params + "}", ProposalState.OPEN);
        Card whole = new CardWriter("alice", true, true, Tool.Shelf.EMPTY).write("ops", view);
        assertThat(whole.call().arguments().clipped()).isFalse();
        assertThat(whole.call().arguments().json()).endsWith("x\"\n}");
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
        assertThat(new CardWriter("bob", false, true, Tool.Shelf.EMPTY)
                        .write("ops", view)
                        .ending())
                .hasValueSatisfying(ending -> {
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
                        .call()
                        .arguments()
                        .json())
                .doesNotContain("progressToken");
        assertThat(WRITER.write("ops", view("mcp.proposal.tools/call:x", call.formatted("p-2"), ProposalState.OPEN))
                        .call()
                        .arguments()
                        .json())
                .contains("progressToken");
    }

    @Test
    void aTextOfSeveralLinesIsShownAsItIs() {
        Card card = tool("{'name':'rm','arguments':{'path':'a.txt','text':'one\\ntwo\\n'}}");
        assertThat(card.call().arguments().list())
                .containsExactly(
                        new Argument("path", Form.SHORT, "\"a.txt\"", ""),
                        new Argument("text", Form.TEXT, "one\ntwo\n", "2 lines, 8 characters"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ../../etc/passwd | path leads out of its folder, by ".."
            a/../b           | path leads out of its folder, by ".."
            /etc/passwd      | path is a path from the root of the machine
            C:\\\\Windows      | path is a path from the root of the machine
            ~/.ssh/id        | path is in somebody's home folder
            notes/*          | path may stand for many files, by "*"
            """)
    void whereAPathLeadsIsSaid(String path, String warning) {
        assertThat(tool("{'name':'rm','arguments':{'path':'" + path + "'}}")
                        .call()
                        .arguments()
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
                                .arguments()
                                .warnings())
                        .isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes/todo.txt", "a .. b", "5 * 3", "and/or", "https://example.org/a"})
    void whatIsNoSuchPathIsNotSaidToBeOne(String text) {
        Card card = tool("{'name':'rm','arguments':{'path':'" + text + "'}}");
        assertThat(card.call().arguments().warnings()).isEmpty();
        assertThat(card.call().careful()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                  | UNSAID
            {'annotations':{'readOnlyHint':true}}               | READS
            {'annotations':{'readOnlyHint':false}}              | DESTROYS
            {'annotations':{'destructiveHint':true}}            | DESTROYS
            {'annotations':{'destructiveHint':false}}           | CHANGES
            """)
    void whatAToolMayDoIsWhatItsServerSays(String entry, Tool.Effect effect) {
        assertThat(Tool.of("files", Json.parse(entry.replace('\'', '"')).orElseThrow())
                        .effect())
                .isEqualTo(effect);
    }
}
