package dev.gavel.sep.similar;

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
 * The words of every proposal, to find those that are like a text: the cosine between their word counts, where a word
 * counts the more the fewer have it, and the first line of a text, its title, counts more than the rest.
 *
 * <p>Thread-safe; readers do not block each other. What it keeps of a document is bounded, for only the first 8,000
 * characters are looked at.
 */
public final class SimilarityIndex {
    /** From here on two proposals are worth showing to whoever submits one; tried on real ones. */
    public static final double WORTH_SHOWING = 0.2;

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Postings> words = new HashMap<>();
    private final Map<Integer, Integer> slotOf = new HashMap<>();
    private final List<@Nullable Entry> entries = new ArrayList<>();
    private final BitSet free = new BitSet();

    /** How many documents there were when words were last weighed. */
    private int weighed;

    /** A document's words, and how long the arrow is that they make. */
    private static final class Entry {
        private final int number;
        private final String[] words;
        private float length;

        private Entry(int number, String[] words) {
            this.number = number;
            this.words = words;
        }
    }

    /** Takes a proposal in, in place of what was known under its number; its title is the first line. */
    public void put(int number, String text) {
        Map<String, Float> counts = Words.of(text);
        lock.writeLock().lock();
        try {
            drop(number);
            add(number, counts);
            weigh();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Forgets a proposal. */
    public void remove(int number) {
        lock.writeLock().lock();
        try {
            drop(number);
            weigh();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** How many proposals there are. */
    public int size() {
        lock.readLock().lock();
        try {
            return slotOf.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * The proposals most like a text, the likest first, of equals the lower number first.
     *
     * @param text with its title as the first line
     * @param atLeast the least score worth naming
     */
    public List<Similar> like(String text, int limit, double atLeast) {
        Map<String, Float> counts = Words.of(text);
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

    private List<Similar> best(Map<String, Float> counts, int limit, double atLeast) {
        float[] dots = new float[entries.size()];
        double square = 0;
        for (Map.Entry<String, Float> each : counts.entrySet()) {
            Postings postings = words.get(each.getKey());
            float rarity = postings == null ? rarity(0) : postings.rarity;
            float weight = damped(each.getValue()) * rarity;
            square += (double) weight * weight;
            if (postings != null) {
                float factor = weight * rarity;
                for (int i = 0; i < postings.size; i++) {
                    dots[postings.slots[i]] += factor * postings.counts[i];
                }
            }
        }
        float length = (float) Math.sqrt(square);
        PriorityQueue<Similar> best = new PriorityQueue<>(worstFirst());
        for (int slot = 0; slot < dots.length; slot++) {
            Entry entry = entries.get(slot);
            if (entry == null || dots[slot] == 0) {
                continue;
            }
            // Sums of the same numbers in another order differ in their last digits; nothing is liker than the same.
            double score = Math.min(1, Math.round(dots[slot] / ((double) length * entry.length) * 10_000) / 10_000.0);
            if (score >= atLeast) {
                best.add(new Similar(entry.number, score));
                if (best.size() > limit) {
                    best.poll();
                }
            }
        }
        return best.stream().sorted(worstFirst().reversed()).toList();
    }

    private static Comparator<Similar> worstFirst() {
        return Comparator.comparingDouble(Similar::score)
                .thenComparing(Comparator.comparingInt(Similar::number).reversed());
    }

    private void add(int number, Map<String, Float> counts) {
        Entry entry = new Entry(number, new String[counts.size()]);
        int slot = free.nextSetBit(0);
        if (slot < 0) {
            slot = entries.size();
            entries.add(entry);
        } else {
            free.clear(slot);
            entries.set(slot, entry);
        }
        slotOf.put(number, slot);
        double square = 0;
        int i = 0;
        for (Map.Entry<String, Float> each : counts.entrySet()) {
            Postings postings = words.computeIfAbsent(each.getKey(), word -> new Postings(word, rarity(0)));
            entry.words[i++] = postings.word();
            float count = damped(each.getValue());
            postings.add(slot, count);
            square += (double) count * postings.rarity * count * postings.rarity;
        }
        entry.length = (float) Math.sqrt(square);
    }

    private void drop(int number) {
        Integer slot = slotOf.remove(number);
        if (slot == null) {
            return;
        }
        Entry entry = entries.set(slot, null);
        free.set(slot);
        if (entry != null) {
            for (String word : entry.words) {
                Postings postings = words.get(word);
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
     * Weighs every word anew once the number of documents is another by a twentieth. Between, weights are frozen, so
     * that adding one document costs no more than its own words, and all scores are of one measure.
     */
    private void weigh() {
        if (Math.abs(slotOf.size() - weighed) * 20L < weighed) {
            return;
        }
        weighed = slotOf.size();
        double[] squares = new double[entries.size()];
        for (Postings postings : words.values()) {
            postings.rarity = rarity(postings.size);
            for (int i = 0; i < postings.size; i++) {
                double weight = (double) postings.counts[i] * postings.rarity;
                squares[postings.slots[i]] += weight * weight;
            }
        }
        for (int slot = 0; slot < squares.length; slot++) {
            Entry entry = entries.get(slot);
            if (entry != null) {
                entry.length = (float) Math.sqrt(squares[slot]);
            }
        }
    }

    private float rarity(int documents) {
        return (float) Math.log1p((double) Math.max(1, weighed) / Math.max(1, documents));
    }

    /** The tenth time a word is said it says less than the first time. */
    private static float damped(float count) {
        return 1 + (float) Math.log(count);
    }
}
