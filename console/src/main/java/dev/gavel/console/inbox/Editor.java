package dev.gavel.console.inbox;

import dev.gavel.console.edit.Difference;
import dev.gavel.console.edit.Places;
import dev.gavel.console.edit.Schema;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where somebody puts other arguments in place of those proposed.
 *
 * @param text what they wrote so far
 * @param chosen who is to run it, as they chose
 * @param complaint why approving it came to nothing
 */
public record Editor(Card card, Json proposed, String text, Optional<String> chosen, Optional<String> complaint) {
    private static final Pattern PLACED = Pattern.compile("line (\\d{1,9}), column \\d+: (.*)", Pattern.DOTALL);
    private static final int LONGEST = 200;

    /** One in which nothing was changed yet. */
    public static Editor of(Card card, Json proposed) {
        return new Editor(card, proposed, proposed.pretty(), Optional.empty(), Optional.empty());
    }

    /** What the tool's arguments are, as it says itself. */
    public List<Schema.Member> members() {
        return card.call()
                .tool()
                .map(tool -> new Schema(tool.schema()).members())
                .orElse(List.of());
    }

    public int rows() {
        return Math.clamp(text.lines().count() + 2, 6, 24);
    }

    /** What is to be said of what was written. */
    public Checked checked() {
        return check(proposed, text, card.call().tool());
    }

    /**
     * What is to be said of arguments.
     *
     * @param value what they are; nothing where they are no JSON object
     */
    public record Checked(Optional<Json> value, List<Trouble> troubles, Difference difference) {
        public Checked {
            troubles = List.copyOf(troubles);
        }

        public boolean good() {
            return troubles.isEmpty();
        }
    }

    /** What is wrong, and on which line. */
    public record Trouble(int line, String words) {}

    private static Trouble noJson(String text) {
        String words = Json.trouble(text).orElse("it cannot be read");
        Matcher placed = PLACED.matcher(words);
        return placed.matches()
                ? new Trouble(
                        Integer.parseInt(placed.group(1)),
                        "This is not JSON: " + SafeText.brief(placed.group(2), LONGEST))
                : new Trouble(1, "This is not JSON: " + SafeText.brief(words, LONGEST));
    }

    /** Looks at what somebody wrote. */
    public static Checked check(Json proposed, String text, Optional<Tool> tool) {
        Optional<Json> read = Json.parse(text);
        if (read.isEmpty()) {
            return new Checked(Optional.empty(), List.of(noJson(text)), new Difference(List.of(), false));
        }
        Json value = read.get();
        if (value.type() != Json.Type.OBJECT) {
            return new Checked(
                    Optional.empty(),
                    List.of(new Trouble(1, "Arguments are a JSON object: {\"name\": value}.")),
                    new Difference(List.of(), false));
        }
        Places places = Places.in(text);
        List<Trouble> troubles = tool.map(it -> new Schema(it.schema()).faults(value)).orElse(List.of()).stream()
                .map(fault ->
                        new Trouble(places.line(fault.path()), SafeText.line(fault.path() + " " + fault.words()) + "."))
                .toList();
        return new Checked(read, troubles, Difference.between(proposed, value));
    }
}
