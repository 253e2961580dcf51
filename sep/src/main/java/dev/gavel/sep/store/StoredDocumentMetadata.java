package dev.gavel.sep.store;

import dev.gavel.sep.document.DocumentMetadata;

/** A document that is kept, and what it says. Immutable. */
public record StoredDocumentMetadata(String hash, DocumentMetadata metadata) {}
