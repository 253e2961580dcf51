package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The path of an imported document below the directory that was imported, such as {@code text/0042-paging.md}. It stays
 * below any directory to which it is resolved, and names a text document. Immutable.
 *
 * @param text the path, with {@code /} between its parts
 */
public record DocumentPath(String text) {
    private static final int MAX_LENGTH = 500;
    private static final int MAX_PARTS = 20;

    /** No part begins with a dot, which would hide the file or lead out of the directory. */
    private static final Pattern PART =
            Pattern.compile("[\\p{L}\\p{N}_(][\\p{L}\\p{N}\\p{M}._()+,@=~ -]{0,199}(?<![. ])");

    private static final Pattern DOCUMENT = Pattern.compile("(?i).*\\.(md|markdown|mdx|rst|txt|adoc)");

    /** Returns the path that a text contains; empty if the text is no relative path of a document. */
    public static Optional<DocumentPath> parse(String text) {
        if (text.length() > MAX_LENGTH || !DOCUMENT.matcher(text).matches()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>(List.of(text.replace('\\', '/').split("/", -1)));
        parts.removeIf("."::equals);
        boolean safe = !parts.isEmpty()
                && parts.size() <= MAX_PARTS
                && parts.stream().allMatch(part -> PART.matcher(part).matches());
        return safe ? Optional.of(new DocumentPath(String.join("/", parts))) : Optional.empty();
    }

    /** Returns the name of the file, without its directories. */
    public String fileName() {
        return text.substring(text.lastIndexOf('/') + 1);
    }
}
