package dev.gavel.web.console.sep.action;

import java.util.List;

/**
 * An input field of a SEP action form. Immutable.
 *
 * @param name by which it is sent
 * @param hint what may be said of it besides; empty where the label is enough
 * @param value what was typed already
 * @param choices those to choose from, or to be reminded of
 * @param error what is wrong with what was typed; empty where nothing is
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
    /** How something is filled in. */
    public enum Control {
        /** On a line. */
        LINE,
        /** On several. */
        AREA,
        /** An address. */
        LINK,
        /** A day. */
        DATE,
        /** The number of a SEP. */
        NUMBER,
        /** One of a few, all of which are seen. */
        PILLS,
        /** One of several. */
        LIST,
        /** Yes or no. */
        CHECK,
        /** Somebody, with those who come to mind. */
        PERSON
    }

    /** One of those to choose from. */
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

    SepFormField withChoices(List<Choice> several) {
        return new SepFormField(name, label, hint, control, required, value, several, error);
    }

    SepFormField withError(String why) {
        return new SepFormField(name, label, hint, control, required, value, choices, why);
    }

    /** What its parts are called on the page. */
    public String id() {
        return "act-" + name.replace('.', '-');
    }
}
