package dev.gavel.cli.proposal;

import dev.gavel.cli.TerminalStyle;
import dev.gavel.mcpx.RedactionMarker;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.text.JsonTextLayout;
import dev.gavel.mcpx.text.SafeText;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Formats parts of a proposal's JSON as short text for people, and makes untrusted text safe to print. Text that
 * participants wrote is untrusted and is sanitized. Stateless.
 */
public final class ProposalTextFormatter {
    private static final Pattern PLAIN = Pattern.compile("[\\w./:@,+-]+", Pattern.UNICODE_CHARACTER_CLASS);

    private ProposalTextFormatter() {}

    public static String id(Json proposal) {
        return SafeText.word(proposal.at("id").text());
    }

    /** The state, and for a fulfilled proposal also the outcome. */
    static String state(Json proposal) {
        String state = SafeText.line(proposal.at("state").text());
        return proposal.at("outcome")
                .asText()
                .map(outcome -> state + "/" + SafeText.line(outcome))
                .orElse(state);
    }

    static TerminalStyle style(Json proposal) {
        return switch (proposal.at("state").text()) {
            case "open" -> TerminalStyle.OPEN;
            case "rejected" -> TerminalStyle.BAD;
            case "fulfilled" ->
                switch (proposal.at("outcome").text()) {
                    case "succeeded" -> TerminalStyle.GOOD;
                    case "pending" -> TerminalStyle.CALL;
                    default -> TerminalStyle.BAD;
                };
            default -> TerminalStyle.FAINT;
        };
    }

    /** Describes the call of a proposal as it was or will be run: with the reviewer's arguments if it was edited. */
    static String describeProposedCall(Json proposal) {
        return describeCall(effectivePayload(proposal), proposal.at("id").text())
                + (isEdited(proposal) ? " (edited)" : "");
    }

    /** Whether a reviewer edited the call before approving it. */
    static boolean isEdited(Json proposal) {
        return proposal.at("edited").isTrue();
    }

    /** The payload of the call as it was or will be run. */
    static Json effectivePayload(Json proposal) {
        Json payload = proposal.at("payload");
        return isEdited(proposal) ? payload.with("params", proposal.at("fulfilledParams")) : payload;
    }

    /**
     * Describes the call with all its parameters, in the syntax of the command line. Of the client's metadata, only its
     * size is included.
     *
     * @param proposal the id of the proposal, or of a request without one
     */
    public static String describeCall(Json payload, String proposal) {
        CallParameters parameters = parameters(payload, proposal);
        Json arguments = parameters.arguments();
        String argumentText = arguments.type() == Json.Type.OBJECT && !RedactionMarker.isMarker(arguments)
                ? arguments(arguments.members())
                : arguments.isPresent() ? "arguments" + argument(arguments) : "";
        List<String> further = new ArrayList<>();
        Map<String, Json> others = parameters.others().members();
        if (!others.isEmpty()) {
            further.add((others.size() == 1 ? "1 other parameter: " : others.size() + " other parameters: ")
                    + arguments(others));
        }
        Json metadata = parameters.metadata();
        if (metadata.isPresent()) {
            further.add(String.format(
                    Locale.ROOT,
                    "%,d characters of metadata from the client",
                    metadata.compact().length()));
        }
        return Stream.of(
                        describeTarget(payload),
                        argumentText,
                        further.isEmpty() ? "" : "(and " + String.join("; ", further) + ")")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
    }

    /** Names the tool, prompt or resource of a call, with the method if the method is not {@code tools/call}. */
    static String describeTarget(Json payload) {
        String method = SafeText.line(payload.at("method").text());
        String target = parameters(payload, "").target();
        String name =
                method.startsWith("resources/") ? SafeText.word(target) : target.isEmpty() ? "" : SafeText.name(target);
        return method.equals("tools/call") && !name.isEmpty() ? name : (method + " " + name).strip();
    }

    private static CallParameters parameters(Json payload, String proposal) {
        return CallParameters.ofMethod(payload.at("method").text(), payload.at("params"), proposal);
    }

    private static String arguments(Map<String, Json> arguments) {
        return arguments.entrySet().stream()
                .map(each -> SafeText.name(each.getKey()) + argument(each.getValue()))
                .collect(Collectors.joining(" "));
    }

    private static String argument(Json value) {
        if (RedactionMarker.isMarker(value)) {
            return "=[" + value.at(RedactionMarker.NAME).text() + "]";
        }
        return value.asText()
                .map(text -> "="
                        + (PLAIN.matcher(text).matches() && SafeText.line(text).equals(text)
                                ? text
                                : JsonTextLayout.line(value)))
                .orElseGet(() -> ":=" + JsonTextLayout.line(value));
    }

    /**
     * Whether the reviewer has to confirm the approval in a second step. If the server does not say what the call can do,
     * it needs care.
     */
    public static boolean isCareful(Json proposal) {
        Json careful = proposal.at("review").at("careful");
        return careful.type() != Json.Type.BOOLEAN || careful.isTrue();
    }

    /** What the call can do, in one sentence. */
    public static String effect(Json proposal) {
        return proposal.at("review")
                .at("effectText")
                .asText()
                .map(SafeText::line)
                .orElse("The Gavel server does not report what this call can do.");
    }

    /** The server's warnings about the call, and the number of those that it left out. */
    public static List<String> warnings(Json proposal) {
        Json review = proposal.at("review");
        List<String> warnings = new ArrayList<>(
                review.at("warnings").texts().stream().map(SafeText::line).toList());
        long omitted = review.at("moreWarnings").asLong(0);
        if (omitted > 0) {
            warnings.add(omitted == 1 ? "and 1 more warning" : "and " + omitted + " more warnings");
        }
        return warnings;
    }

    /** Whether the reader may move the proposal to this state. */
    public static boolean mayMoveTo(Json proposal, String state) {
        return proposal.at("guidance").at("toAdvance").elements().stream()
                .anyMatch(move ->
                        move.at("to").text().equals(state) && move.at("youMay").isTrue());
    }

    /** The reason why no participant may move the proposal to this state now, if it is blocked. */
    public static Optional<String> blockedReason(Json proposal, String state) {
        return proposal.at("guidance").at("toAdvance").elements().stream()
                .filter(move -> move.at("to").text().equals(state))
                .flatMap(move -> move.at("barred").asText().stream())
                .map(SafeText::line)
                .findFirst();
    }

    /** The name by which texts call a member: its display name if it has one, otherwise its id. */
    public static String name(Json proposal, String id) {
        return MemberNameFormatter.name(proposal.at("names"), id);
    }

    /** The name of a member, with its id if the two differ. */
    static String nameWithId(Json proposal, String id) {
        return MemberNameFormatter.nameWithId(proposal.at("names"), id);
    }

    /** The names of those who must act next. */
    static String nextActors(Json proposal) {
        Json guidance = proposal.at("guidance");
        List<String> connectedActors = guidance.at("mustAct").elements().stream()
                .map(each -> name(proposal, each.at("who").text()))
                .toList();
        if (!connectedActors.isEmpty()) {
            return SafeText.line(String.join(", ", connectedActors));
        }
        List<String> absentActors = guidance.at("waitingOn").texts().stream()
                .map(id -> name(proposal, id))
                .toList();
        return absentActors.isEmpty() ? "-" : SafeText.line(String.join(", ", absentActors)) + " (not connected)";
    }

    public static String status(Json proposal) {
        return SafeText.line(proposal.at("guidance").at("status").text());
    }

    static String nextStep(Json proposal) {
        return SafeText.line(proposal.at("guidance").at("nextStep").text());
    }

    /** Returns when an open proposal is closed, unless it is decided before: it expires, or is withdrawn. */
    public static Optional<Instant> closesAt(Json proposal) {
        return parseTime(proposal.at("guidance").at("until")).or(() -> parseTime(proposal.at("expiresAt")));
    }

    /** When the proposal was made. */
    public static Optional<Instant> proposedAt(Json proposal) {
        return proposal.at("timeline").elements().stream().findFirst().flatMap(first -> parseTime(first.at("at")));
    }

    public static Optional<Instant> parseTime(Json value) {
        try {
            return value.asText().map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Whether the proposal has reached its final state and outcome. */
    public static boolean isEnded(Json proposal) {
        return switch (proposal.at("state").text()) {
            case "open" -> false;
            case "fulfilled" -> !proposal.at("outcome").text().equals("pending");
            default -> true;
        };
    }

    static boolean isSucceeded(Json proposal) {
        return proposal.at("outcome").text().equals("succeeded");
    }

    /** The JSON-RPC response that determined the outcome; missing if there is none. */
    public static Json answer(Json proposal) {
        // The first answer sets the outcome; later ones change nothing.
        return proposal.at("timeline").elements().stream()
                .filter(step -> step.at("event").text().equals("answered"))
                .map(step -> step.at("result"))
                .findFirst()
                .orElse(proposal.at("result"));
    }
}
