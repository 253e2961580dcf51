package dev.gavel.mcp.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final Progress progress = new Progress(Json.of(7));

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

    @Property(tries = 200)
    void itAlwaysGrows(@ForAll List<@DoubleRange(min = -1e6, max = 1e6) Double> steps) {
        Progress any = new Progress(Json.ofText("t"));
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
