package dev.gavel.sep.service;

import dev.gavel.sep.document.DocumentMetadata;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Chooses the number of a new SEP: the one its document names if it is free, otherwise the next free one. The choice is
 * final only in the ledger writer's task, which knows the free numbers at that moment. Immutable.
 *
 * @param next one above the highest number when the allocator was created
 * @param sameDocument the SEPs with the same document when the allocator was created
 * @param unrestricted whether the caller may choose any number
 */
record SepNumberAllocator(int next, List<Integer> sameDocument, boolean unrestricted) {
    /** The highest number. A larger number is regarded as a mistake. */
    static final int MAX_NUMBER = 999_999;

    /**
     * The maximum distance above the next number for most callers, because all later numbers follow the highest one.
     */
    private static final int MAX_GAP = 1_000;

    SepNumberAllocator {
        sameDocument = List.copyOf(sameDocument);
    }

    /**
     * Returns the number that the document states if it is allowed and free, otherwise the next free number; empty if
     * no number is left.
     */
    OptionalInt allocate(DocumentMetadata documentMetadata, IntPredicate isFree) {
        int statedNumber = documentMetadata.number().orElse(0);
        return statedNumber > 0 && isWithinReach(statedNumber) && isFree.test(statedNumber)
                ? OptionalInt.of(statedNumber)
                : next(isFree);
    }

    private boolean isWithinReach(int statedNumber) {
        return statedNumber <= MAX_NUMBER && (unrestricted || statedNumber - next < MAX_GAP);
    }

    /** Returns the first free number above the existing ones. */
    OptionalInt next(IntPredicate isFree) {
        int number = Math.max(1, next);
        while (number <= MAX_NUMBER && !isFree.test(number)) {
            number++;
        }
        return number <= MAX_NUMBER ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /**
     * Returns the numbers under which the same document may already be stored, including numbers assigned since the
     * allocator was created.
     */
    IntStream candidates(DocumentMetadata documentMetadata, IntPredicate isFree) {
        return IntStream.concat(
                        IntStream.concat(
                                sameDocument.stream().mapToInt(Integer::intValue), documentMetadata.number().stream()),
                        IntStream.rangeClosed(Math.max(1, next), MAX_NUMBER).takeWhile(number -> !isFree.test(number)))
                .distinct();
    }

    /** Returns why the SEP does not have the number that its document states; empty if it has it. */
    List<String> advice(DocumentMetadata documentMetadata, int number) {
        int statedNumber = documentMetadata.number().orElse(number);
        if (statedNumber == number) {
            return List.of();
        }
        String suffix = ". It is now SEP-" + number + ". Change its title accordingly.";
        if (statedNumber <= 0 || statedNumber > MAX_NUMBER) {
            return List.of(
                    "The document says SEP-" + statedNumber + ", but numbers go from 1 to " + MAX_NUMBER + suffix);
        }
        return List.of(
                isWithinReach(statedNumber)
                        ? "The document says SEP-" + statedNumber + ", but this number is taken" + suffix
                        : "The document says SEP-" + statedNumber + ", but the highest number is " + (next - 1)
                                + ", and only admins and voters can skip more than " + MAX_GAP + " numbers"
                                + suffix);
    }
}
