package dev.gavel.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Capabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CapabilityLinesTest {
    private static final String OBJECT =
            "{\"kind\":\"mcp.request.tools/call\",\"payload\":{\"params\":{\"name\":\"read\"}}}";

    private static Capabilities read(String text) {
        return Capabilities.fromJson(CapabilityLines.json(text).raw().getBytes(UTF_8))
                .orThrow();
    }

    @Test
    void whatIsWrittenIsReadAndWrittenAgain() {
        String text = "chat.*\nmcp.proposal.*\n" + OBJECT;
        assertThat(CapabilityLines.faults(text)).isEmpty();
        assertThat(CapabilityLines.of(read(text))).isEqualTo(text);
    }

    @Test
    void emptyLinesAndSpaceAroundThemMeanNothing() {
        assertThat(read("\r\n  chat.* \r\n\r\n\tmcpx.*")).isEqualTo(read("chat.*\nmcpx.*"));
        assertThat(CapabilityLines.faults("\n \n")).isEmpty();
        assertThat(CapabilityLines.json(" ").raw()).isEqualTo("[]");
    }

    @Test
    void whatIsWrongIsSaidWithItsLine() {
        assertThat(CapabilityLines.faults("chat.*\n\nno kind\n{\"kind\":\n{\"knd\":\"chat\"}"))
                .satisfiesExactly(
                        third -> assertThat(third).startsWith("Line 3: ").contains("no kind"),
                        fourth -> assertThat(fourth).startsWith("Line 4: it begins like a JSON object and is none"),
                        fifth -> assertThat(fifth).startsWith("Line 5: ").contains("knd"));
    }

    @Test
    void aQuoteIsAMistakeOfItsLineAndNotOfTheWhole() {
        assertThat(CapabilityLines.faults("chat.*\n\"],\"*")).hasSize(1);
    }

    @Test
    void ofVeryManyMistakesTheFirstAreSaid() {
        assertThat(CapabilityLines.faults("x\n".repeat(100))).hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    void everyPresetIsRight(Preset preset) {
        assertThat(CapabilityLines.faults(preset.text())).isEmpty();
        assertThat(Preset.of(preset.word())).contains(preset);
        assertThat(read(preset.text()).asList()).isNotEmpty();
    }
}
