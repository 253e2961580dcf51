package dev.gavel.console.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.Member;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AbilityTest {
    private static Capabilities can(String json) {
        return Capabilities.fromJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .orThrow();
    }

    private static List<String> words(String json) {
        return Ability.of(can(json)).stream().map(Ability::words).toList();
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
        assertThat(words("['mcp.request.*/list','weather.report']")).containsExactly("sends other things");
    }

    @Test
    void whoIsCalledYouIsNotMarkedAsYouToo() {
        assertThat(People.of(List.of(new Member("you", can("[]"))), Set.of(), id -> Map.of(), "you"))
                .singleElement()
                .extracting(TopicMember::marked)
                .isEqualTo(false);
    }

    @Test
    void thoseWhoAreHereComeFirstAndTheReaderBeforeAll() {
        Capabilities any = can("['chat.*']");
        List<TopicMember> people = People.of(
                List.of(new Member("away", any), new Member("zoe", any), new Member("bob", any), new Member("me", any)),
                Set.of("zoe", "bob", "me"),
                id -> Map.of(),
                "me");
        assertThat(people).extracting(TopicMember::id).containsExactly("me", "bob", "zoe", "away");
        assertThat(people.getFirst().you()).isTrue();
        assertThat(people.getFirst().marked()).isTrue();
        assertThat(people.getLast().here()).isFalse();
    }

    @Test
    void patternsThatLookIntoThePayloadAreShownWhole() {
        TopicMember member = People.of(
                        List.of(new Member(
                                "a",
                                can("['chat.*',{'kind':'mcp.request.tools/call','payload':{'params':{'name':'x'}}}]"))),
                        Set.of(),
                        id -> Map.of(),
                        "b")
                .getFirst();
        assertThat(member.patterns().getFirst()).isEqualTo("chat.*");
        assertThat(member.patterns().getLast()).contains("mcp.request.tools/call", "\"name\":\"x\"");
    }

    @Test
    void whatToolsSayOfThemselvesIsShownAsText() {
        Map<String, Json> tools = Map.of("rm\u202e", Json.parse("""
                        {"name": "rm", "description": " Deletes\\n a file ",
                         "annotations": {"destructiveHint": true, "openWorldHint": true}}
                        """).orElseThrow());
        TopicMember member = People.of(
                        List.of(new Member("files", Capabilities.NONE)), Set.of("files"), id -> tools, "b")
                .getFirst();
        TopicMember.Tool tool = member.tools().getFirst();
        assertThat(tool.name()).isEqualTo("rm\\u202e");
        assertThat(tool.description()).isEqualTo("Deletes\\n a file");
        assertThat(tool.hints()).extracting(TopicMember.Hint::words).containsExactly("may destroy", "reaches outside");
    }
}
