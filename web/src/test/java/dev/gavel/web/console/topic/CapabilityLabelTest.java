package dev.gavel.web.console.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CapabilityLabelTest {
    private static CapabilitySet can(String json) {
        return CapabilitySet.fromJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .orThrow();
    }

    private static List<String> words(String json) {
        return CapabilityLabel.of(can(json)).stream()
                .map(CapabilityLabel::label)
                .toList();
    }

    @Test
    void whatSomebodyMayDoIsSaidInWords() {
        assertThat(words("['mcp.request.tools/*','mcpx.*','chat.*']"))
                .containsExactly("approves calls", "rejects", "chats");
        assertThat(words("['mcp.proposal.*','mcpx.withdraw.proposal']")).containsExactly("proposes calls");
        assertThat(words("['mcp.response.*']")).containsExactly("runs calls");
        assertThat(words("['*']"))
                .containsExactly("approves calls", "rejects", "proposes calls", "runs calls", "chats");
    }

    @Test
    void someIsNotAll() {
        assertThat(words("['mcp.request.tools/call:read_*']")).containsExactly("calls some tools directly");
        assertThat(words("['mcp.request.resources/read']")).containsExactly("makes some calls directly");
        assertThat(words("[{'kind':'mcp.proposal.tools/call','payload':{'params':{'name':'x'}}}]"))
                .containsExactly("proposes some calls");
    }

    @Test
    void whoMayDoNothingOrSomethingElseIsNotSaidToDoMore() {
        assertThat(words("[]")).containsExactly("only listens");
        assertThat(words("['mcp.request.*/list','weather.report']")).containsExactly("sends other messages");
    }

    @Test
    void whoIsCalledYouIsNotMarkedAsYouToo() {
        assertThat(TopicMemberViewFactory.create(
                        List.of(new Member("you", can("[]"))), MemberNames.IDS, Set.of(), id -> Map.of(), "you"))
                .singleElement()
                .extracting(TopicMemberView::showsYou)
                .isEqualTo(false);
    }

    @Test
    void thoseWhoAreHereComeFirstAndTheReaderBeforeAll() {
        CapabilitySet any = can("['chat.*']");
        List<TopicMemberView> people = TopicMemberViewFactory.create(
                List.of(new Member("away", any), new Member("zoe", any), new Member("bob", any), new Member("me", any)),
                MemberNames.IDS,
                Set.of("zoe", "bob", "me"),
                id -> Map.of(),
                "me");
        assertThat(people).extracting(TopicMemberView::id).containsExactly("me", "bob", "zoe", "away");
        assertThat(people.getFirst().you()).isTrue();
        assertThat(people.getFirst().showsYou()).isTrue();
        assertThat(people.getLast().connected()).isFalse();
    }

    @Test
    void patternsThatLookIntoThePayloadAreShownWhole() {
        TopicMemberView member = TopicMemberViewFactory.create(
                        List.of(new Member(
                                "a",
                                can("['chat.*',{'kind':'mcp.request.tools/call','payload':{'params':{'name':'x'}}}]"))),
                        MemberNames.IDS,
                        Set.of(),
                        id -> Map.of(),
                        "b")
                .getFirst();
        assertThat(member.capabilities().getFirst()).isEqualTo("chat.*");
        assertThat(member.capabilities().getLast()).contains("mcp.request.tools/call", "\"name\":\"x\"");
    }

    @Test
    void capabilitiesThatMatchNothingAreNotDescribedAsMessages() {
        assertThat(CapabilityLabel.of(
                        CapabilitySet.compile(List.of("mcp.reques.*")).orThrow()))
                .extracting(CapabilityLabel::label)
                .containsExactly("sends nothing");
        assertThat(CapabilityLabel.of(CapabilitySet.compile(List.of("mcp.request.notifications/*"))
                        .orThrow()))
                .extracting(CapabilityLabel::label)
                .containsExactly("sends other messages");
    }

    @Test
    void whatToolsSayOfThemselvesIsShownAsText() {
        Map<String, Json> tools = Map.of("rm\u202e", Json.parse("""
                        {"name": "rm", "description": " Deletes\\n a file ",
                         "annotations": {"destructiveHint": true, "openWorldHint": true}}
                        """).orElseThrow());
        TopicMemberView member = TopicMemberViewFactory.create(
                        List.of(new Member("files", CapabilitySet.NONE)),
                        MemberNames.IDS,
                        Set.of("files"),
                        id -> tools,
                        "b")
                .getFirst();
        TopicMemberView.ToolView toolView = member.toolViews().getFirst();
        assertThat(toolView.name()).isEqualTo("rm\\u202e");
        assertThat(toolView.description()).isEqualTo("Deletes\\n a file");
        assertThat(toolView.hints())
                .extracting(TopicMemberView.ToolHint::text)
                .containsExactly("destructive", "external access");
    }
}
