package dev.gavel.sep.similarity;

import java.util.Arrays;

/** The documents that contain a term, with the term's count in each, for the similarity index. Not thread-safe. */
final class TermPostings {
    private final String word;
    int[] slots = new int[2];
    float[] counts = new float[2];
    int size;

    /** How much a document says by this word; frozen until the index weighs all words anew. */
    float inverseFrequency;

    TermPostings(String word, float rarity) {
        this.word = word;
        this.inverseFrequency = rarity;
    }

    /** The word, of which one copy is kept however many documents have it. */
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
