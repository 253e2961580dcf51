package dev.gavel.sep.similarity;

/**
 * A proposal that is like what was asked about. Immutable.
 *
 * @param score from 0, no word in common, to 1, the same words as often
 */
public record SimilarSep(int number, double score) {}
