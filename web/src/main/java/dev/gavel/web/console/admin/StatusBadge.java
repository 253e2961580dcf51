package dev.gavel.web.console.admin;

import java.util.Locale;

/**
 * A status text with the colour in which the admin pages show it.
 *
 * @param text the status in words, so that the colour is never the only indication
 */
public record StatusBadge(Tone tone, String text) {
    /** The colour of the status. */
    public enum Tone {
        GOOD,
        BAD,
        WARN,
        QUIET;

        /** The name of the tone in style sheets. */
        public String cssClass() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static StatusBadge good(String statusText) {
        return new StatusBadge(Tone.GOOD, statusText);
    }

    public static StatusBadge bad(String statusText) {
        return new StatusBadge(Tone.BAD, statusText);
    }

    public static StatusBadge warn(String statusText) {
        return new StatusBadge(Tone.WARN, statusText);
    }

    public static StatusBadge quiet(String statusText) {
        return new StatusBadge(Tone.QUIET, statusText);
    }
}
