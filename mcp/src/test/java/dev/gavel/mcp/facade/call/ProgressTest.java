package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final Progress progress = of(Json.of(7));

    private static Progress of(Json token) {
        return Objects.requireNonNull(Progress.of(token));
    }

    private static Json params(Message message) {
        return Json.parse(message.json()).orElseThrow().at("params");
    }

    private static Json said(String progress) {
        return Json.parse("{\"progress\":" + progress + ",\"total\":10,\"message\":\"so far\"}")
                .orElseThrow();
    }

    @Test
    void aToolThatNobodyWaitedForIsQuotedAsItIs() {
        Json first = params(progress.tool(said("0")));
        assertThat(first.at("progress").raw()).isEqualTo("0");
        assertThat(first.at("total").raw()).isEqualTo("10");
        assertThat(first.at("progressToken").raw()).isEqualTo("7");
        assertThat(first.at("message").text()).isEqualTo("so far");
        assertThat(params(progress.tool(said("2.5"))).at("progress").raw()).isEqualTo("2.5");
    }

    @Test
    void theToolGoesOnAboveTheWaiting() {
        progress.waiting("a");
        progress.waiting("b");
        Json tool = params(progress.tool(said("1")));
        assertThat(tool.at("progress").raw()).isEqualTo("3");
        assertThat(tool.at("total").raw()).isEqualTo("12");
    }

    @Test
    void hugeNumbersGrowToo() {
        List<Double> told = new ArrayList<>();
        for (String huge : List.of("1e20", "1e20", "1.7e308", "1.7e308", "1e999", "3")) {
            told.add(Double.parseDouble(
                    params(progress.tool(said(huge))).at("progress").text()));
            told.add(Double.parseDouble(
                    params(progress.waiting("w")).at("progress").text()));
        }
        assertThat(told).doesNotHaveDuplicates().isSorted().allMatch(Double::isFinite);
    }

    @Test
    void onlyATextOrANumberIsAToken() {
        assertThat(Progress.of(Json.ofText("t".repeat(256)))).isNotNull();
        assertThat(Progress.of(Json.ofText("t".repeat(257)))).isNull();
        for (String none : List.of("null", "true", "{}", "[1]")) {
            assertThat(Progress.of(Json.parse(none).orElseThrow())).isNull();
        }
        assertThat(Progress.of(Json.object().at("missing"))).isNull();
    }

    @Property(tries = 200)
    void itAlwaysGrows(@ForAll List<@DoubleRange(min = -1e6, max = 1e6) Double> steps) {
        Progress any = of(Json.ofText("t"));
        List<Double> told = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Message message = i % 3 == 0 ? any.waiting("w") : any.tool(said(String.valueOf(steps.get(i))));
            told.add(Double.parseDouble(params(message).at("progress").text()));
        }
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i)).isGreaterThan(told.get(i - 1));
        }
    }
}
