package dev.gavel.mcpx;

import dev.gavel.mcpx.text.LookalikeWordFinder;
import dev.gavel.mcpx.text.NearestNameFinder;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds capability patterns that are valid but match no envelope that a participant sends, usually because of a typing
 * mistake. A pattern for a protocol that Gavel does not know is not reported, unless its name looks like a mistake.
 * Stateless.
 */
public final class CapabilityPatternChecker {
    private static final String MCP = "mcp";
    private static final String MCPX = "mcpx";
    private static final String CHAT = "chat";
    private static final String GAVEL = "gavel";
    private static final List<String> PROTOCOLS = List.of(MCP, MCPX, CHAT, GAVEL);
    private static final List<String> MCP_OPERATIONS = List.of("request", "response", "proposal");
    private static final List<String> MCPX_OPERATIONS = List.of("withdraw", "reject", "status");
    private static final String NOTIFICATIONS = "notifications/";
    private static final List<String> METHODS_WITH_CONTEXT =
            List.of("tools/call", "prompts/get", "resources/read", "resources/subscribe", "resources/unsubscribe");
    private static final List<String> OTHER_METHODS = List.of(
            "initialize",
            "ping",
            "tools/list",
            "prompts/list",
            "resources/list",
            "resources/templates/list",
            "completion/complete",
            "logging/setLevel",
            "sampling/createMessage",
            "elicitation/create",
            "roots/list",
            "tasks/list",
            "tasks/get",
            "tasks/result",
            "tasks/update",
            "tasks/cancel",
            "server/discover",
            "subscriptions/listen");

    /** The beginnings of methods that only MCP itself defines. */
    private static final List<String> METHOD_GROUPS = List.of("tools/", "prompts/", "resources/");

    /** The beginnings of patterns whose author left out {@code mcp} or {@code mcp.request}. */
    private static final List<String> MISPLACED_WORDS = List.of(
            "tool",
            "tools",
            "call",
            "prompt",
            "prompts",
            "resource",
            "resources",
            "request",
            "response",
            "proposal",
            "propose");

    private CapabilityPatternChecker() {}

    /**
     * Returns why the pattern probably does not match what its author meant, and how to correct it; empty if there is no
     * such reason, or if the pattern is not valid.
     */
    public static Optional<String> findProblem(String pattern) {
        if (!pattern.equals(pattern.strip())) {
            return Optional.of("capability " + InputExcerptFormatter.quote(pattern)
                    + " begins or ends with a space, which is part of the pattern. Remove it.");
        }
        if (SafeText.countHidden(pattern) > 0) {
            return Optional.of("capability '" + SafeText.line(pattern)
                    + "' contains a hidden character or an unusual space, which is part of the pattern. Remove it.");
        }
        Optional<String> imitation = LookalikeWordFinder.find(pattern);
        if (imitation.isPresent()) {
            return Optional.of("capability " + InputExcerptFormatter.quote(pattern) + " contains '" + imitation.get()
                    + "', in which letters of another alphabet look like Latin letters. Type the name with one"
                    + " alphabet.");
        }
        Optional<String> wildcard = otherWildcard(pattern);
        if (wildcard.isPresent()) {
            return Optional.of("capability " + InputExcerptFormatter.quote(pattern) + " contains '" + wildcard.get()
                    + "', which matches only itself. The only wildcard is '*'. Write one capability for each name.");
        }
        return KindParts.parsePattern(pattern) instanceof ValueParseResult.Valid<KindParts>(KindParts parts)
                ? problem(parts, pattern.endsWith("*"))
                        .map(reason ->
                                "capability " + InputExcerptFormatter.quote(pattern) + " matches nothing: " + reason)
                : Optional.empty();
    }

    /** The first character that is a wildcard in other programs. A URI may contain some of them. */
    private static Optional<String> otherWildcard(String pattern) {
        Stream<String> characters = pattern.contains("resources/")
                ? Stream.of("{", "}")
                : Stream.of("{", "}", "?", "|", "(", ")", "[", "]");
        return characters.filter(pattern::contains).findFirst();
    }

    private static Optional<String> problem(KindParts parts, boolean openEnded) {
        String operation = parts.operation();
        if (operation == null) {
            return toolNameProblem(parts.protocol());
        }
        if (parts.protocol().indexOf('*') >= 0) {
            return Optional.empty();
        }
        return switch (parts.protocol()) {
            case MCP -> mcpProblem(operation, parts.method(), parts.context(), openEnded);
            case MCPX -> mcpxProblem(operation, parts.method(), openEnded);
            case CHAT ->
                matchesAny(operation, List.of("message")) && parts.method() == null
                        ? Optional.empty()
                        : Optional.of("the only kind of this protocol is chat.message");
            case GAVEL ->
                matchesAny(operation, List.of("approve"))
                                && (parts.method() == null
                                        ? openEnded
                                        : matchesAny(parts.method(), List.of("definition")))
                        ? Optional.empty()
                        : Optional.of("the only capability of this protocol is gavel.approve.definition");
            case "system" -> Optional.of("only the gateway sends envelopes of the protocol 'system'");
            default -> protocolProblem(parts.protocol());
        };
    }

    /** Protocols have plain names, so a pattern such as {@code read_*} is the name of a tool without its kind. */
    private static Optional<String> toolNameProblem(String pattern) {
        return pattern.indexOf('_') < 0
                ? Optional.empty()
                : Optional.of("it has no operation. To match calls of a tool, write mcp.request.tools/call:" + pattern);
    }

    private static Optional<String> protocolProblem(String protocol) {
        if (MISPLACED_WORDS.contains(protocol)) {
            return Optional.of("'" + protocol + "' is not a protocol. To match calls of a tool, write"
                    + " mcp.request.tools/call:NAME.");
        }
        return NearestNameFinder.suggest(protocol, PROTOCOLS)
                .map(nearest -> "'" + protocol + "' is not a protocol. Did you mean '" + nearest + "'?");
    }

    private static Optional<String> mcpProblem(
            String operation, @Nullable String method, @Nullable String context, boolean openEnded) {
        if (!matchesAny(operation, MCP_OPERATIONS)) {
            return Optional.of("'" + operation + "' is not an operation of MCP. "
                    + didYouMean(operation, MCP_OPERATIONS).orElse("Use request, response or proposal."));
        }
        if (method == null) {
            return openEnded
                    ? Optional.empty()
                    : Optional.of("it has no method. To match every method, write mcp." + operation + ".*");
        }
        if (matchesAny(method, METHODS_WITH_CONTEXT)) {
            return contextProblem(context);
        }
        boolean known = matchesAny(method, OTHER_METHODS) || method.startsWith(NOTIFICATIONS);
        if (known && context != null) {
            return Optional.of("envelopes with the method '" + method + "' have no name after a colon. Only "
                    + "tools/call, prompts/get and resources/… have one.");
        }
        if (known || matchesAny(method, List.of(NOTIFICATIONS))) {
            return Optional.empty();
        }
        Optional<String> joined = METHODS_WITH_CONTEXT.stream()
                .filter(each -> method.startsWith(each + ".") || method.startsWith(each + "/"))
                .findFirst();
        if (joined.isPresent()) {
            String name = joined.get();
            return Optional.of("'" + method + "' is not a method of MCP. Write a colon after the method: mcp."
                    + operation + "." + name + ":" + method.substring(name.length() + 1));
        }
        Optional<String> suggestion =
                didYouMean(method, METHODS_WITH_CONTEXT).or(() -> didYouMean(method, OTHER_METHODS));
        // Every method that is not in the lists above has a slash, also a method of an extension.
        if (suggestion.isPresent() || method.indexOf('/') < 0) {
            return Optional.of("'" + method + "' is not a method of MCP. "
                    + suggestion.orElse("To match a tool, write mcp." + operation + ".tools/call:" + method + "."));
        }
        return METHOD_GROUPS.stream()
                .filter(method::startsWith)
                .findFirst()
                .map(group -> "'" + method + "' is not a method of MCP. Use " + methodsOf(group) + ".");
    }

    private static String methodsOf(String group) {
        return Stream.concat(METHODS_WITH_CONTEXT.stream(), OTHER_METHODS.stream())
                .filter(each -> each.startsWith(group))
                .collect(Collectors.joining(" or "));
    }

    private static Optional<String> contextProblem(@Nullable String context) {
        if (context != null && !context.equals(context.strip())) {
            return Optional.of("the name after the colon begins or ends with a space. Remove it.");
        }
        return context != null
                        && context.indexOf('*') >= 0
                        && List.of(context.split("/", -1)).contains("..")
                ? Optional.of("a pattern with '*' never matches a name with the path segment '..'")
                : Optional.empty();
    }

    private static Optional<String> mcpxProblem(String operation, @Nullable String method, boolean openEnded) {
        boolean matches = matchesAny(operation, MCPX_OPERATIONS)
                && (method == null ? openEnded : matchesAny(method, List.of("proposal")));
        return matches
                ? Optional.empty()
                : Optional.of("the kinds of this protocol are mcpx.withdraw.proposal, mcpx.reject.proposal and"
                        + " mcpx.status.proposal");
    }

    private static boolean matchesAny(String pattern, List<String> words) {
        Glob glob = Glob.compile(pattern);
        return words.stream().anyMatch(glob::matches);
    }

    private static Optional<String> didYouMean(String word, List<String> known) {
        return NearestNameFinder.suggest(word, known).map(nearest -> "Did you mean '" + nearest + "'?");
    }
}
