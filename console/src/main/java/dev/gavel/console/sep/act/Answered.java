package dev.gavel.console.sep.act;

import dev.gavel.console.sep.act.ActForm.Group;
import dev.gavel.console.sep.act.Field.Control;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.desk.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Puts a no of the desk into the form it was sent by: all of it above, and beside a field what is about it. Stateless. */
public final class Answered {
    private Answered() {}

    /** The form with what is still to be filled in; nothing where it can be sent. */
    public static Optional<ActForm> incomplete(ActForm form) {
        List<String> empty = form.groups().stream()
                .flatMap(group -> group.fields().stream())
                .filter(Answered::isMissing)
                .map(Field::label)
                .toList();
        return empty.isEmpty()
                ? Optional.empty()
                : Optional.of(complaining(
                        form,
                        "Not done yet. Still to be filled in: " + String.join("; ", empty) + ".",
                        field -> isMissing(field) ? field.wrong("This is needed.") : field));
    }

    private static boolean isMissing(Field field) {
        return field.required() && field.value().isBlank();
    }

    /** The form with why it was refused; everything typed stays. */
    public static ActForm refused(ActForm form, Reply reply) {
        return switch (reply) {
            case Reply.Refused(String code, String message, Json more) ->
                complaining(form, message, field -> about(field, code, more));
            case Reply.Wrong(String message) -> complaining(form, sentence(message), field -> about(field, message));
            case Reply.Unknown(String message) -> complaining(form, sentence(message), field -> field);
            case Reply.Unavailable(String reason, var _) ->
                complaining(form, "Nothing was done: " + reason + ". Try again in a moment.", field -> field);
            case Reply.Done _ -> form;
        };
    }

    /** Why something was refused, in words. */
    public static String words(Reply reply) {
        return switch (reply) {
            case Reply.Refused refused -> SafeText.lines(refused.message());
            case Reply.Wrong(String message) -> SafeText.lines(sentence(message));
            case Reply.Unknown(String message) -> SafeText.lines(sentence(message));
            case Reply.Unavailable(String reason, var _) ->
                SafeText.lines("Nothing was done: " + reason + ". Try again in a moment.");
            case Reply.Done _ -> "";
        };
    }

    private static ActForm complaining(ActForm form, String message, UnaryOperator<Field> mark) {
        List<Group> groups = new ArrayList<>();
        for (Group group : form.groups()) {
            groups.add(
                    new Group(group.legend(), group.fields().stream().map(mark).toList()));
        }
        return new ActForm(
                form.number(),
                form.title(),
                form.state(),
                form.verb(),
                form.path(),
                form.heading(),
                form.says(),
                form.ticks(),
                groups,
                form.button(),
                form.danger(),
                Optional.of(SafeText.lines(message)));
    }

    private static Field about(Field field, String code, Json more) {
        for (Json missing : more.at("missing").elements()) {
            if (missing.at("kinds").texts().stream().anyMatch(kind -> isOf(field, kind))) {
                return field.wrong(
                        code.equals("bad-evidence")
                                ? "It must be "
                                        + wanted(field, missing.at("accepts").text()) + "."
                                : "This is still needed.");
            }
        }
        // A vote or a hold that is refused for want of something wants its reason.
        return code.equals("missing")
                        && field.name().equals("reason")
                        && more.at("missing").elements().isEmpty()
                ? field.wrong("Say why.")
                : field;
    }

    /** What a field is for is said beside it: only how it is to be written is told. */
    private static String wanted(Field field, String accepts) {
        return switch (field.control()) {
            case LINK -> "a link that begins with https:// or http://";
            case DATE -> "a date such as 2026-03-31";
            default -> accepts.replaceFirst("^[\\w-]+: ", "");
        };
    }

    private static boolean isOf(Field field, String kind) {
        return field.name().equals(ActForms.EVIDENCE + kind) || field.name().equals("value");
    }

    private static Field about(Field field, String message) {
        boolean named = message.contains("'" + field.name() + "'");
        boolean person = field.control() == Control.PERSON
                && (message.startsWith("nobody here is called") || message.startsWith("you have asked"));
        return named || person ? field.wrong(SafeText.lines(sentence(message))) : field;
    }

    private static String sentence(String message) {
        String begun = ActForms.capital(message);
        return begun.endsWith(".") || begun.endsWith("?") ? begun : begun + ".";
    }
}
