package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.RedactionMarker;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.text.JsonTextLayout;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.SafeText.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The parameters of a proposed call, laid out for a reviewer to read. All texts are sanitized for display; only HTML
 * escaping is left to the template. Immutable.
 *
 * @param others parameters besides the arguments
 * @param metadata what the client added to the call as {@code _meta}
 * @param clipped how much is shown, if not everything is
 * @param json all parameters as JSON; empty if only the beginning is shown
 */
public record ArgumentsView(
        List<Argument> arguments,
        List<Argument> others,
        Optional<Metadata> metadata,
        Optional<Clipping> clipped,
        String json) {
    /** A list shows at most this many characters: a reviewer does not read more in passing. */
    private static final int MAX_LENGTH = 6_000;

    private static final int MAX_INLINE_LENGTH = 100;
    private static final int MAX_ARGUMENTS = 40;

    public ArgumentsView {
        arguments = List.copyOf(arguments);
        others = List.copyOf(others);
    }

    /**
     * One argument.
     *
     * @param name empty if the arguments are a single value without a name
     * @param runs the value
     * @param sizeText the length of the value, if it is worth showing
     */
    public record Argument(String name, Layout layout, List<Run> runs, String sizeText) {
        public Argument {
            runs = List.copyOf(runs);
        }

        /** The value as text. */
        public String text() {
            return SafeText.join(runs);
        }
    }

    /** How a value is laid out. */
    public enum Layout {
        /** As JSON, on the same line as the name. */
        SHORT,
        /** Not at all, because the value is secret. */
        HIDDEN,
        /** As plain text, on separate lines. */
        TEXT,
        /** As JSON, on separate lines. */
        JSON
    }

    /**
     * The metadata of a call, which a page shows only on request: most clients add some to each call.
     *
     * @param summary how much there is
     */
    public record Metadata(String summary, List<Run> runs) {
        public Metadata {
            runs = List.copyOf(runs);
        }
    }

    /** How many characters of the parameters are shown, and how many there are. */
    public record Clipping(String shown, String all) {}

    /**
     * Lays out the parameters of a call.
     *
     * @param method the method of the call, which determines the parameter that it runs
     * @param redacted whether the gateway put markers in place of secret values; otherwise no value is a marker
     * @param whole whether to show everything, however long
     */
    static ArgumentsView of(String method, Json params, String proposal, boolean redacted, boolean whole) {
        CallParameters parameters = CallParameters.ofMethod(method, params, proposal);
        List<Argument> all = arguments(parameters.arguments(), redacted);
        List<Argument> others = arguments(parameters.others(), redacted);
        Optional<Metadata> metadata = metadata(parameters.metadata());
        int length = totalLength(all)
                + totalLength(others)
                + metadata.map(it -> length(it.runs())).orElse(0);
        String json = SafeText.json(params.pretty());
        if (whole || (length <= MAX_LENGTH && all.size() + others.size() <= MAX_ARGUMENTS)) {
            return new ArgumentsView(all, others, metadata, Optional.empty(), json);
        }
        List<Argument> shown = clip(all, MAX_LENGTH, MAX_ARGUMENTS);
        List<Argument> shownOthers = clip(others, MAX_LENGTH - totalLength(shown), MAX_ARGUMENTS - shown.size());
        return new ArgumentsView(
                shown,
                shownOthers,
                Optional.empty(),
                Optional.of(new Clipping(format(totalLength(shown) + totalLength(shownOthers)), format(length))),
                "");
    }

    private static List<Argument> arguments(Json value, boolean redacted) {
        if (!value.isPresent()) {
            return List.of();
        }
        if (value.type() != Json.Type.OBJECT || (redacted && RedactionMarker.isMarker(value))) {
            return List.of(argument("", value, redacted));
        }
        return value.members().entrySet().stream()
                .map(member -> argument(SafeText.name(member.getKey()), member.getValue(), redacted))
                .toList();
    }

    private static Argument argument(String name, Json value, boolean redacted) {
        if (value.type() == Json.Type.TEXT) {
            String text = value.text();
            if (text.indexOf('\n') >= 0 || text.length() > MAX_INLINE_LENGTH) {
                return new Argument(name, Layout.TEXT, SafeText.lineRuns(text), sizeText(text));
            }
        }
        if (redacted && RedactionMarker.isMarker(value)) {
            return new Argument(name, Layout.HIDDEN, List.of(), "");
        }
        List<Run> line = JsonTextLayout.lineRun(value);
        boolean nested = value.type() == Json.Type.OBJECT || value.type() == Json.Type.ARRAY;
        return !nested || length(line) <= MAX_INLINE_LENGTH
                ? new Argument(name, Layout.SHORT, line, "")
                : new Argument(name, Layout.JSON, JsonTextLayout.lineRuns(value), "");
    }

    private static Optional<Metadata> metadata(Json value) {
        if (!value.isPresent()) {
            return Optional.empty();
        }
        List<Run> runs = JsonTextLayout.lineRuns(value);
        int fields = value.members().size();
        return Optional.of(new Metadata(
                (fields == 1 ? "1 field, " : fields + " fields, ")
                        + format(value.compact().length()) + " characters",
                runs));
    }

    private static String sizeText(String text) {
        long lines = text.lines().count();
        return (lines > 1 ? lines + " lines, " : "") + format(text.codePointCount(0, text.length())) + " characters";
    }

    private static String format(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static int length(List<Run> runs) {
        return runs.stream().mapToInt(run -> run.text().length()).sum();
    }

    private static int totalLength(List<Argument> arguments) {
        return arguments.stream().mapToInt(argument -> length(argument.runs())).sum();
    }

    private static List<Argument> clip(List<Argument> all, int maxLength, int maxCount) {
        List<Argument> shown = new ArrayList<>();
        int left = maxLength;
        for (Argument argument : all) {
            if (left <= 0 || shown.size() >= maxCount) {
                break;
            }
            List<Run> runs = clip(argument.runs(), left);
            shown.add(new Argument(argument.name(), argument.layout(), runs, argument.sizeText()));
            left -= length(runs);
        }
        return shown;
    }

    private static List<Run> clip(List<Run> runs, int longest) {
        List<Run> shown = new ArrayList<>();
        int left = longest;
        for (Run run : runs) {
            if (run.text().length() > left) {
                // Does not split a surrogate pair or an escape.
                int end = left > 0 && Character.isHighSurrogate(run.text().charAt(left - 1)) ? left - 1 : left;
                shown.add(new Run((run.escaped() ? "" : run.text().substring(0, end)) + "…", false));
                return shown;
            }
            shown.add(run);
            left -= run.text().length();
        }
        return shown;
    }
}
