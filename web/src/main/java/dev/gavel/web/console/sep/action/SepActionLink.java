package dev.gavel.web.console.sep.action;

/**
 * A link to an action that the reader may take on a SEP.
 *
 * @param path where its form is
 * @param note what is still missing for it, or what is to be known; empty where nothing is
 * @param inline whether its form fits into the page it is offered on
 */
public record SepActionLink(String name, String path, String note, Rank rank, boolean inline) {
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
