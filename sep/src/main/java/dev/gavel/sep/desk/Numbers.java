package dev.gavel.sep.desk;

import dev.gavel.sep.document.Outline;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What was known of numbers a moment before one is given. Which one it is becomes certain only where the ledger is written,
 * by what is free there by then. Immutable.
 *
 * @param next one above all there were
 * @param alike the proposals that had the same document
 * @param trusted whether whoever asks may have any number
 */
record Numbers(int next, List<Integer> alike, boolean trusted) {
    /** Numbers above this are somebody's mistake. */
    static final int HIGHEST = 999_999;

    /** All later numbers follow the highest, so not everybody may put it far ahead. */
    private static final int LEAP = 1_000;

    Numbers {
        alike = List.copyOf(alike);
    }

    /** The number a proposal gets: the one its document says, where that can be, and else the next; none where none is left. */
    OptionalInt given(Outline outline, IntPredicate isFree) {
        int said = outline.number().orElse(0);
        return said > 0 && isWithinReach(said) && isFree.test(said) ? OptionalInt.of(said) : next(isFree);
    }

    private boolean isWithinReach(int said) {
        return said <= HIGHEST && (trusted || said - next < LEAP);
    }

    /** The first that is free after all there were. */
    OptionalInt next(IntPredicate isFree) {
        int number = Math.max(1, next);
        while (number <= HIGHEST && !isFree.test(number)) {
            number++;
        }
        return number <= HIGHEST ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /** The numbers under which the same document may be kept already, also since a moment ago. */
    IntStream candidates(Outline outline, IntPredicate isFree) {
        return IntStream.concat(
                        IntStream.concat(alike.stream().mapToInt(Integer::intValue), outline.number().stream()),
                        IntStream.rangeClosed(Math.max(1, next), HIGHEST).takeWhile(number -> !isFree.test(number)))
                .distinct();
    }

    /** Why a proposal does not have the number its document says. */
    List<String> advice(Outline outline, int number) {
        int said = outline.number().orElse(number);
        if (said == number) {
            return List.of();
        }
        String here = "; it is SEP-" + number + " here. Say so in its title.";
        if (said <= 0 || said > HIGHEST) {
            return List.of("The document says SEP-" + said + ", and numbers go from 1 to " + HIGHEST + here);
        }
        return List.of(
                isWithinReach(said)
                        ? "The document says SEP-" + said + ", which is taken" + here
                        : "The document says SEP-" + said + ", which is too far ahead: the highest is " + (next - 1)
                                + ", and only who decides or administers may leave out more than " + LEAP + " numbers"
                                + here);
    }
}
