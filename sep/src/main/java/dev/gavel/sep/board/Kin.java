package dev.gavel.sep.board;

import dev.gavel.sep.similar.Similar;
import dev.gavel.sep.similar.SimilarityIndex;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the proposals on the board, by number or by what they are about. */
final class Kin {
    private static final int MOST = 5;

    private final Map<Integer, Entry> byNumber = new HashMap<>();
    private final SimilarityIndex index = new SimilarityIndex();

    private final BoardInput input;

    Kin(BoardInput input, List<Entry> entries) {
        this.input = input;
        for (Entry entry : entries) {
            byNumber.put(entry.number(), entry);
            String summary = input.summary().apply(entry.sep());
            if (!summary.isBlank()) {
                index.put(entry.number(), summary);
            }
        }
    }

    Optional<Entry> find(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /** Those about the same, the likest first. */
    List<Entry> of(Entry entry) {
        return index.like(input.summary().apply(entry.sep()), MOST + 1, SimilarityIndex.WORTH_SHOWING).stream()
                .map(Similar::number)
                .filter(number -> number != entry.number())
                .limit(MOST)
                .flatMap(number -> find(number).stream())
                .toList();
    }
}
