package dev.gavel.sep.document;

import dev.gavel.lifecycle.process.DocumentFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The name of a document's file or directory, split into the leading number or placeholder and the rest.
 *
 * @param placeholder whether the name has a placeholder instead of a number
 */
public record DocumentFileName(OptionalInt number, boolean placeholder, String rest) {
    /** A longer number at the start of a name without the prefix is more likely a date or a build number. */
    private static final int MAX_DIGITS_WITHOUT_PREFIX = 5;

    private static final String NUMBERED = "(\\d{1,9})(?:[-_.](.{0,500}))?";
    private static final Pattern UNNUMBERED = Pattern.compile(
            "(?:x{2,9}|n{2,9}|draft|placeholder|tbd)[-_](.{0,500})", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern PLAIN = Pattern.compile(NUMBERED, Pattern.DOTALL);

    /** A date at the start of a name, which is not a number. */
    private static final Pattern DATED = Pattern.compile(
            "(\\d{4}[-_.]\\d{1,2}[-_.]\\d{1,2}|\\d{1,2}[-_.]\\d{1,2}[-_.]\\d{4})(?!\\d).*", Pattern.DOTALL);

    /** Returns the words after the number or placeholder, without the extension of the file. */
    String words() {
        int dot = rest.lastIndexOf('.');
        return (dot < 0 ? rest : rest.substring(0, dot))
                .replaceAll("[-_]+", " ")
                .strip();
    }

    /** Parses the name of the file or its directory, whichever the format has the number in; empty if in neither. */
    public static Optional<DocumentFileName> numbered(String path, DocumentFormat format) {
        return format.numberSources().stream()
                .flatMap(source -> switch (source) {
                    case FILE_NAME -> Stream.of(path);
                    case DIRECTORY -> Stream.of(DocumentFile.of(path).directory());
                    case TITLE, PREAMBLE -> Stream.<String>empty();
                })
                .map(name -> of(name, format))
                .findFirst();
    }

    /** Parses the last part of a path. */
    public static DocumentFileName of(String path, DocumentFormat format) {
        String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        String prefix = format.prefix();
        boolean prefixed = name.length() > prefix.length() && name.regionMatches(true, 0, prefix, 0, prefix.length());
        String bare = prefixed ? name.substring(prefix.length()) : name;
        boolean separated = prefixed && (bare.charAt(0) == '-' || bare.charAt(0) == '_');
        if (separated) {
            bare = bare.substring(1);
        }
        Matcher numbered = PLAIN.matcher(bare);
        if (numbered.matches()
                && (prefixed || numbered.group(1).length() <= MAX_DIGITS_WITHOUT_PREFIX)
                && !DATED.matcher(bare).matches()) {
            int number = Integer.parseInt(numbered.group(1));
            String rest = numbered.group(2) == null ? "" : numbered.group(2);
            return new DocumentFileName(number == 0 ? OptionalInt.empty() : OptionalInt.of(number), number == 0, rest);
        }
        Matcher unnumbered = UNNUMBERED.matcher(prefixed && !separated ? name : bare);
        return unnumbered.matches()
                ? new DocumentFileName(OptionalInt.empty(), true, unnumbered.group(1))
                : new DocumentFileName(OptionalInt.empty(), false, name);
    }
}
