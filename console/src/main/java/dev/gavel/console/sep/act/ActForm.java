package dev.gavel.console.sep.act;

import dev.gavel.sep.desk.Verb;
import java.util.List;
import java.util.Optional;

/**
 * The form for one thing that can be done with a SEP. Immutable.
 *
 * @param path where it is sent, and asked for
 * @param says what it means, in a sentence or two
 * @param ticks what is so already, and what the form cannot help with
 * @param groups what is to be filled in
 * @param button what its button says; nothing where it cannot be done at all
 * @param danger whether it should not be done by mistake
 * @param complaint why it was not done
 */
public record ActForm(
        int number,
        String title,
        String state,
        Verb verb,
        String path,
        String heading,
        String says,
        List<Tick> ticks,
        List<Group> groups,
        Optional<String> button,
        boolean danger,
        Optional<String> complaint) {
    /** Something the step needs: whether it is there, and by what, or what stands in the way. */
    public record Tick(String says, boolean met, String detail) {}

    /**
     * What is filled in together.
     *
     * @param legend what for; empty where its one field says so itself
     */
    public record Group(String legend, List<Field> fields) {
        public Group {
            fields = List.copyOf(fields);
        }

        static Group of(Field field) {
            return new Group("", List.of(field));
        }
    }

    public ActForm {
        ticks = List.copyOf(ticks);
        groups = List.copyOf(groups);
    }

    /** Where the SEP itself is. */
    public String back() {
        return Acts.page(number);
    }
}
