package dev.gavel.web.console.sep.action;

import dev.gavel.sep.service.SepOperation;
import dev.gavel.web.console.sep.SepActionPaths;
import java.util.List;
import java.util.Optional;

/**
 * The form for one action on a SEP, with its requirements, fields and errors. Immutable.
 *
 * @param path the path from which the form is loaded and to which it is submitted
 * @param explanation what the action means, in a sentence or two
 * @param requirements requirements that are already met, and those that the form cannot satisfy
 * @param groups the fields to fill in
 * @param button the label of the button; empty if the action is not possible at all
 * @param danger whether the page must protect the user from a mistake
 * @param complaint why the action was refused
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
    /** A requirement of the action: whether it is met, and by what it is met or blocked. */
    public record RequirementStatus(String label, boolean met, String detail) {}

    /**
     * Fields that are filled in together.
     *
     * @param legend the purpose of the group; empty if the label of its only field says so
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

    public String sepPath() {
        return SepActionPaths.sepPath(number);
    }
}
