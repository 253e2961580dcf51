package dev.gavel.sep.service;

import dev.gavel.lifecycle.process.ProposalTerms;
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
 * @param lowestFree the lowest free number when the allocator was created; used if no number is left above the others
 * @param sameDocument the SEPs with the same document when the allocator was created
 * @param skip how many numbers the caller may skip
 */
record SepNumberAllocator(int next, int lowestFree, List<Integer> sameDocument, Skip skip) {
    /** The highest number. A larger number is regarded as a mistake. */
    static final int MAX_NUMBER = 999_999;

    /** How many numbers above the next one a caller may skip, because all later numbers follow the highest one. */
    enum Skip {
        /** For callers without a role. */
        NONE(0),
        /** For callers with a role. */
        SOME(1_000),
        /** For admins and voters. */
        ANY(MAX_NUMBER);

        private final int count;

        Skip(int count) {
            this.count = count;
        }
    }

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
        return statedNumber <= MAX_NUMBER && statedNumber - Math.max(1, next) <= skip.count;
    }

    /** Returns the first free number above the existing ones, or else the lowest free number. */
    OptionalInt next(IntPredicate isFree) {
        OptionalInt above = firstFree(Math.max(1, next), isFree);
        return above.isPresent() ? above : firstFree(lowestFree, isFree);
    }

    private static OptionalInt firstFree(int from, IntPredicate isFree) {
        return IntStream.rangeClosed(from, MAX_NUMBER).filter(isFree).findFirst();
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
    List<String> advice(DocumentMetadata documentMetadata, int number, ProposalTerms terms) {
        int statedNumber = documentMetadata.number().orElse(number);
        if (statedNumber == number) {
            return List.of();
        }
        String suffix = ". It is now " + terms.numberLabel(number) + ". Change its title accordingly.";
        if (statedNumber <= 0 || statedNumber > MAX_NUMBER) {
            return List.of("The document says " + terms.numberLabel(statedNumber) + ", but numbers go from 1 to "
                    + MAX_NUMBER + suffix);
        }
        return List.of(
                isWithinReach(statedNumber)
                        ? "The document says " + terms.numberLabel(statedNumber) + ", but this number is taken" + suffix
                        : "The document says " + terms.numberLabel(statedNumber) + ", but the highest number is "
                                + (next - 1) + ", and " + skipRule() + suffix);
    }

    private String skipRule() {
        return skip == Skip.NONE
                ? "only people with a role can skip numbers"
                : "only admins and voters can skip more than " + skip.count + " numbers";
    }
}
