package dev.gavel.sep;

import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.sep.document.DocumentMetadata;

/**
 * A specification enhancement proposal (SEP) as replayed from the ledger: its number, its history and its document.
 * Immutable.
 *
 * @param metadata what its document says
 * @param documentHash the SHA-256 of its text, in hexadecimal digits, by which the text is found
 */
public record Sep(int number, LifecycleHistory history, DocumentMetadata metadata, String documentHash) {
    /** How it stands. */
    public LifecycleSnapshot snapshot() {
        return history.snapshot().orElseThrow(() -> new IllegalStateException("SEP " + number + " has not begun"));
    }

    /** The state it is in. */
    public String state() {
        return snapshot().state();
    }

    /** What it is called: as its attributes say, which follow its document. */
    public String title() {
        String said = snapshot().attributes().get("title");
        return said == null ? metadata.title() : said;
    }
}
