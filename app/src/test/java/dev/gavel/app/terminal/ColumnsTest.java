package dev.gavel.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    @Test
    void someCharactersTakeTwoPlacesSomeNone() {
        assertThat(Columns.of("ab")).isEqualTo(2);
        assertThat(Columns.of("漢字")).isEqualTo(4);
        assertThat(Columns.of("e\u0301")).isEqualTo(1);
        assertThat(Columns.of("\u001b[31mred\u001b[0m")).isEqualTo(3);
    }

    @Test
    void whatSomeTerminalShowsInTwoPlacesTakesTwo() {
        for (int picture : new int[] {0x2705, 0x2b50, 0x231a, 0x1f1e9, 0x1f200, 0x1f251, 0x1f650, 0x1f9ff, 0x1fae0}) {
            assertThat(Columns.of(Character.toString(picture)))
                    .as("U+%x", picture)
                    .isEqualTo(2);
        }
        assertThat(Columns.of("\u2122\u203c\ue000\u0e4d\u20e3")).isGreaterThanOrEqualTo(8);
        assertThat(Columns.of("naïve Ψ Щ – … ↳ ≤ │")).isEqualTo(19);
    }

    /** By what Java itself knows of characters. */
    @Test
    void noPictureAndNoIdeographIsCountedAsNarrow() {
        assertThat(IntStream.rangeClosed(0x100, Character.MAX_CODE_POINT)
                        .filter(each -> Character.isEmojiPresentation(each) || Character.isIdeographic(each))
                        .filter(each -> Columns.of(Character.toString(each)) != 2))
                .isEmpty();
    }

    @Test
    void aTextIsBrokenAfterSpacesAndAfterLineBreaksThatAreShown() {
        assertThat(Columns.wrapped("one two three", 8)).containsExactly("one two ", "three");
        assertThat(Columns.wrapped("onetwothree", 4)).containsExactly("onet", "woth", "ree");
        assertThat(Columns.wrapped("\"one\\ntwo\\n\"", 80)).containsExactly("\"one\\n", "two\\n\"");
        assertThat(Columns.wrapped("", 5)).containsExactly("");
    }

    @Test
    void aColourGoesOnInTheNextPiece() {
        assertThat(Columns.wrapped("\u001b[31mabcdef\u001b[0m", 3))
                .containsExactly("\u001b[31mabc\u001b[0m", "\u001b[31mdef\u001b[0m");
    }

    @Test
    void whatDoesNotFitIsCutWithAMark() {
        assertThat(Columns.cut("漢字漢字", 5)).isEqualTo("漢字…");
        assertThat(Columns.cut("fits", 4)).isEqualTo("fits");
    }

    @Property
    void nothingIsLostWhereATextIsBrokenAndNoPieceIsTooWide(
            @ForAll String any, @ForAll @IntRange(min = 2, max = 60) int width) {
        String text = any.replace('\u001b', ' ');
        var pieces = Columns.wrapped(text, width);
        assertThat(pieces.stream().collect(Collectors.joining())).isEqualTo(text);
        assertThat(pieces).allMatch(piece -> Columns.of(piece) <= width);
    }
}
