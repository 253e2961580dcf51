package dev.gavel.web.console.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.CapabilitySet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CapabilityTextFormatTest {
    private static final String OBJECT =
            "{\"kind\":\"mcp.request.tools/call\",\"payload\":{\"params\":{\"name\":\"read\"}}}";

    private static CapabilitySet read(String text) {
        return CapabilitySet.fromJson(CapabilityTextFormat.toJson(text).raw().getBytes(UTF_8))
                .orThrow();
    }

    @Test
    void whatIsWrittenIsReadAndWrittenAgain() {
        String text = "chat.*\nmcp.proposal.*\n" + OBJECT;
        assertThat(CapabilityTextFormat.validate(text)).isEmpty();
        assertThat(CapabilityTextFormat.format(read(text))).isEqualTo(text);
    }

    @Test
    void emptyLinesAndSpaceAroundThemMeanNothing() {
        assertThat(read("\r\n  chat.* \r\n\r\n\tmcpx.*")).isEqualTo(read("chat.*\nmcpx.*"));
        assertThat(CapabilityTextFormat.validate("\n \n")).isEmpty();
        assertThat(CapabilityTextFormat.toJson(" ").raw()).isEqualTo("[]");
    }

    @Test
    void whatIsWrongIsSaidWithItsLine() {
        assertThat(CapabilityTextFormat.validate("chat.*\n\nno kind\n{\"kind\":\n{\"knd\":\"chat\"}"))
                .satisfiesExactly(
                        third -> assertThat(third).startsWith("Line 3: ").contains("no kind"),
                        fourth -> assertThat(fourth).startsWith("Line 4: not a valid JSON object"),
                        fifth -> assertThat(fifth).startsWith("Line 5: ").contains("knd"));
    }

    @Test
    void aNegationThatAllowsWhatItSeemsToForbidIsAnErrorOfItsLine() {
        assertThat(CapabilityTextFormat.validate("chat.*\n{\"kind\":\"mcp.request.tools/call\",\"payload\":"
                        + "{\"params\":{\"arguments\":{\"path\":\"! /etc/*\"}}}}"))
                .singleElement()
                .asString()
                .startsWith("Line 2: ")
                .contains("'! /etc/*'", "would allow what it seems to forbid.")
                .doesNotEndWith("..");
    }

    @Test
    void aQuoteIsAMistakeOfItsLineAndNotOfTheWhole() {
        assertThat(CapabilityTextFormat.validate("chat.*\n\"],\"*")).hasSize(1);
    }

    @Test
    void ofVeryManyMistakesTheFirstAreSaid() {
        assertThat(CapabilityTextFormat.validate("x\n".repeat(100))).hasSize(5);
    }

    @ParameterizedTest
    @EnumSource
    void everyPresetIsRight(CapabilityPreset preset) {
        assertThat(CapabilityTextFormat.validate(preset.capabilities())).isEmpty();
        assertThat(CapabilityPreset.of(preset.value())).contains(preset);
        assertThat(read(preset.capabilities()).asList()).isNotEmpty();
    }
}
