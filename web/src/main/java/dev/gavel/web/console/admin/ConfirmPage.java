package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;
import java.util.Optional;

/**
 * The page that asks an admin to confirm a change.
 *
 * @param explanation the consequence of the change
 * @param warning the consequence for the admin who confirms it
 * @param action the path to which the form is submitted
 * @param hiddenFields the fields that are submitted with the form
 * @param button the label of the confirm button
 * @param cancelPath the page to which the cancel link leads
 */
public record ConfirmPage(
        PageLayoutData frame,
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

    /** A hidden field of the form. */
    public record HiddenField(String name, String value) {}
}
