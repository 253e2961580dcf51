package dev.gavel.mcp.facade.stateful;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;

class InputRequestTranslatorTest {
    private static String inputCapabilities(String declared) {
        return InputRequestTranslator.inputCapabilities(Json.parse(declared).orElseThrow())
                .compact();
    }

    @Test
    void onlyTheCapabilitiesForInputCount() {
        assertThat(inputCapabilities("{\"elicitation\":{\"form\":{}},\"roots\":true,\"experimental\":{}}"))
                .isEqualTo("{\"elicitation\":{\"form\":{}}}");
    }

    @Test
    void theDetailsOfACapabilityAreNotStoredIfTheyAreLong() {
        assertThat(inputCapabilities("{\"sampling\":{\"tools\":\"" + "x".repeat(1_024) + "\"}}"))
                .isEqualTo("{\"sampling\":{}}");
    }
}
