package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageFrame;
import java.util.List;
import java.util.Optional;

/**
 * The page that asks an admin to confirm a change.
 *
 * @param explanation what comes of it
 * @param warning what it means for the reader themself
 * @param action where it is done
 * @param hiddenFields what is sent along
 * @param button what it is called to do it
 * @param cancelPath where one goes who does not
 */
public record ConfirmPage(
        PageFrame frame,
        String question,
        String explanation,
        Optional<String> warning,
        String action,
        List<HiddenField> hiddenFields,
        String button,
        String cancelPath) {
    public ConfirmPage {
        hiddenFields = List.copyOf(hiddenFields);
    }

    /** A field of the form that nobody sees. */
    public record HiddenField(String name, String value) {}
}
