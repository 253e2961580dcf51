package dev.gavel.sep;

/**
 * A version of a SEP's document. Immutable.
 *
 * @param firstEvent the index of the event that added the document, in the history of the SEP
 * @param hash the SHA-256 of the document text, in hexadecimal digits
 */
public record DocumentVersion(int firstEvent, String hash) {}
