package dev.gavel.mcpx;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names seen so far in each object that is open while a text is read, to find one that is repeated. Names come with
 * their escapes resolved, so no way of writing hides a repetition. Not thread-safe; one for each reading.
 */
final class FieldNames {
    /** Up to here comparing with each is quicker than hashing. */
    private static final int FEW = 12;

    private final int most;
    private String[] names = new String[32];
    private int size;
    private int[] starts = new int[16];
    private @Nullable Set<String>[] many = none(16);
    private int open;

    FieldNames(int most) {
        this.most = most;
    }

    /** An object begins. */
    void open() {
        if (open == starts.length) {
            starts = Arrays.copyOf(starts, open * 2);
            many = Arrays.copyOf(many, open * 2);
        }
        starts[open++] = size;
    }

    /** The object opened last ends. */
    void close() {
        open--;
        size = starts[open];
        many[open] = null;
    }

    /** Takes a name of the object opened last; gives what is wrong with that, or null. */
    @Nullable
    String add(String name) {
        int start = starts[open - 1];
        int count = size - start;
        if (count >= most) {
            return "an object has more than " + most + " fields";
        }
        if (repeated(name, start, count)) {
            return "the name " + Excerpt.of(name) + " is repeated in one object";
        }
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
        }
        names[size++] = name;
        return null;
    }

    private boolean repeated(String name, int start, int count) {
        if (count <= FEW) {
            for (int i = start; i < size; i++) {
                if (names[i].equals(name)) {
                    return true;
                }
            }
            return false;
        }
        Set<String> seen = many[open - 1];
        if (seen == null) {
            seen = new HashSet<>(Arrays.asList(names).subList(start, size));
            many[open - 1] = seen;
        }
        return !seen.add(name);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of a parameterised type.
    private static @Nullable Set<String>[] none(int length) {
        return new Set[length];
    }
}
