package dev.gavel.web.console.sep.action;

/**
 * A link to an action that the reader may take on a SEP.
 *
 * @param path the path of the action's form
 * @param note what is still missing, or what the reader should know; empty if there is nothing
 * @param inline whether the form can open in the page that shows the link
 */
public record SepActionLink(String name, String path, String note, Rank rank, boolean inline) {
    /** How prominently the link is shown. */
    public enum Rank {
        /** The next step. */
        FIRST,
        /** A common action. */
        USUAL,
        /** A rare action. */
        MORE,
        /** An action that ends the SEP. */
        END
    }
}
