package dev.gavel.sep.service;

import dev.gavel.sep.document.DocumentMetadata;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Chooses the number of a new SEP: the one its document names if it is free, otherwise the next free one. Which one it
 * is becomes certain only where the ledger is written, by what is free there by then. Immutable.
 *
 * @param next one above all there were
 * @param sameDocument the proposals that had the same document
 * @param unrestricted whether whoever asks may have any number
 */
record SepNumberAllocator(int next, List<Integer> sameDocument, boolean unrestricted) {
    /** Numbers above this are somebody's mistake. */
    static final int MAX_NUMBER = 999_999;

    /** All later numbers follow the highest, so not everybody may put it far ahead. */
    private static final int MAX_GAP = 1_000;

    SepNumberAllocator {
        sameDocument = List.copyOf(sameDocument);
    }

    /** The number a proposal gets: the one its document says, where that can be, and else the next; none where none is left. */
    OptionalInt allocate(DocumentMetadata documentMetadata, IntPredicate isFree) {
        int said = documentMetadata.number().orElse(0);
        return said > 0 && isWithinReach(said) && isFree.test(said) ? OptionalInt.of(said) : next(isFree);
    }

    private boolean isWithinReach(int said) {
        return said <= MAX_NUMBER && (unrestricted || said - next < MAX_GAP);
    }

    /** The first that is free after all there were. */
    OptionalInt next(IntPredicate isFree) {
        int number = Math.max(1, next);
        while (number <= MAX_NUMBER && !isFree.test(number)) {
            number++;
        }
        return number <= MAX_NUMBER ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /** The numbers under which the same document may be kept already, also since a moment ago. */
    IntStream candidates(DocumentMetadata documentMetadata, IntPredicate isFree) {
        return IntStream.concat(
                        IntStream.concat(
                                sameDocument.stream().mapToInt(Integer::intValue), documentMetadata.number().stream()),
                        IntStream.rangeClosed(Math.max(1, next), MAX_NUMBER).takeWhile(number -> !isFree.test(number)))
                .distinct();
    }

    /** Why a proposal does not have the number its document says. */
    List<String> advice(DocumentMetadata documentMetadata, int number) {
        int said = documentMetadata.number().orElse(number);
        if (said == number) {
            return List.of();
        }
        String here = "; it is SEP-" + number + " here. Say so in its title.";
        if (said <= 0 || said > MAX_NUMBER) {
            return List.of("The document says SEP-" + said + ", and numbers go from 1 to " + MAX_NUMBER + here);
        }
        return List.of(
                isWithinReach(said)
                        ? "The document says SEP-" + said + ", which is taken" + here
                        : "The document says SEP-" + said + ", which is too far ahead: the highest is " + (next - 1)
                                + ", and only who decides or administers may leave out more than " + MAX_GAP
                                + " numbers"
                                + here);
    }
}
