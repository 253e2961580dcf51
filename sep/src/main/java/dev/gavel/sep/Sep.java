package dev.gavel.sep;

import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.DocumentPath;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A specification enhancement proposal (SEP) as replayed from the ledger: its number, its history and its document.
 * Immutable.
 *
 * @param metadata the fields that its document states
 * @param versions the versions of its document, oldest first; the texts are looked up by their hashes
 * @param documentPath where the document was last imported from; empty if it was never imported
 */
public record Sep(
        int number,
        LifecycleHistory history,
        DocumentMetadata metadata,
        List<DocumentVersion> versions,
        Optional<DocumentPath> documentPath) {
    public Sep {
        versions = List.copyOf(versions);
    }

    /**
     * Creates a SEP whose document never changed and was not imported.
     *
     * @param documentHash the SHA-256 of the document text, in hexadecimal digits
     */
    public Sep(int number, LifecycleHistory history, DocumentMetadata metadata, String documentHash) {
        this(number, history, metadata, List.of(new DocumentVersion(0, documentHash)), Optional.empty());
    }

    /** Returns the SEP's status after all events of its history. */
    public LifecycleSnapshot snapshot() {
        return history.snapshot().orElseThrow(() -> new IllegalStateException("proposal " + number + " has no events"));
    }

    /** Returns when the SEP was submitted, here or in the project from which it was imported. */
    public Instant submittedAt() {
        return history.events().getFirst() instanceof LifecycleEvent.Submitted submitted
                ? submitted.submittedAt()
                : snapshot().submittedAt();
    }

    public String state() {
        return snapshot().state();
    }

    /** Returns the hash of the current document; empty if the SEP has none. */
    public String documentHash() {
        return versions.isEmpty() ? "" : versions.getLast().hash();
    }

    /** Returns the hash of the document that was current at an event; empty if there was none. */
    public String documentHashAt(int event) {
        return versions.reversed().stream()
                .filter(version -> version.firstEvent() <= event)
                .map(DocumentVersion::hash)
                .findFirst()
                .orElse("");
    }

    /** Returns the title attribute, which follows the document, or the document's title if the attribute is not set. */
    public String title() {
        String titleAttribute = snapshot().attributes().get("title");
        return titleAttribute == null ? metadata.title() : titleAttribute;
    }
}
