package dev.gavel.sep.board;

import dev.gavel.sep.similarity.SimilarSep;
import dev.gavel.sep.similarity.SimilarityIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Index of the SEPs on a static board: looks them up by number and finds those similar to one of them. */
final class BoardSepIndex {
    private static final int MAX_SIMILAR = 5;

    private final Map<Integer, BoardEntry> byNumber = new HashMap<>();
    private final SimilarityIndex index = new SimilarityIndex();

    private final BoardInput input;

    BoardSepIndex(BoardInput input, List<BoardEntry> entries) {
        this.input = input;
        for (BoardEntry entry : entries) {
            byNumber.put(entry.number(), entry);
            String summary = input.summary().apply(entry.sep());
            if (!summary.isBlank()) {
                index.put(entry.number(), summary);
            }
        }
    }

    Optional<BoardEntry> find(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /** Returns the most similar SEPs, the most similar first. */
    List<BoardEntry> similarTo(BoardEntry entry) {
        return index
                .findSimilar(input.summary().apply(entry.sep()), MAX_SIMILAR + 1, SimilarityIndex.MIN_SHOWN_SCORE)
                .stream()
                .map(SimilarSep::number)
                .filter(number -> number != entry.number())
                .limit(MAX_SIMILAR)
                .flatMap(number -> find(number).stream())
                .toList();
    }
}
