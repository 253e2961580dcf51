package dev.gavel.sep.sweep;

import java.util.List;
import java.util.Optional;

/** What there is to tell, in the ledger's order. Thread-safe. */
@FunctionalInterface
public interface Outbox {
    /** What happened after a seq, the earliest first, at most so many; empty where nothing did. */
    List<Letter> after(long seq, int most);

    /**
     * Something that happened.
     *
     * @param notice what is to be told of it, if anything
     */
    record Letter(long seq, Optional<Notice> notice) {}
}
