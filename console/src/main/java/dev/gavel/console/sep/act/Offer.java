package dev.gavel.console.sep.act;

/**
 * Something a reader can do with a SEP.
 *
 * @param place where its form is
 * @param note what is still missing for it, or what is to be known; empty where nothing is
 * @param inPlace whether its form fits into the page it is offered on
 */
public record Offer(String name, String place, String note, Rank rank, boolean inPlace) {
    /** How it is offered. */
    public enum Rank {
        /** It is the next step. */
        FIRST,
        /** It is one of the usual ones. */
        USUAL,
        /** It is seldom wanted. */
        MORE,
        /** It is the end of it. */
        END
    }
}
