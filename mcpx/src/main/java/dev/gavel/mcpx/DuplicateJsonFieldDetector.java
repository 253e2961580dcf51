package dev.gavel.mcpx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects duplicate field names, and objects with too many fields, while a JSON text is parsed. The names arrive with
 * their escapes resolved, so escapes cannot hide a repetition. Not thread-safe; create one for each parse.
 */
final class DuplicateJsonFieldDetector {
    /** Up to this many names, comparing with each is faster than a set. */
    private static final int LINEAR_SEARCH_LIMIT = 24;

    private final int maxFields;
    private String[] names = new String[20];
    private int size;
    private int[] starts = new int[8];
    /** A bit for the hash of each name, by open object: an unset bit proves that a name is new. */
    private long[] hashes = new long[8];

    private int openObjects;
    /** The names of open objects with many fields, by nesting depth. */
    private @Nullable Map<Integer, Set<String>> largeNameSets;

    DuplicateJsonFieldDetector(int maxFields) {
        this.maxFields = maxFields;
    }

    /** Starts an object. */
    void beginObject() {
        if (openObjects == starts.length) {
            starts = Arrays.copyOf(starts, openObjects * 2);
            hashes = Arrays.copyOf(hashes, openObjects * 2);
        }
        starts[openObjects] = size;
        hashes[openObjects] = 0;
        openObjects++;
    }

    /** Ends the innermost open object. */
    void endObject() {
        openObjects--;
        if (largeNameSets != null) {
            largeNameSets.remove(openObjects);
        }
        size = starts[openObjects];
    }

    /** Adds a name to the innermost open object; returns the problem, or null if there is none. */
    @Nullable
    String add(String name) {
        int object = openObjects - 1;
        int start = starts[object];
        if (size - start >= maxFields) {
            return "an object has more than " + maxFields + " fields";
        }
        long bit = 1L << name.hashCode();
        if ((hashes[object] & bit) != 0 && isRepeated(name, start)) {
            return "the name " + InputExcerptFormatter.quote(name) + " is repeated in one object";
        }
        hashes[object] |= bit;
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
        }
        names[size++] = name;
        Set<String> seen = largeNameSets == null ? null : largeNameSets.get(object);
        if (seen != null) {
            seen.add(name);
        }
        return null;
    }

    private boolean isRepeated(String name, int start) {
        if (size - start > LINEAR_SEARCH_LIMIT) {
            return nameSet(start).contains(name);
        }
        for (int i = start; i < size; i++) {
            if (names[i].equals(name)) {
                return true;
            }
        }
        return false;
    }

    private Set<String> nameSet(int start) {
        if (largeNameSets == null) {
            largeNameSets = new HashMap<>();
        }
        return largeNameSets.computeIfAbsent(
                openObjects - 1, _ -> new HashSet<>(Arrays.asList(names).subList(start, size)));
    }
}
