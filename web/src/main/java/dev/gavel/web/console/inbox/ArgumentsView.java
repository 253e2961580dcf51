package dev.gavel.web.console.inbox;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The arguments of a proposed call, laid out for a reviewer to read. All texts are sanitized for display; only HTML
 * escaping is left to the template. Immutable.
 *
 * @param warnings what the reviewer should read twice
 * @param json all arguments as JSON; empty if only the beginning is shown
 */
public record ArgumentsView(List<Argument> arguments, List<String> warnings, boolean clipped, String json) {
    /** A list shows at most this many characters: a reviewer does not read more in passing. */
    private static final int MAX_LENGTH = 6_000;

    private static final int MAX_INLINE_LENGTH = 100;
    private static final int MAX_ARGUMENTS = 40;

    public ArgumentsView {
        arguments = List.copyOf(arguments);
        warnings = List.copyOf(warnings);
    }

    /**
     * One argument.
     *
     * @param name empty if the arguments are a single value without a name
     * @param sizeText the length of the value, if it is worth showing
     */
    public record Argument(String name, Layout layout, String text, String sizeText) {}

    /** How a value is laid out. */
    public enum Layout {
        /** As JSON, on the same line as the name. */
        SHORT,
        /** As plain text, on separate lines. */
        TEXT,
        /** As JSON, on separate lines. */
        JSON
    }

    /**
     * Lays out arguments.
     *
     * @param whole whether to show everything, however long
     */
    static ArgumentsView of(Json value, boolean whole) {
        String json = SafeText.json(value.pretty());
        boolean clipped = !whole && json.length() > MAX_LENGTH;
        int left = clipped ? MAX_LENGTH : Integer.MAX_VALUE;
        List<Argument> list = new ArrayList<>();
        Map<String, Json> members = value.type() == Json.Type.OBJECT ? value.members() : Map.of("", value);
        for (Map.Entry<String, Json> member : members.entrySet()) {
            if (clipped && (left <= 0 || list.size() == MAX_ARGUMENTS)) {
                break;
            }
            Argument argument = argument(SafeText.line(member.getKey()), member.getValue(), left);
            left -= argument.text().length();
            list.add(argument);
        }
        return new ArgumentsView(list, ArgumentWarningFinder.find(value), clipped, clipped ? "" : json);
    }

    private static Argument argument(String name, Json value, int longest) {
        if (value.type() == Json.Type.TEXT) {
            String text = value.text();
            boolean lines = text.indexOf('\n') >= 0;
            if (lines || text.length() > MAX_INLINE_LENGTH) {
                return new Argument(name, Layout.TEXT, clip(SafeText.lines(text), longest), sizeText(text));
            }
        }
        String json = SafeText.json(value.compact());
        boolean nested = value.type() == Json.Type.OBJECT || value.type() == Json.Type.ARRAY;
        return !nested || json.length() <= MAX_INLINE_LENGTH
                ? new Argument(name, Layout.SHORT, clip(json, longest), "")
                : new Argument(name, Layout.JSON, clip(SafeText.json(value.pretty()), longest), "");
    }

    private static String sizeText(String text) {
        long lines = text.lines().count();
        return (lines > 1 ? lines + " lines, " : "")
                + String.format(Locale.ROOT, "%,d", text.codePointCount(0, text.length())) + " characters";
    }

    private static String clip(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Math.max(longest, 1);
        // Does not split a surrogate pair.
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
