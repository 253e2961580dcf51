package dev.gavel.mcp.facade.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how the facade's own tools list proposals within their size limits. */
class GavelToolsProposalListTest {
    private static ProposalView view(int number, int length, String status) {
        return view(number, "{\"name\":\"write\",\"arguments\":{\"text\":\"" + "x".repeat(length) + "\"}}", status);
    }

    private static ProposalView view(int number, String params, String status) {
        Instant now = Instant.EPOCH;
        String payload = "{\"params\":" + params + "}";
        return new ProposalView(
                "p" + number,
                "agent",
                List.of(),
                Kind.of("mcp.proposal.tools/call:write"),
                RawPayload.of(payload.getBytes(StandardCharsets.UTF_8)),
                ProposalState.OPEN,
                Optional.empty(),
                List.of(),
                now,
                List.of(),
                Optional.empty(),
                new LifecycleGuidance("open", status, now, List.of(), List.of(), "decide", List.of(), Optional.empty()),
                List.of(),
                MemberNames.IDS);
    }

    private static List<ProposalView> views(int count, int length, String status) {
        return IntStream.range(0, count)
                .mapToObj(number -> view(number, length, status))
                .toList();
    }

    private static List<Json> proposals(Json answer) {
        return answer.at("structuredContent").at("proposals").elements();
    }

    private static String resultText(Json answer) {
        return answer.at("content").elements().getFirst().at("text").text();
    }

    @Test
    void textIsShortAndStructuredContentIsComplete() {
        Json answer = GavelTools.renderProposals(views(2, 5_000, "waits"), "");
        assertThat(resultText(answer).lines()).hasSize(2).allMatch(line -> line.length() < 500);
        assertThat(proposals(answer)).hasSize(2).allSatisfy(each -> {
            assertThat(each.at("params").at("arguments").at("text").text()).hasSize(5_000);
            assertThat(each.at("truncated").isPresent()).isFalse();
        });
    }

    @Test
    void textNamesEveryParameter() {
        assertThat(paramsText("{\"name\":\"write\",\"arguments\":[\"rm -rf /\"]}"))
                .contains("write [\"rm -rf /\"] from");
        assertThat(paramsText("{\"name\":\"write\",\"arguments\":{},\"task\":{\"ttl\":1},\"uri\":\"u\"}"))
                .contains("write {} and 2 other parameters: {\"task\":{\"ttl\":1},\"uri\":\"u\"} from");
        assertThat(paramsText("{\"name\":\"write\",\"_meta\":{\"a\":1}}"))
                .contains(" and 7 characters of metadata from the client from");
        assertThat(paramsText("{\"name\":\"write\",\"_meta\":{\"progressToken\":\"p1\"}}"))
                .doesNotContain("metadata");
    }

    private static String paramsText(String params) {
        return resultText(GavelTools.renderProposals(List.of(view(1, params, "waits")), ""));
    }

    @Test
    void truncatesArguments() {
        Json answer = GavelTools.renderProposals(views(50, 100_000, "waits"), "");
        assertThat(answer.raw()).hasSizeLessThan(300 << 10);
        assertThat(proposals(answer)).hasSize(50);
        assertThat(proposals(answer).stream().filter(each -> each.at("params").isPresent()))
                .hasSize(2);
        assertThat(proposals(answer).subList(2, 50))
                .allMatch(each -> each.at("truncated").isTrue());
    }

    @Test
    void truncatesProposals() {
        Json answer = GavelTools.renderProposals(views(50, 10, "w".repeat(20_000)), "");
        assertThat(answer.raw()).hasSizeLessThan(300 << 10);
        assertThat(proposals(answer)).isNotEmpty().hasSizeLessThan(50);
        assertThat(answer.at("structuredContent").at("truncated").isTrue()).isTrue();
        assertThat(resultText(answer))
                .containsPattern("\nNot shown, because the answer would be too long: [0-9]+ more\\.$");
    }
}
