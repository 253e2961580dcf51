package dev.gavel.mcpx.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DisplayWidthTest {
    @Test
    void someCharactersTakeTwoPlacesSomeNone() {
        assertThat(DisplayWidth.of("ab")).isEqualTo(2);
        assertThat(DisplayWidth.of("漢字")).isEqualTo(4);
        assertThat(DisplayWidth.of("e\u0301")).isEqualTo(1);
        assertThat(DisplayWidth.of("\u001b[31mred\u001b[0m")).isEqualTo(3);
    }

    @Test
    void whatSomeTerminalShowsInTwoPlacesTakesTwo() {
        for (int picture : new int[] {0x2705, 0x2b50, 0x231a, 0x1f1e9, 0x1f200, 0x1f251, 0x1f650, 0x1f9ff, 0x1fae0}) {
            assertThat(DisplayWidth.of(Character.toString(picture)))
                    .as("U+%x", picture)
                    .isEqualTo(2);
        }
        assertThat(DisplayWidth.of("\u2122\u203c\ue000\u0e4d\u20e3")).isGreaterThanOrEqualTo(8);
        assertThat(DisplayWidth.of("naïve Ψ Щ – … ↳ ≤ │")).isEqualTo(19);
    }

    /** Compares with the character properties of the JDK. */
    @Test
    void noPictureAndNoIdeographIsCountedAsNarrow() {
        assertThat(IntStream.rangeClosed(0x100, Character.MAX_CODE_POINT)
                        .filter(each -> Character.isEmojiPresentation(each) || Character.isIdeographic(each))
                        .filter(each -> DisplayWidth.of(Character.toString(each)) != 2))
                .isEmpty();
    }

    @Test
    void aTextIsBrokenAfterSpacesAndAfterLineBreaksThatAreShown() {
        assertThat(DisplayWidth.wrap("one two three", 8)).containsExactly("one two ", "three");
        assertThat(DisplayWidth.wrap("onetwothree", 4)).containsExactly("onet", "woth", "ree");
        assertThat(DisplayWidth.wrap("\"one\\ntwo\\n\"", 80)).containsExactly("\"one\\n", "two\\n\"");
        assertThat(DisplayWidth.wrap("", 5)).containsExactly("");
    }

    @Test
    void aColourGoesOnInTheNextPiece() {
        assertThat(DisplayWidth.wrap("\u001b[31mabcdef\u001b[0m", 3))
                .containsExactly("\u001b[31mabc\u001b[0m", "\u001b[31mdef\u001b[0m");
    }

    @Test
    void whatDoesNotFitIsCutWithAMark() {
        assertThat(DisplayWidth.truncate("漢字漢字", 5)).isEqualTo("漢字…");
        assertThat(DisplayWidth.truncate("fits", 4)).isEqualTo("fits");
    }

    @Property
    void nothingIsLostWhereATextIsBrokenAndNoPieceIsTooWide(
            @ForAll String any, @ForAll @IntRange(min = 2, max = 60) int width) {
        String text = any.replace('\u001b', ' ');
        var pieces = DisplayWidth.wrap(text, width);
        assertThat(pieces.stream().collect(Collectors.joining())).isEqualTo(text);
        assertThat(pieces).allMatch(piece -> DisplayWidth.of(piece) <= width);
    }
}
