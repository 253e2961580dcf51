package dev.gavel.sep;

import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.sep.document.DocumentMetadata;

/**
 * A specification enhancement proposal (SEP) as replayed from the ledger: its number, its history and its document.
 * Immutable.
 *
 * @param metadata the fields that its document states
 * @param documentHash the SHA-256 of the document text, in hexadecimal digits, by which the text is looked up
 */
public record Sep(int number, LifecycleHistory history, DocumentMetadata metadata, String documentHash) {
    /** Returns the SEP's status after all events of its history. */
    public LifecycleSnapshot snapshot() {
        return history.snapshot().orElseThrow(() -> new IllegalStateException("SEP " + number + " has no events"));
    }

    public String state() {
        return snapshot().state();
    }

    /** Returns the title attribute, which follows the document, or the document's title if the attribute is not set. */
    public String title() {
        String titleAttribute = snapshot().attributes().get("title");
        return titleAttribute == null ? metadata.title() : titleAttribute;
    }
}
