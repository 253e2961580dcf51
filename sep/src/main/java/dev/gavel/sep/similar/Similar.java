package dev.gavel.sep.similar;

/**
 * A proposal that is like what was asked about. Immutable.
 *
 * @param score from 0, no word in common, to 1, the same words as often
 */
public record Similar(int number, double score) {}
