package dev.gavel.lifecycle.process;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A field of a document's preamble that Gavel reads, such as the status. A {@link DocumentFormat} defines its labels. */
public enum PreambleKey {
    NUMBER,
    TITLE,
    STATUS,
    TYPE,
    CREATED,
    AUTHOR,
    SPONSOR,
    DISCUSSION,
    ISSUE,
    PR,
    SUPERSEDES,
    REPLACES,
    REQUIRES,
    SUPERSEDED_BY;

    /** Returns the name of the key in process files. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the key with a name in process files. */
    public static Optional<PreambleKey> of(String wireName) {
        return Arrays.stream(values())
                .filter(key -> key.wireName().equals(wireName))
                .findFirst();
    }
}
