package dev.gavel.web.console.sep.action;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.console.sep.action.SepActionForm.FieldGroup;
import dev.gavel.web.console.sep.action.SepFormField.Control;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Marks errors in a submitted SEP form: missing fields, and the SEP service's refusal next to the fields that
 * it concerns. Stateless.
 */
public final class SepFormErrorMarker {
    private SepFormErrorMarker() {}

    /** Returns the form with its empty required fields marked; empty if no field is missing. */
    public static Optional<SepActionForm> findMissing(SepActionForm form) {
        List<String> empty = form.groups().stream()
                .flatMap(group -> group.fields().stream())
                .filter(SepFormErrorMarker::isMissing)
                .map(SepFormField::label)
                .toList();
        return empty.isEmpty()
                ? Optional.empty()
                : Optional.of(withComplaint(
                        form,
                        "Fill in the required fields: " + String.join(", ", empty) + ".",
                        field -> isMissing(field) ? field.withError("This field is required.") : field));
    }

    private static boolean isMissing(SepFormField field) {
        return field.required() && field.value().isBlank();
    }

    /** Returns the form with the reason for the refusal; all entered values stay. */
    public static SepActionForm withRefusal(SepActionForm form, SepResult sepResult) {
        return switch (sepResult) {
            case SepResult.Refused(String code, String message, Json more) ->
                withComplaint(form, message, field -> markField(field, code, more));
            case SepResult.InvalidRequest(String message) ->
                withComplaint(form, sentence(message), field -> markField(form, field, message));
            case SepResult.NotFound(String message) -> withComplaint(form, sentence(message), field -> field);
            case SepResult.Unavailable(String reason, var _) ->
                withComplaint(form, "Nothing was changed: " + reason + ". Try again in a moment.", field -> field);
            case SepResult.Success _ -> form;
        };
    }

    /** Returns the reason for a refusal as text. */
    public static String refusalText(SepResult sepResult) {
        return switch (sepResult) {
            case SepResult.Refused refused -> SafeText.lines(refused.message());
            case SepResult.InvalidRequest(String message) -> SafeText.lines(sentence(message));
            case SepResult.NotFound(String message) -> SafeText.lines(sentence(message));
            case SepResult.Unavailable(String reason, var _) ->
                SafeText.lines("Nothing was changed: " + reason + ". Try again in a moment.");
            case SepResult.Success _ -> "";
        };
    }

    private static SepActionForm withComplaint(SepActionForm form, String message, UnaryOperator<SepFormField> mark) {
        List<FieldGroup> groups = new ArrayList<>();
        for (FieldGroup group : form.groups()) {
            groups.add(new FieldGroup(
                    group.legend(), group.fields().stream().map(mark).toList()));
        }
        return new SepActionForm(
                form.number(),
                form.title(),
                form.state(),
                form.sepOperation(),
                form.path(),
                form.heading(),
                form.explanation(),
                form.requirements(),
                groups,
                form.button(),
                form.danger(),
                Optional.of(SafeText.lines(message)));
    }

    private static SepFormField markField(SepFormField field, String code, Json more) {
        for (Json missing : more.at("missing").elements()) {
            if (missing.at("kinds").texts().stream().anyMatch(kind -> acceptsKind(field, kind))) {
                return field.withError(
                        code.equals("bad-evidence")
                                ? "Expected: "
                                        + expectedFormat(
                                                field, missing.at("accepts").text()) + "."
                                : "This is missing.");
            }
        }
        // A vote or a hold that is refused because something is missing lacks its reason.
        return code.equals("missing")
                        && field.name().equals("reason")
                        && more.at("missing").elements().isEmpty()
                ? field.withError("Enter a reason.")
                : field;
    }

    /** Names only the expected format, because the label beside the field already says what it is for. */
    private static String expectedFormat(SepFormField field, String accepts) {
        return switch (field.control()) {
            case LINK -> "a link that starts with https:// or http://";
            case DATE -> "a date such as 2026-03-31";
            default -> accepts.replaceFirst("^[\\w-]+: ", "");
        };
    }

    private static boolean acceptsKind(SepFormField field, String kind) {
        return field.name().equals(SepActionFormBuilder.EVIDENCE + kind)
                || field.name().equals("value");
    }

    /** Marks the field that the message names; if it names none, the field for a person, whom it then concerns. */
    private static SepFormField markField(SepActionForm form, SepFormField field, String message) {
        boolean person = field.control() == Control.PERSON
                && form.groups().stream()
                        .flatMap(group -> group.fields().stream())
                        .noneMatch(each -> names(message, each));
        return names(message, field) || person ? field.withError(SafeText.lines(sentence(message))) : field;
    }

    private static boolean names(String message, SepFormField field) {
        return message.contains("'" + field.name() + "'");
    }

    private static String sentence(String message) {
        String capitalized = SepActionFormBuilder.capitalize(message);
        return capitalized.endsWith(".") || capitalized.endsWith("?") ? capitalized : capitalized + ".";
    }
}
