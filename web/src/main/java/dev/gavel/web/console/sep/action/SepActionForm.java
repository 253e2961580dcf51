package dev.gavel.web.console.sep.action;

import dev.gavel.sep.service.SepOperation;
import dev.gavel.web.console.sep.SepActions;
import java.util.List;
import java.util.Optional;

/**
 * The form for one action on a SEP, with its requirements, fields and errors. Immutable.
 *
 * @param path where it is sent, and asked for
 * @param explanation what it means, in a sentence or two
 * @param requirements what is so already, and what the form cannot help with
 * @param groups what is to be filled in
 * @param button what its button says; nothing where it cannot be done at all
 * @param danger whether it should not be done by mistake
 * @param complaint why it was not done
 */
public record SepActionForm(
        int number,
        String title,
        String state,
        SepOperation sepOperation,
        String path,
        String heading,
        String explanation,
        List<RequirementStatus> requirements,
        List<FieldGroup> groups,
        Optional<String> button,
        boolean danger,
        Optional<String> complaint) {
    /** Something the step needs: whether it is there, and by what, or what stands in the way. */
    public record RequirementStatus(String label, boolean met, String detail) {}

    /**
     * What is filled in together.
     *
     * @param legend what for; empty where its one field says so itself
     */
    public record FieldGroup(String legend, List<SepFormField> fields) {
        public FieldGroup {
            fields = List.copyOf(fields);
        }

        static FieldGroup of(SepFormField field) {
            return new FieldGroup("", List.of(field));
        }
    }

    public SepActionForm {
        requirements = List.copyOf(requirements);
        groups = List.copyOf(groups);
    }

    /** Where the SEP itself is. */
    public String sepPath() {
        return SepActions.sepPath(number);
    }
}
