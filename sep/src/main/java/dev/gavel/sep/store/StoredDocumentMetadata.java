package dev.gavel.sep.store;

import dev.gavel.sep.document.DocumentMetadata;

/** The hash and metadata of a SEP document that is stored in the ledger. Immutable. */
public record StoredDocumentMetadata(String hash, DocumentMetadata metadata) {}
