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
 * @param sideFile the name of the file beside the document that contains its preamble, such as {@code kep.yaml}
 */
public record DocumentPath(String text, Optional<String> sideFile) {
    private static final int MAX_LENGTH = 500;
    private static final int MAX_PARTS = 20;

    /** No part begins with a dot, which would hide the file or lead out of the directory. */
    private static final Pattern PART =
            Pattern.compile("[\\p{L}\\p{N}_(][\\p{L}\\p{N}\\p{M}._()+,@=~ -]{0,199}(?<![. ])");

    private static final Pattern SIDE_FILE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}\\.ya?ml");
    private static final Pattern DOCUMENT = Pattern.compile("(?i).*\\.(md|markdown|mdx|rst|txt|adoc)");

    /** Creates the path of a document without a side file. */
    public DocumentPath(String text) {
        this(text, Optional.empty());
    }

    /** Returns the path that a text contains; empty if the text is not a relative path of a document. */
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

    /** Returns a copy with a side file; empty if its name is not that of a YAML file. */
    public Optional<DocumentPath> withSideFile(String name) {
        return SIDE_FILE.matcher(name).matches()
                ? Optional.of(new DocumentPath(text, Optional.of(name)))
                : Optional.empty();
    }

    /** Returns the path of the side file, which is in the directory of the document. */
    public Optional<String> sidePath() {
        return sideFile.map(name -> text.substring(0, text.lastIndexOf('/') + 1) + name);
    }
}
