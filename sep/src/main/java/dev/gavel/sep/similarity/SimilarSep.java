package dev.gavel.sep.similarity;

/**
 * The number of a similar SEP, and its similarity score from 0 to 1. Immutable.
 *
 * @param score from 0 (no term in common) to 1 (the same terms with the same counts)
 */
public record SimilarSep(int number, double score) {}
