package dev.gavel.sep.service;

import dev.gavel.sep.Sep;
import dev.gavel.sep.similarity.SimilarSep;
import dev.gavel.sep.similarity.SimilarityIndex;
import dev.gavel.sep.store.SepLedgerReader;
import java.util.List;

/**
 * Finds SEPs in the ledger that are similar to a given text or SEP, using an index that is loaded on first use. Loading
 * reads from the disk, so it must not be called on an event loop. Thread-safe.
 */
final class SimilarSepFinder {
    private final SepLedgerReader sepReader;
    private final SepIndex sepIndex;
    private final Runnable refresh;
    private final SimilarityIndex index = new SimilarityIndex();
    private boolean loaded;

    /**
     * Creates a finder with an empty index.
     *
     * @param refreshAction passes all events so far, and all later ones, to {@link #update}; never called while this object is
     *     locked, because {@link #update} waits for the lock
     */
    SimilarSepFinder(SepLedgerReader sepLedgerReader, SepIndex sharedIndex, Runnable refreshAction) {
        this.sepReader = sepLedgerReader;
        this.sepIndex = sharedIndex;
        this.refresh = refreshAction;
    }

    /** Updates the index after a SEP has changed. */
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

    /** Returns the SEPs similar to a text, the most similar first. */
    List<SimilarSep> findSimilar(String text, int limit) {
        refresh.run();
        load();
        return index.findSimilar(text, limit, SimilarityIndex.MIN_SHOWN_SCORE);
    }

    /** Returns the SEPs similar to a SEP, without the SEP itself. */
    List<SimilarSep> findSimilar(Sep sep, int limit) {
        return findSimilar(sepReader.documentSummary(sep.documentHash()).orElse(sep.title()), limit + 1).stream()
                .filter(each -> each.number() != sep.number())
                .limit(limit)
                .toList();
    }
}
