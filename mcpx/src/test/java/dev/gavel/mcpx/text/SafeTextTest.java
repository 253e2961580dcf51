package dev.gavel.mcpx.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SafeTextTest {
    @Test
    void whatATerminalWouldObeyIsShown() {
        assertThat(SafeText.line("a\u001b[2Jb\u009b31mc\u0007\u007f"))
                .isEqualTo("a\\u001b[2Jb\\u009b31mc\\u0007\\u007f");
    }

    @Test
    void whatTurnsOrHidesTextIsShown() {
        assertThat(SafeText.line("safe\u202etxt.exe\u2066\u200b")).isEqualTo("safe\\u202etxt.exe\\u2066\\u200b");
        assertThat(SafeText.line(new String(Character.toChars(0xE0041)))).isEqualTo("\\u{e0041}");
    }

    @Test
    void aLineStaysOneAndLinesStayLines() {
        assertThat(SafeText.line("a\nb\r\tc\u2028d")).isEqualTo("a\\nb\\r\\tc\\u2028d");
        assertThat(SafeText.lines("a\r\nb\n\tc\rd")).isEqualTo("a\nb\n\tc\\rd");
    }

    @Test
    void ordinaryTextOfAnyLanguageStaysAsItIs() {
        String text = "Grüße, 世界, שלום, مرحبا, 🦀!";
        assertThat(SafeText.line(text)).isEqualTo(text);
    }

    @Test
    void whatIsTooLongEndsInADot() {
        assertThat(SafeText.brief("🦀🦀🦀🦀", 3)).isEqualTo("🦀🦀…");
        assertThat(SafeText.brief("abc", 3)).isEqualTo("abc");
    }

    @Test
    void jsonCannotBeWrittenOver() {
        assertThat(SafeText.json("{\"a\":1,\r\n\r\"b\":\"\\r\"}")).isEqualTo("{\"a\":1, \n \"b\":\"\\r\"}");
    }

    @Property
    void jsonMeansTheSameAndHasNothingDangerousLeft(@ForAll String text) {
        Json json = Json.ofText(text);
        String safe = SafeText.json(json.raw());
        assertThat(Json.parse(safe)).contains(json);
        assertThat(SafeText.line(safe)).isEqualTo(safe);
    }

    @Property
    void nothingDangerousIsLeftInAnyText(@ForAll String text) {
        assertThat(SafeText.line(text).codePoints())
                .noneMatch(each -> Character.isISOControl(each)
                        || Character.getType(each) == Character.FORMAT
                        || Character.getType(each) == Character.SURROGATE);
    }
}
