package dev.gavel.mcp.facade.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ProgressNotificationFactoryTest {
    private final ProgressNotificationFactory progress = of(Json.of(7));

    private static ProgressNotificationFactory of(Json token) {
        return Objects.requireNonNull(ProgressNotificationFactory.of(token));
    }

    private static Json params(RpcMessage message) {
        return Json.parse(message.json()).orElseThrow().at("params");
    }

    private static Json toolProgress(String progress) {
        return Json.parse("{\"progress\":" + progress + ",\"total\":10,\"message\":\"so far\"}")
                .orElseThrow();
    }

    @Test
    void forwardsToolProgressUnchangedWithoutWaiting() {
        Json first = params(progress.toolNotification(toolProgress("0")));
        assertThat(first.at("progress").raw()).isEqualTo("0");
        assertThat(first.at("total").raw()).isEqualTo("10");
        assertThat(first.at("progressToken").raw()).isEqualTo("7");
        assertThat(first.at("message").text()).isEqualTo("so far");
        assertThat(params(progress.toolNotification(toolProgress("2.5")))
                        .at("progress")
                        .raw())
                .isEqualTo("2.5");
    }

    @Test
    void toolProgressContinuesAfterWaiting() {
        progress.waitingNotification("a");
        progress.waitingNotification("b");
        Json tool = params(progress.toolNotification(toolProgress("1")));
        assertThat(tool.at("progress").raw()).isEqualTo("3");
        assertThat(tool.at("total").raw()).isEqualTo("12");
    }

    @Test
    void hugeValuesIncrease() {
        List<Double> values = new ArrayList<>();
        for (String huge : List.of("1e20", "1e20", "1.7e308", "1.7e308", "1e999", "3")) {
            values.add(Double.parseDouble(params(progress.toolNotification(toolProgress(huge)))
                    .at("progress")
                    .text()));
            values.add(Double.parseDouble(
                    params(progress.waitingNotification("w")).at("progress").text()));
        }
        assertThat(values).doesNotHaveDuplicates().isSorted().allMatch(Double::isFinite);
    }

    @Test
    void acceptsOnlyTextOrNumberTokens() {
        assertThat(ProgressNotificationFactory.of(Json.ofText("t".repeat(256)))).isNotNull();
        assertThat(ProgressNotificationFactory.of(Json.ofText("t".repeat(257)))).isNull();
        for (String none : List.of("null", "true", "{}", "[1]")) {
            assertThat(ProgressNotificationFactory.of(Json.parse(none).orElseThrow()))
                    .isNull();
        }
        assertThat(ProgressNotificationFactory.of(Json.object().at("missing"))).isNull();
    }

    @Property(tries = 200)
    void valuesAlwaysIncrease(@ForAll List<@DoubleRange(min = -1e6, max = 1e6) Double> steps) {
        ProgressNotificationFactory any = of(Json.ofText("t"));
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            RpcMessage message = i % 3 == 0
                    ? any.waitingNotification("w")
                    : any.toolNotification(toolProgress(String.valueOf(steps.get(i))));
            values.add(Double.parseDouble(params(message).at("progress").text()));
        }
        for (int i = 1; i < values.size(); i++) {
            assertThat(values.get(i)).isGreaterThan(values.get(i - 1));
        }
    }
}
