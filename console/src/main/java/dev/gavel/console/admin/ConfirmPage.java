package dev.gavel.console.admin;

import dev.gavel.console.Frame;
import java.util.List;
import java.util.Optional;

/**
 * A page that asks whether something is really to be done.
 *
 * @param words what comes of it
 * @param warning what it means for the reader themself
 * @param action where it is done
 * @param values what is sent along
 * @param button what it is called to do it
 * @param back where one goes who does not
 */
public record ConfirmPage(
        Frame frame,
        String question,
        String words,
        Optional<String> warning,
        String action,
        List<Value> values,
        String button,
        String back) {
    public ConfirmPage {
        values = List.copyOf(values);
    }

    /** A field of the form that nobody sees. */
    public record Value(String name, String value) {}
}
