package dev.gavel.sep.service;

import dev.gavel.sep.Sep;
import dev.gavel.sep.similarity.SimilarSep;
import dev.gavel.sep.similarity.SimilarityIndex;
import dev.gavel.sep.store.SepLedgerReader;
import java.util.List;

/**
 * Finds SEPs in the ledger that are similar to a text or to a SEP, with an index that it loads on first use. What they
 * are found by is read from the disk when somebody first asks; not on an event loop. Thread-safe.
 */
final class SimilarSepFinder {
    private final SepLedgerReader sepReader;
    private final SepIndex sepIndex;
    private final Runnable refresh;
    private final SimilarityIndex index = new SimilarityIndex();
    private boolean loaded;

    /**
     * One that knows nothing yet.
     *
     * @param follow has {@link #update} told of everything up to now, and of everything from then on; never called with
     *     this locked, which {@link #update} waits for
     */
    SimilarSepFinder(SepLedgerReader sepLedgerReader, SepIndex catalogue, Runnable follow) {
        this.sepReader = sepLedgerReader;
        this.sepIndex = catalogue;
        this.refresh = follow;
    }

    /** Takes note of a proposal that changed. */
    synchronized void update(Sep sep) {
        if (loaded) {
            sepReader.documentSummary(sep.documentHash()).ifPresent(text -> index.put(sep.number(), text));
        }
    }

    private synchronized void load() {
        if (!loaded) {
            sepIndex.documentHashes()
                    .forEach((number, hash) ->
                            sepReader.documentSummary(hash).ifPresent(text -> index.put(number, text)));
            loaded = true;
        }
    }

    /** Those like a text, the most alike first. */
    List<SimilarSep> findSimilar(String text, int limit) {
        refresh.run();
        load();
        return index.findSimilar(text, limit, SimilarityIndex.MIN_SHOWN_SCORE);
    }

    /** Those like a proposal, itself left out. */
    List<SimilarSep> findSimilar(Sep sep, int limit) {
        return findSimilar(sepReader.documentSummary(sep.documentHash()).orElse(sep.title()), limit + 1).stream()
                .filter(each -> each.number() != sep.number())
                .limit(limit)
                .toList();
    }
}
