package dev.gavel.lifecycle.process;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text for people with placeholders such as <code>{since}</code>, filled in when it is shown. */
public record TextTemplate(String template) {
    /** The placeholders allowed in every text, in addition to the roles, evidence and attributes of its process. */
    public static final List<String> PLACEHOLDERS = List.of("state", "since", "days", "expected", "then");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");

    public TextTemplate {
        template = template.strip();
        if (template.isEmpty()) {
            throw new IllegalArgumentException("a text must not be empty");
        }
    }

    /** The placeholder names, in the order of the text. */
    public List<String> placeholders() {
        return PLACEHOLDER
                .matcher(template)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** Returns the text with each placeholder replaced by the value of its name. */
    public String fill(UnaryOperator<String> value) {
        return PLACEHOLDER.matcher(template).replaceAll(match -> Matcher.quoteReplacement(value.apply(match.group(1))));
    }
}
