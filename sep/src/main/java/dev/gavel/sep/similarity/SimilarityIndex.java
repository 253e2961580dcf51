package dev.gavel.sep.similarity;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * In-memory index that finds SEPs similar to a text by cosine similarity of weighted term counts.
 *
 * <p>Thread-safe; readers do not block each other. The memory for a document is bounded, because only its first 8,000
 * characters are indexed.
 */
public final class SimilarityIndex {
    /** The minimum score at which a similar SEP is shown to a proposer; calibrated on real SEPs. */
    public static final double MIN_SHOWN_SCORE = 0.2;

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, TermPostingList> words = new HashMap<>();
    private final Map<Integer, Integer> slotOf = new HashMap<>();
    private final List<@Nullable IndexedDocument> indexedDocuments = new ArrayList<>();
    private final BitSet free = new BitSet();

    /** The number of documents when the term weights were last computed. */
    private int weightedSize;

    /** The terms of a document, and its vector norm. */
    private static final class IndexedDocument {
        private final int number;
        private final String[] words;
        private float norm;

        private IndexedDocument(int number, String[] words) {
            this.number = number;
            this.words = words;
        }
    }

    /** Adds a SEP or replaces the one with the same number. The first line of the text is the title. */
    public void put(int number, String text) {
        Map<String, Float> counts = TermCounter.countTerms(text);
        lock.writeLock().lock();
        try {
            drop(number);
            add(number, counts);
            updateWeights();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Removes a SEP. */
    public void remove(int number) {
        lock.writeLock().lock();
        try {
            drop(number);
            updateWeights();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Returns the number of SEPs. */
    public int size() {
        lock.readLock().lock();
        try {
            return slotOf.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Returns the SEPs most similar to a text, the most similar first; of equal scores, the lower number first.
     *
     * @param text the text, with its title as the first line
     * @param atLeast the minimum score
     */
    public List<SimilarSep> findSimilar(String text, int limit, double atLeast) {
        Map<String, Float> counts = TermCounter.countTerms(text);
        if (limit <= 0) {
            return List.of();
        }
        lock.readLock().lock();
        try {
            return best(counts, limit, atLeast);
        } finally {
            lock.readLock().unlock();
        }
    }

    private List<SimilarSep> best(Map<String, Float> counts, int limit, double atLeast) {
        float[] dots = new float[indexedDocuments.size()];
        double square = 0;
        for (Map.Entry<String, Float> each : counts.entrySet()) {
            TermPostingList postings = words.get(each.getKey());
            float rarity = postings == null ? inverseFrequency(0) : postings.inverseFrequency;
            float weight = dampen(each.getValue()) * rarity;
            square += (double) weight * weight;
            if (postings != null) {
                float factor = weight * rarity;
                for (int i = 0; i < postings.size; i++) {
                    dots[postings.slots[i]] += factor * postings.counts[i];
                }
            }
        }
        float length = (float) Math.sqrt(square);
        PriorityQueue<SimilarSep> best = new PriorityQueue<>(worstFirst());
        for (int slot = 0; slot < dots.length; slot++) {
            IndexedDocument indexedDocument = indexedDocuments.get(slot);
            if (indexedDocument == null || dots[slot] == 0) {
                continue;
            }
            // Floating-point sums in another order differ in their last digits, so the score is rounded and limited to
            // 1.
            double score =
                    Math.min(1, Math.round(dots[slot] / ((double) length * indexedDocument.norm) * 10_000) / 10_000.0);
            if (score >= atLeast) {
                best.add(new SimilarSep(indexedDocument.number, score));
                if (best.size() > limit) {
                    best.poll();
                }
            }
        }
        return best.stream().sorted(worstFirst().reversed()).toList();
    }

    private static Comparator<SimilarSep> worstFirst() {
        return Comparator.comparingDouble(SimilarSep::score)
                .thenComparing(Comparator.comparingInt(SimilarSep::number).reversed());
    }

    private void add(int number, Map<String, Float> counts) {
        IndexedDocument indexedDocument = new IndexedDocument(number, new String[counts.size()]);
        int slot = free.nextSetBit(0);
        if (slot < 0) {
            slot = indexedDocuments.size();
            indexedDocuments.add(indexedDocument);
        } else {
            free.clear(slot);
            indexedDocuments.set(slot, indexedDocument);
        }
        slotOf.put(number, slot);
        double square = 0;
        int i = 0;
        for (Map.Entry<String, Float> each : counts.entrySet()) {
            TermPostingList postings =
                    words.computeIfAbsent(each.getKey(), word -> new TermPostingList(word, inverseFrequency(0)));
            indexedDocument.words[i++] = postings.word();
            float count = dampen(each.getValue());
            postings.add(slot, count);
            square += (double) count * postings.inverseFrequency * count * postings.inverseFrequency;
        }
        indexedDocument.norm = (float) Math.sqrt(square);
    }

    private void drop(int number) {
        Integer slot = slotOf.remove(number);
        if (slot == null) {
            return;
        }
        IndexedDocument indexedDocument = indexedDocuments.set(slot, null);
        free.set(slot);
        if (indexedDocument != null) {
            for (String word : indexedDocument.words) {
                TermPostingList postings = words.get(word);
                if (postings != null) {
                    postings.remove(slot);
                    if (postings.size == 0) {
                        words.remove(word);
                    }
                }
            }
        }
    }

    /**
     * Recomputes all term weights once the number of documents has changed by five percent. In between, the weights are
     * frozen, so that adding a document costs no more than its own terms, and all scores are comparable.
     */
    private void updateWeights() {
        if (Math.abs(slotOf.size() - weightedSize) * 20L < weightedSize) {
            return;
        }
        weightedSize = slotOf.size();
        double[] squares = new double[indexedDocuments.size()];
        for (TermPostingList postings : words.values()) {
            postings.inverseFrequency = inverseFrequency(postings.size);
            for (int i = 0; i < postings.size; i++) {
                double weight = (double) postings.counts[i] * postings.inverseFrequency;
                squares[postings.slots[i]] += weight * weight;
            }
        }
        for (int slot = 0; slot < squares.length; slot++) {
            IndexedDocument indexedDocument = indexedDocuments.get(slot);
            if (indexedDocument != null) {
                indexedDocument.norm = (float) Math.sqrt(squares[slot]);
            }
        }
    }

    private float inverseFrequency(int documents) {
        return (float) Math.log1p((double) Math.max(1, weightedSize) / Math.max(1, documents));
    }

    /** Dampens a term count logarithmically, because each repetition of a term carries less information. */
    private static float dampen(float count) {
        return 1 + (float) Math.log(count);
    }
}
