package dev.gavel.mcpx.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void aNameThatCouldBeMisreadIsQuoted() {
        assertThat(SafeText.name("read_file")).isEqualTo("read_file");
        assertThat(SafeText.name("")).isEqualTo("\"\"");
        assertThat(SafeText.name("path ")).isEqualTo("\"path \"");
        assertThat(SafeText.name("read_file path=/tmp/ok")).isEqualTo("\"read_file path=/tmp/ok\"");
        assertThat(SafeText.name("a\"b")).isEqualTo("\"a\\\"b\"");
    }

    @Test
    void aLongTextKeepsItsBeginningAndItsEnd() {
        assertThat(SafeText.shortenMiddle("short", 10)).isEqualTo("short");
        assertThat(SafeText.shortenMiddle("begin" + "x".repeat(5_000) + "end", 10))
                .isEqualTo("begin … (4,998 characters not shown) … xxend");
    }

    @Test
    void ordinaryTextOfAnyLanguageStaysAsItIs() {
        String text = "Grüße, 世界, שלום, مرحبا, 🦀!";
        assertThat(SafeText.line(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00A0,
                0x2003,
                0x202F,
                0x3000,
                0x1680, // spaces that are not the ASCII space
                0x200B,
                0x200C,
                0x200D,
                0x2060,
                0xFEFF,
                0x00AD,
                0x2064, // zero-width characters
                0x061C,
                0x200E,
                0x202A,
                0x202E,
                0x2066,
                0x2069, // direction marks
                0x034F,
                0x115F,
                0x1160,
                0x17B4,
                0x180B,
                0x180E,
                0x180F,
                0x3164,
                0xFFA0,
                0x2800,
                0x2D7F,
                0x1107F,
                0x13441,
                0x13442,
                0x1D159, // blank letters
                0xFE00,
                0xFE0F,
                0xE0100,
                0xE01EF, // variation selectors without anything to vary
                0xE0001,
                0xE0020,
                0xE0061,
                0xE007F, // tags
                0xE000,
                0xF8FF,
                0xF0000,
                0x10FFFD, // private use
                0x0378,
                0x2065,
                0xFFF0,
                0xE0FFF,
                0xFFFF,
                0x10FFFF, // unassigned
                0xD800,
                0xDFFF, // halves of surrogate pairs
                0x0007,
                0x001B,
                0x007F,
                0x0085,
                0x2028,
                0x2029 // control characters
            })
    void eachHiddenCharacterIsEscapedAndCounted(int character) {
        String text = "hello" + Character.toString(character) + "world";
        assertThat(SafeText.line(text)).startsWith("hello\\u").endsWith("world");
        assertThat(SafeText.lines(text)).startsWith("hello\\u").endsWith("world");
        assertThat(SafeText.countHidden(text)).isEqualTo(1);
    }

    @Test
    void twentyTwoHiddenCharactersAreNotHelloWorld() {
        String hidden = "\u200b\u2060".repeat(11);
        assertThat(SafeText.line("hello" + hidden + " world")).isNotEqualTo("hello world");
        assertThat(SafeText.countHidden("hello" + hidden + " world")).isEqualTo(22);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "👩‍👩‍👧‍👦 👩🏽‍💻 ❤️ ❤️‍🔥 1️⃣ 🇩🇪 ☠︎ 🏳️‍🌈",
                "می‌خواهم", // Persian, with a non-joiner between letters
                "क्‍ष ശ്രീ", // Devanagari and Malayalam, with a joiner after a virama
                "Tiếng Việt", // marks on letters
                "שָׁלוֹם", // points
                "ภาษาไทย 한국어 ελληνικά Русский ꦗꦮ"
            })
    void whatJoinersAndMarksAreForStaysReadable(String text) {
        assertThat(SafeText.line(text)).isEqualTo(text);
        assertThat(SafeText.countHidden(text)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\u200db", // a joiner between letters that do not join
                "x\ufe0f", // a style of what has no style
                "1\ufe0f", // a digit that is not a keycap
                "❤\ufe0f\ufe0f", // a second style
                "\u0627\u200c\u0628", // a non-joiner after a letter that does not join
                "👩\u200d", // a joiner that joins nothing
                "\u0301a", // a mark on nothing
                "a \u0301" // a mark on a space
            })
    void joinersAndMarksThatChangeNothingAreEscaped(String text) {
        assertThat(SafeText.countHidden(text)).isEqualTo(1);
    }

    @Test
    void marksThatWouldCoverOtherLinesAreEscaped() {
        assertThat(SafeText.countHidden("a" + "\u0301".repeat(25))).isEqualTo(20);
    }

    @Test
    void anExcerptSaysHowMuchIsLeftOut() {
        assertThat(SafeText.excerpt("a".repeat(1_500), 10)).isEqualTo("aaaaaaaaaa… (1,490 more characters)");
        assertThat(SafeText.excerpt("abc", 3)).isEqualTo("abc");
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
                .noneMatch(each -> Character.isISOControl(each) || Character.getType(each) == Character.SURROGATE);
        assertThat(SafeText.countHidden(SafeText.line(text))).isZero();
    }
}
