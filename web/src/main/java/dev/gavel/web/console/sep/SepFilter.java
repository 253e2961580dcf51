package dev.gavel.web.console.sep;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.mcpx.json.Json;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The search criteria of the SEP board: text, author, sponsor and type. Immutable. */
public record SepFilter(
        Optional<String> text, Optional<String> author, Optional<String> sponsor, Optional<String> type) {
    private static final int MAX_LENGTH = 200;

    /** The filter that matches all SEPs. */
    public static final SepFilter NONE = of(name -> Optional.empty());

    /** Reads the criteria from the fields of a form. */
    public static SepFilter of(Function<String, Optional<String>> field) {
        return new SepFilter(
                field(field, "text"), field(field, "author"), field(field, "sponsor"), field(field, "type"));
    }

    private static Optional<String> field(Function<String, Optional<String>> field, String name) {
        return field.apply(name)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text -> text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) : text);
    }

    /** Whether any criterion is set. */
    public boolean isActive() {
        return !fields().isEmpty();
    }

    private Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        text.ifPresent(value -> fields.put("text", value));
        author.ifPresent(value -> fields.put("author", value));
        sponsor.ifPresent(value -> fields.put("sponsor", value));
        type.ifPresent(value -> fields.put("type", value));
        return fields;
    }

    /** The criteria as arguments of the SEP service's list operation. */
    public Json arguments() {
        Json arguments = Json.object();
        for (Map.Entry<String, String> field : fields().entrySet()) {
            arguments = arguments.with(field.getKey(), Json.ofText(field.getValue()));
        }
        return arguments;
    }

    /** Returns the path of the list of matching SEPs in a state. */
    public String path(String state) {
        return path(Map.of("state", state));
    }

    /** Returns the path of the next page of a state's list. */
    public String path(String state, String cursor) {
        Map<String, String> more = new LinkedHashMap<>();
        more.put("state", state);
        more.put("cursor", cursor);
        return path(more);
    }

    private String path(Map<String, String> more) {
        Map<String, String> all = fields();
        all.putAll(more);
        return SepPageRenderer.PATH
                + all.entrySet().stream()
                        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** Returns the path of the board with only the SEPs of one person, as author or sponsor. */
    public static String boardPath(String field, String who) {
        return of(name -> name.equals(field) ? Optional.of(who) : Optional.empty())
                .path(Map.of());
    }
}
