package dev.gavel.web.console.sep.action;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.web.console.sep.SepActionPaths;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts the submitted fields of a SEP action form to the arguments of an operation of the SEP service. The SEP
 * service validates the values. Stateless.
 */
public final class SepFormArgumentsMapper {
    private static final Pattern NUMBER = Pattern.compile("(?i)\\s*[a-z]{0,20}[-# ]*0*(\\d{1,9})\\s*");

    private SepFormArgumentsMapper() {}

    /**
     * Returns the arguments of an operation.
     *
     * @param to the target state of a move
     * @param document the hash of the document that the user has read; empty if it is not known
     * @param typed the submitted values, by field name
     */
    public static Json toArguments(
            SepOperation sepOperation, long number, String to, String document, Map<String, String> typed) {
        Json which = Json.object().with("number", Json.of(number));
        Json all = document.isEmpty() || !SepActionPaths.refersToDocument(sepOperation)
                ? which
                : which.with("document", Json.ofText(document));
        return switch (sepOperation) {
            case MOVE -> {
                Json move = with(all.with("to", Json.ofText(to)), typed, "reason");
                Json evidence = evidence(typed);
                yield evidence.members().isEmpty() ? move : move.with("evidence", evidence);
            }
            case COMMENT -> with(all, typed, "text");
            case VOTE -> with(with(all, typed, "ballot"), typed, "reason");
            case CONFIRM -> {
                String[] confirmed = filledIn(typed, "confirmed").orElse("").split("=", 2);
                Json confirmation = all.with("kind", Json.ofText(confirmed[0]));
                yield confirmed.length < 2 ? confirmation : confirmation.with("value", Json.ofText(confirmed[1]));
            }
            case ASK -> with(with(all, typed, "whom"), typed, "question");
            case ATTACH ->
                all.with(
                        "evidence",
                        Json.object()
                                .with(
                                        filledIn(typed, "kind").orElse(""),
                                        Json.ofText(filledIn(typed, "value").orElse(""))));
            case HOLD, RELEASE, WITHDRAW -> with(all, typed, "reason");
            case SUPERSEDE ->
                with(
                        filledIn(typed, "by")
                                .map(by -> all.with("by", parseNumber(by)))
                                .orElse(all),
                        typed,
                        "reason");
            case TRANSFER ->
                with(all, typed, "to")
                        .with("leave", Json.of(filledIn(typed, "leave").isPresent()));
            default -> all;
        };
    }

    private static Optional<String> filledIn(Map<String, String> typed, String name) {
        return Optional.ofNullable(typed.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static Json with(Json json, Map<String, String> typed, String name) {
        return filledIn(typed, name)
                .map(text -> json.with(name, Json.ofText(text)))
                .orElse(json);
    }

    private static Json evidence(Map<String, String> typed) {
        Json evidence = Json.object();
        for (String name : typed.keySet().stream().sorted().toList()) {
            Optional<String> value = filledIn(typed, name);
            if (name.startsWith(SepActionFormBuilder.EVIDENCE) && value.isPresent()) {
                evidence =
                        evidence.with(name.substring(SepActionFormBuilder.EVIDENCE.length()), Json.ofText(value.get()));
            }
        }
        return evidence;
    }

    /** Returns text that is not a number unchanged; the SEP service then reports that a number is required. */
    private static Json parseNumber(String text) {
        Matcher number = NUMBER.matcher(text);
        return number.matches() ? Json.of(Long.parseLong(number.group(1))) : Json.ofText(text);
    }
}
