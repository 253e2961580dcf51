package dev.gavel.sep.store;

import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.DocumentPath;
import java.util.Optional;

/**
 * The hash and metadata of a SEP document that is stored in the ledger. Immutable.
 *
 * @param path where the document was imported from; empty if it was not imported
 */
public record StoredDocumentMetadata(String hash, DocumentMetadata metadata, Optional<DocumentPath> path) {
    public StoredDocumentMetadata(String hash, DocumentMetadata metadata) {
        this(hash, metadata, Optional.empty());
    }

    /** Returns a copy with the path from which the document was imported. */
    public StoredDocumentMetadata withPath(Optional<DocumentPath> importedFrom) {
        return new StoredDocumentMetadata(hash, metadata, importedFrom);
    }
}
