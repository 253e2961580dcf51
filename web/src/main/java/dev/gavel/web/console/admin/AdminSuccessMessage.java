package dev.gavel.web.console.admin;

import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The confirmation that an admin page shows after a successful change, selected by a query parameter. The parameter
 * only selects one of these texts, so that a crafted link cannot make the page show any other text.
 */
enum AdminSuccessMessage {
    ROLES("Roles saved. They apply immediately, to all tokens of the identity."),
    REVOKED("Token revoked. Its sessions and connections are closed."),
    REVOKED_ALL("All tokens revoked. Their sessions and connections are closed."),
    SAVED("Saved. The change is in effect."),
    REMOVED("Removed from the topic."),
    RESET("Reset to the configuration.");

    private final String text;

    AdminSuccessMessage(String noticeText) {
        this.text = noticeText;
    }

    /** Returns the path of a page that shows this confirmation. */
    String addTo(String path) {
        return path + "?done=" + name().toLowerCase(Locale.ROOT);
    }

    /** Returns the text of the confirmation that a request selects, if any. */
    static Optional<String> fromRequest(RoutingContext context) {
        String word = context.request().getParam("done", "");
        return Arrays.stream(values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
                .map(each -> each.text)
                .findFirst();
    }
}
