package dev.gavel.mcp.facade.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.catalog.ParticipantCatalog;
import dev.gavel.mcp.catalog.TopicCatalog;
import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
import dev.gavel.mcpx.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallerCatalogTest {
    private static FacadeCaller caller(String capabilities) {
        return TestCallers.of("caller", capabilities);
    }

    private static ParticipantCatalog offer(String participant, McpListType what, String... names) {
        return ParticipantCatalog.empty(participant)
                .withList(
                        what,
                        Arrays.stream(names)
                                .map(name -> Json.object()
                                        .with(what.keyField(), Json.ofText(name))
                                        .with("outputSchema", Json.object()))
                                .toList());
    }

    private static CallerCatalog of(ParticipantCatalog... participantCatalogs) {
        return new CallerCatalog(
                new TopicCatalog(List.of(participantCatalogs)), caller("['*']"), Set.of("gavel_status"));
    }

    private static String targetOfTool(CallerCatalog callerCatalog, String tool) {
        return callerCatalog
                .entries(McpListType.TOOLS, "tools/call", tool)
                .map(target -> target.participant() + " " + target.name())
                .orElse("nobody");
    }

    private static String participantOfResource(CallerCatalog callerCatalog, String uri) {
        return callerCatalog
                .findResource("resources/read", uri)
                .map(CallTarget::participant)
                .orElse("nobody");
    }

    @Test
    void participantsCannotTakeOthersToolNames() {
        CallerCatalog callerCatalog = of(
                offer("evil", McpListType.TOOLS, "files__read", "read", "git_log"),
                offer("files", McpListType.TOOLS, "read", "gavel_status"));
        assertThat(targetOfTool(callerCatalog, "files__read")).isEqualTo("files read");
        assertThat(targetOfTool(callerCatalog, "evil__files__read")).isEqualTo("evil files__read");
        assertThat(targetOfTool(callerCatalog, "evil__read")).isEqualTo("evil read");
        assertThat(targetOfTool(callerCatalog, "git_log")).isEqualTo("evil git_log");
        assertThat(targetOfTool(callerCatalog, "files__gavel_status")).isEqualTo("files gavel_status");
        assertThat(targetOfTool(callerCatalog, "read")).isEqualTo("nobody");
    }

    @Test
    void similarParticipantIdsDoNotCollide() {
        CallerCatalog callerCatalog = of(
                offer("a", McpListType.TOOLS, "b__c", "c"),
                offer("a__b", McpListType.TOOLS, "c"),
                offer("b", McpListType.TOOLS));
        assertThat(targetOfTool(callerCatalog, "a__b__c")).isEqualTo("a__b c");
        assertThat(targetOfTool(callerCatalog, "a__b__c_")).isEqualTo("a b__c");
    }

    @Test
    void mostSpecificTemplateWins() {
        CallerCatalog callerCatalog = of(
                offer("all", McpListType.TEMPLATES, "{x}"),
                offer("files", McpListType.TEMPLATES, "file:///{path}"),
                offer("logs", McpListType.TEMPLATES, "file:///logs/{day}"));
        assertThat(participantOfResource(callerCatalog, "file:///logs/1")).isEqualTo("logs");
        assertThat(participantOfResource(callerCatalog, "file:///a")).isEqualTo("files");
        assertThat(participantOfResource(callerCatalog, "file:///{path}")).isEqualTo("files");
        assertThat(participantOfResource(callerCatalog, "db://a")).isEqualTo("all");
        assertThat(participantOfResource(of(offer("files", McpListType.TEMPLATES, "file:///{path}")), "db://a"))
                .isEqualTo("nobody");
    }

    @Test
    void cachesDisplayNames() {
        TopicCatalog offers = new TopicCatalog(List.of(offer("a", McpListType.TOOLS, "x")));
        assertThat(offers.byDisplayName(McpListType.TOOLS, Set.of("y")))
                .isSameAs(offers.byDisplayName(McpListType.TOOLS, Set.of("y")));
    }

    @Test
    void removesOutputSchemaIfApprovalMayBeNeeded() {
        TopicCatalog offers = new TopicCatalog(List.of(offer("a", McpListType.TOOLS, "x")));
        String capabilities = "[{'kind':'mcp.request.tools/call:x','payload':{'params':{'arguments':{'dry':'true'}}}},"
                + "'mcp.proposal.*']";
        Json narrow = new CallerCatalog(offers, caller(capabilities), Set.of())
                .entries(McpListType.TOOLS, "tools/call")
                .getFirst();
        assertThat(narrow.at("outputSchema").isPresent()).isFalse();
        assertThat(narrow.at("_meta").at("dev.gavel/needsApproval").isTrue()).isTrue();
        Json wide = new CallerCatalog(offers, caller("['mcp.request.tools/call:x']"), Set.of())
                .entries(McpListType.TOOLS, "tools/call")
                .getFirst();
        assertThat(wide.at("outputSchema").isPresent()).isTrue();
        assertThat(wide.at("_meta").isPresent()).isFalse();
    }

    @Test
    void doesNotSayThatAToolNeedsATask() {
        Json tool = Json.parse("{\"name\":\"x\",\"execution\":{\"taskSupport\":\"required\"},\"title\":\"X\"}")
                .orElseThrow();
        CallerCatalog callerCatalog = of(ParticipantCatalog.empty("a").withList(McpListType.TOOLS, List.of(tool)));
        assertThat(callerCatalog.entries(McpListType.TOOLS, "tools/call"))
                .extracting(Json::raw)
                .containsExactly("{\"name\":\"x\",\"title\":\"X\"}");
    }
}
