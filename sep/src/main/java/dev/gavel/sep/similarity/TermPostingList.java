package dev.gavel.sep.similarity;

import java.util.Arrays;

/** The SEPs that contain one term, with the term's count in each, for the similarity index. Not thread-safe. */
final class TermPostingList {
    private final String word;
    int[] slots = new int[2];
    float[] counts = new float[2];
    int size;

    /** The weight of the term; frozen until the index recomputes all weights. */
    float inverseFrequency;

    TermPostingList(String word, float rarity) {
        this.word = word;
        this.inverseFrequency = rarity;
    }

    /** Returns the term. All documents share this one string. */
    String word() {
        return word;
    }

    void add(int slot, float count) {
        if (size == slots.length) {
            int room = Math.max(4, size + (size >> 1));
            slots = Arrays.copyOf(slots, room);
            counts = Arrays.copyOf(counts, room);
        }
        slots[size] = slot;
        counts[size] = count;
        size++;
    }

    void remove(int slot) {
        for (int i = 0; i < size; i++) {
            if (slots[i] == slot) {
                size--;
                slots[i] = slots[size];
                counts[i] = counts[size];
                return;
            }
        }
    }
}
