package dev.gavel.web.console.admin;

import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The confirmation that an admin page shows after a change, selected by a query parameter. It goes by a word in its
 * address, so that nobody can have it say anything else.
 */
enum AdminNotice {
    ROLES("The roles are set, for all tokens and from now on."),
    REVOKED("Revoked: whoever used it is signed out and cut off."),
    REVOKED_ALL("All tokens are revoked: whoever used them is signed out and cut off."),
    SAVED("Saved, and in effect."),
    REMOVED("Taken out of the topic."),
    RESET("It is again what the configuration says.");

    private final String text;

    AdminNotice(String words) {
        this.text = words;
    }

    /** The address of a page that says it. */
    String addTo(String path) {
        return path + "?done=" + name().toLowerCase(Locale.ROOT);
    }

    /** What a page that was asked for is to say. */
    static Optional<String> fromRequest(RoutingContext context) {
        String word = context.request().getParam("done", "");
        return Arrays.stream(values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
                .map(each -> each.text)
                .findFirst();
    }
}
