package dev.gavel.sep.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the authors or sponsors in a preamble value, in all the forms people write them. Stateless. */
final class AuthorParser {
    private static final int MAX_LENGTH = 20_000;
    private static final int LONGEST_NAME = 100;
    private static final int MAX_AUTHORS = 200;
    private static final String HANDLE = "[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,60}[A-Za-z0-9_])?_?";
    private static final Pattern LINK = Pattern.compile("\\[([^\\[\\]]{0,200})]\\(([^()\\s]{0,500})\\)");
    private static final Pattern PROFILE = Pattern.compile(
            "(?:https?://)?(?:www\\.)?git(?:hub|lab)\\.com/@?([A-Za-z0-9_.-]{1,60})/?", Pattern.CASE_INSENSITIVE);
    private static final Pattern MAIL = Pattern.compile(
            "(?:mailto:)?[^\\s@<>()\\[\\],;]{1,100}@[^\\s@<>()\\[\\],;]{1,100}\\.[^\\s@<>()\\[\\],;]{1,60}");
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s<>()]{1,500}");
    private static final Pattern AT = Pattern.compile("(?<![^\\s(\\[<])@(" + HANDLE + ")");
    private static final Pattern LOGIN = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9_])?");
    private static final Pattern NOTE = Pattern.compile("\\([^()]{0,500}\\)|<[^<>]{0,500}>|\\[[^\\[\\]]{0,500}]");
    /** The account of a person: a handle or mail address in brackets, or a handle. */
    private static final Pattern ACCOUNT = Pattern.compile(
            "\\(@" + HANDLE + "\\)|<[^<>\\s]{1,200}@[^<>\\s]{1,200}>|(?<=\\s)@" + HANDLE + "|^@" + HANDLE);

    /** A name between two accounts. */
    private static final Pattern NAME = Pattern.compile("\\s{1,9}(?:\\p{Lu}[\\p{L}.'’-]{0,40}\\s{1,9}){1,5}");

    private static final Pattern DASH = Pattern.compile("\\s[—–-]{1,2}\\s");
    private static final Pattern COMPANY = Pattern.compile(
            ".*\\b(?:LLC|Inc|Ltd|GmbH|Corp|Corporation|Company|AG|B\\.V|S\\.A|PLC)\\.?", Pattern.CASE_INSENSITIVE);
    private static final Set<String> OTHERS =
            Set.of("et al", "et al.", "others", "and others", "contributors", "community");

    private static final String MARKS = "-–—:.,;()[]<>\"'|";

    private AuthorParser() {}

    /** Returns the persons that a value names, each once. */
    static List<Author> parse(String value) {
        List<Author> authors = new ArrayList<>();
        boolean afterRemark = false;
        for (String piece : people(value.length() > MAX_LENGTH ? value.substring(0, MAX_LENGTH) : value)) {
            Author author = author(piece).orElse(null);
            if (author == null || isRemark(author, piece, afterRemark, !authors.isEmpty())) {
                continue;
            }
            if (authors.size() < MAX_AUTHORS && authors.stream().noneMatch(each -> isSamePerson(each, author))) {
                authors.add(author);
            }
            afterRemark = DASH.matcher(piece).find();
        }
        return authors;
    }

    /** Whether a piece after a person is not a person: their company, or the continuation of a remark about them. */
    private static boolean isRemark(Author author, String piece, boolean afterRemark, boolean others) {
        if (!others || piece.contains("@")) {
            return false;
        }
        String identifier = author.identifier();
        return COMPANY.matcher(identifier).matches() || (afterRemark && Character.isLowerCase(identifier.charAt(0)));
    }

    /** Splits a value at its separators, and where another name with an account follows the account of a person. */
    private static List<String> people(String value) {
        List<String> people = new ArrayList<>();
        for (String piece : pieces(value)) {
            int start = 0;
            Matcher account = ACCOUNT.matcher(piece);
            int end = -1;
            while (account.find()) {
                // Without a name before it, an account in brackets is another account of the same person.
                String between = end < 0 ? "" : piece.substring(end, account.start());
                boolean isBare = end > 0 && piece.charAt(end - 1) != ')' && piece.charAt(end - 1) != '>';
                if (NAME.matcher(between).matches()
                        || (!between.isEmpty()
                                && between.isBlank()
                                && isBare
                                && account.group().startsWith("@"))) {
                    people.add(piece.substring(start, end));
                    start = end;
                }
                end = account.end();
            }
            people.add(piece.substring(start));
        }
        return people;
    }

    private static List<String> pieces(String value) {
        List<String> pieces = new ArrayList<>();
        StringBuilder piece = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (each == '\n') {
                depth = 0;
            } else if ("([<".indexOf(each) >= 0) {
                depth++;
            } else if (")]>".indexOf(each) >= 0) {
                depth = Math.max(0, depth - 1);
            }
            int skipped = depth > 0 ? 0 : separator(value, i);
            if (skipped == 0) {
                piece.append(each);
                continue;
            }
            pieces.add(piece.toString());
            piece.setLength(0);
            i += skipped - 1;
        }
        pieces.add(piece.toString());
        return pieces;
    }

    private static int separator(String value, int i) {
        char each = value.charAt(i);
        if (each == ',' || each == ';' || each == '\n' || each == '•' || each == '·') {
            return 1;
        }
        if (Character.isWhitespace(each)) {
            for (String word : List.of("and", "&", "|", "+", "/")) {
                int after = i + 1 + word.length();
                if (value.regionMatches(true, i + 1, word, 0, word.length())
                        && (after >= value.length() || Character.isWhitespace(value.charAt(after)))) {
                    return word.length() + 1;
                }
            }
        }
        return 0;
    }

    private static Optional<Author> author(String piece) {
        String left = piece.strip();
        for (String word : List.of("and ", "& ", "- ")) {
            if (left.regionMatches(true, 0, word, 0, word.length())) {
                left = left.substring(word.length()).strip();
            }
        }
        if (PreambleValueParser.isPlaceholder(left)
                || left.regionMatches(true, 0, "on behalf of", 0, 12)
                || OTHERS.contains(left.toLowerCase(Locale.ROOT))) {
            return Optional.empty();
        }
        List<String> handles = new ArrayList<>();
        // Only the person before the dash counts. The remark after it may name others.
        Matcher dash = DASH.matcher(left);
        String who = dash.find() ? left.substring(0, dash.start()) : left;
        String name = LINK.matcher(who).replaceAll(found -> {
            profile(found.group(2)).ifPresent(handles::add);
            return Matcher.quoteReplacement(found.group(1));
        });
        Matcher at = AT.matcher(name);
        while (at.find()) {
            handles.addFirst(at.group(1));
        }
        profile(name).ifPresent(handles::add);
        name = NOTE.matcher(name).replaceAll(" ");
        name = AT.matcher(name).replaceAll(" ");
        name = ADDRESS.matcher(name).replaceAll(" ");
        name = PROFILE.matcher(name).replaceAll(" ");
        name = MAIL.matcher(name).replaceAll(" ");
        return author(words(name), handles);
    }

    private static Optional<Author> author(String name, List<String> handles) {
        if (name.length() > LONGEST_NAME) {
            return Optional.empty();
        }
        if (!handles.isEmpty()) {
            return Optional.of(
                    new Author(Optional.of(name).filter(word -> !word.isEmpty()), Optional.of(handles.getFirst())));
        }
        if (name.isEmpty()
                || PreambleValueParser.isPlaceholder(name)
                || name.chars().noneMatch(Character::isLetterOrDigit)) {
            return Optional.empty();
        }
        return Optional.of(
                looksLikeLogin(name)
                        ? new Author(Optional.empty(), Optional.of(name))
                        : new Author(Optional.of(name), Optional.empty()));
    }

    /** Whether a single word is a login. A first name has one capital, its first letter; a login has not. */
    private static boolean looksLikeLogin(String word) {
        return LOGIN.matcher(word).matches()
                && (!Character.isUpperCase(word.charAt(0))
                        || word.chars().skip(1).anyMatch(each -> !Character.isLowerCase(each)));
    }

    private static Optional<String> profile(String text) {
        Matcher profile = PROFILE.matcher(text);
        return profile.find() ? Optional.of(profile.group(1)) : Optional.empty();
    }

    private static String words(String text) {
        String words = text.strip().replaceAll("\\s+", " ");
        while (endsWithMark(words)) {
            words = words.substring(0, words.length() - 1).strip();
        }
        while (!words.isEmpty() && MARKS.indexOf(words.charAt(0)) >= 0) {
            words = words.substring(1).strip();
        }
        return words;
    }

    private static boolean endsWithMark(String words) {
        return !words.isEmpty() && MARKS.indexOf(words.charAt(words.length() - 1)) >= 0 && !endsWithInitial(words);
    }

    /** Whether the text ends with a full stop that belongs to a name, as in "Alice B.". */
    private static boolean endsWithInitial(String words) {
        int length = words.length();
        return length > 2
                && words.charAt(length - 1) == '.'
                && Character.isUpperCase(words.charAt(length - 2))
                && words.charAt(length - 3) == ' ';
    }

    private static boolean isSamePerson(Author one, Author other) {
        boolean handled = one.handle().isPresent() && other.handle().isPresent();
        return handled ? one.identifier().equalsIgnoreCase(other.identifier()) : one.equals(other);
    }
}
