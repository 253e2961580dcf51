package dev.gavel.web.console.sep.action;

import java.util.List;

/**
 * An input field of a SEP action form. Immutable.
 *
 * @param name the name under which the value is submitted
 * @param hint further help; empty if the label is enough
 * @param value the value entered before
 * @param choices the values to choose from, or suggestions
 * @param error what is wrong with the value; empty if nothing is
 */
public record SepFormField(
        String name,
        String label,
        String hint,
        Control control,
        boolean required,
        String value,
        List<Choice> choices,
        String error) {
    /** The type of input control. */
    public enum Control {
        /** One line of text. */
        LINE,
        /** Several lines of text. */
        AREA,
        /** A URL. */
        LINK,
        DATE,
        /** The number of a SEP. */
        NUMBER,
        /** One of a few choices, all visible. */
        PILLS,
        /** One of several choices. */
        LIST,
        /** A checkbox. */
        CHECK,
        /** A person, with suggestions. */
        PERSON
    }

    /** A value that the user can choose. */
    public record Choice(String value, String label) {}

    public SepFormField {
        choices = List.copyOf(choices);
    }

    static SepFormField of(String name, String label, Control control) {
        return new SepFormField(name, label, "", control, false, "", List.of(), "");
    }

    SepFormField asRequired() {
        return new SepFormField(name, label, hint, control, true, value, choices, error);
    }

    SepFormField withHint(String words) {
        return new SepFormField(name, label, words, control, required, value, choices, error);
    }

    SepFormField withValue(String typed) {
        return new SepFormField(name, label, hint, control, required, typed, choices, error);
    }

    SepFormField withChoices(List<Choice> newChoices) {
        return new SepFormField(name, label, hint, control, required, value, newChoices, error);
    }

    SepFormField withError(String reason) {
        return new SepFormField(name, label, hint, control, required, value, choices, reason);
    }

    /** The prefix of the ids of the field's elements on the page. */
    public String id() {
        return "act-" + name.replace('.', '-');
    }
}
