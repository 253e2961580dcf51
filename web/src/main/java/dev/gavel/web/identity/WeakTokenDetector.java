package dev.gavel.web.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Recognizes tokens that are not secrets: unresolved variables, placeholders from examples, common words, and texts that
 * are easy to guess. It does not measure how random a token is: it accepts words that it does not know. Stateless.
 */
public final class WeakTokenDetector {
    private static final Pattern VARIABLE = Pattern.compile(
            "\\$\\{+\\s*(?:env[:.])?([A-Za-z_]\\w*)[^}]*}+|\\$\\(?([A-Za-z_]\\w*)\\)?|\\{\\{\\s*(?:env[:.])?\\.?([A-Za-z_]\\w*)\\s*}}|%([A-Za-z_]\\w*)%");

    private static final int MIN_DISTINCT_CHARACTERS = 6;
    private static final int MAX_REPEATED_LENGTH = 8;

    /** The words of placeholders. A token that consists only of them, apart from digits and signs, is not a secret. */
    private static final List<String> PLACEHOLDER_WORDS = List.of(
            "a",
            "abc",
            "access",
            "add",
            "admin",
            "agent",
            "an",
            "api",
            "auth",
            "bar",
            "baz",
            "bearer",
            "change",
            "changed",
            "default",
            "demo",
            "dummy",
            "enter",
            "env",
            "example",
            "fake",
            "fill",
            "fixme",
            "foo",
            "for",
            "from",
            "gavel",
            "gvl",
            "hello",
            "here",
            "in",
            "insert",
            "is",
            "it",
            "key",
            "letmein",
            "long",
            "me",
            "my",
            "need",
            "needs",
            "new",
            "not",
            "of",
            "one",
            "or",
            "own",
            "passphrase",
            "passwd",
            "password",
            "paste",
            "placeholder",
            "please",
            "private",
            "put",
            "qwerty",
            "random",
            "real",
            "replace",
            "sample",
            "secret",
            "set",
            "some",
            "string",
            "tbd",
            "temp",
            "test",
            "testing",
            "text",
            "the",
            "this",
            "to",
            "todo",
            "token",
            "user",
            "value",
            "very",
            "welcome",
            "with",
            "world",
            "x",
            "xxx",
            "you",
            "your",
            "yours");

    /** Words of common passwords, which are as easy to guess. */
    private static final List<String> PASSWORD_WORDS = List.of(
            "account",
            "alice",
            "amazing",
            "april",
            "august",
            "authorization",
            "autumn",
            "baseball",
            "batman",
            "battery",
            "best",
            "big",
            "black",
            "blue",
            "bob",
            "bridge",
            "client",
            "cloud",
            "code",
            "company",
            "computer",
            "cool",
            "correct",
            "dave",
            "december",
            "dev",
            "developer",
            "development",
            "dog",
            "dragon",
            "eve",
            "fall",
            "february",
            "flower",
            "football",
            "friday",
            "game",
            "gateway",
            "god",
            "good",
            "great",
            "green",
            "happy",
            "horse",
            "house",
            "iloveyou",
            "internet",
            "january",
            "july",
            "june",
            "killer",
            "king",
            "lab",
            "local",
            "login",
            "london",
            "love",
            "magic",
            "man",
            "march",
            "master",
            "may",
            "mcp",
            "michael",
            "microsoft",
            "monday",
            "money",
            "monkey",
            "morning",
            "nice",
            "night",
            "november",
            "october",
            "ok",
            "open",
            "ops",
            "orange",
            "pass",
            "people",
            "pepper",
            "power",
            "pretty",
            "prince",
            "princess",
            "prod",
            "production",
            "purple",
            "red",
            "root",
            "safe",
            "saturday",
            "secure",
            "september",
            "server",
            "service",
            "shadow",
            "simple",
            "spring",
            "staging",
            "staple",
            "star",
            "starwars",
            "strong",
            "summer",
            "sun",
            "sunday",
            "sunshine",
            "super",
            "superman",
            "sweet",
            "sys",
            "system",
            "team",
            "thursday",
            "tiger",
            "tokens",
            "top",
            "topic",
            "trustno",
            "tuesday",
            "ultra",
            "unsafe",
            "wednesday",
            "white",
            "winter",
            "yellow");

    /** Placeholders of several words whose hashes are recognized. */
    private static final List<String> PLACEHOLDERS = List.of(
            "",
            "change-me",
            "changeme",
            "changeme12345678",
            "changeme-changeme",
            "my-secret-token",
            "my-token",
            "password123",
            "replace-me",
            "secret-token",
            "test-token",
            "your-secret-token",
            "your-token",
            "your-token-here");

    /** The rows of keyboards, and the columns of the American one. */
    private static final String KEYBOARD = "1234567890 qwertyuiop asdfghjkl zxcvbnm qwertz azerty"
            + " 1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm 8ik, 9ol. 0p;/";

    private static final String USE_RANDOM = ": use a random token, for example from 'openssl rand -hex 32'";

    private WeakTokenDetector() {}

    /** As {@link #problem(String, String)}, for a token whose owner is not known. */
    static Optional<String> problem(String token) {
        return problem(token, "");
    }

    /**
     * Returns what is wrong with the hash of a token: the token is empty, a well-known placeholder or the owner's name.
     * The token may end with a line break, which {@code echo} adds.
     */
    public static Optional<String> problem(TokenHash hash, String owner) {
        return Stream.of(PLACEHOLDERS.stream(), PLACEHOLDER_WORDS.stream(), Stream.of(owner))
                        .flatMap(tokens -> tokens)
                        .flatMap(token -> Stream.of(token, token + "\n"))
                        .anyMatch(token -> TokenHash.of(token).equals(hash))
                ? Optional.of("is the hash of an empty text or of a placeholder" + USE_RANDOM)
                : Optional.empty();
    }

    /**
     * Returns what is wrong with a token, as the end of a sentence that begins with what the token is; empty if nothing
     * is. The text never contains the token.
     */
    public static Optional<String> problem(String token, String owner) {
        Matcher variable = VARIABLE.matcher(token);
        if (variable.matches()) {
            return Optional.of("is a variable, and Gavel does not expand variables: write env:" + name(variable));
        }
        if (token.regionMatches(true, 0, "Bearer ", 0, "Bearer ".length())) {
            return Optional.of("begins with 'Bearer ', which belongs to the HTTP header: write only the token");
        }
        if (token.length() < TokenAuthenticator.MIN_TOKEN_LENGTH) {
            return Optional.of(
                    "is too short: use at least " + TokenAuthenticator.MIN_TOKEN_LENGTH + " random characters");
        }
        if (isPlaceholder(token, owner)) {
            return Optional.of("is a placeholder" + USE_RANDOM);
        }
        return isEasyToGuess(token) || consistsOf(token, allWords(owner))
                ? Optional.of("is too easy to guess" + USE_RANDOM)
                : Optional.empty();
    }

    private static String name(Matcher variable) {
        for (int group = 1; group <= variable.groupCount(); group++) {
            String name = variable.group(group);
            if (name != null) {
                return name;
            }
        }
        return "NAME";
    }

    private static boolean isPlaceholder(String token, String owner) {
        if ((token.startsWith("<") && token.endsWith(">")) || (token.startsWith("[") && token.endsWith("]"))) {
            return true;
        }
        return consistsOf(token, withOwner(PLACEHOLDER_WORDS, owner));
    }

    private static List<String> allWords(String owner) {
        return withOwner(
                Stream.concat(PLACEHOLDER_WORDS.stream(), PASSWORD_WORDS.stream())
                        .toList(),
                owner);
    }

    private static List<String> withOwner(List<String> words, String owner) {
        List<String> all = new ArrayList<>(words);
        // The empty word would fit everywhere.
        Stream.of(letters(owner)).filter(word -> !word.isEmpty()).forEach(all::add);
        return all;
    }

    /** Whether a token consists only of these words, apart from digits and signs. */
    private static boolean consistsOf(String token, List<String> words) {
        String letters = letters(token);
        // fits[i]: the first i letters are words.
        boolean[] fits = new boolean[letters.length() + 1];
        fits[0] = true;
        for (int end = 1; end <= letters.length(); end++) {
            for (String word : words) {
                int start = end - word.length();
                if (start >= 0 && fits[start] && letters.startsWith(word, start)) {
                    fits[end] = true;
                    break;
                }
            }
        }
        // A token of digits and signs may be random; a few letters among many digits may be, too.
        return letters.length() * 2 >= token.length() && fits[letters.length()];
    }

    private static String letters(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
    }

    private static boolean isEasyToGuess(String token) {
        return token.chars().distinct().count() < MIN_DISTINCT_CHARACTERS
                || isRepeated(token)
                || isSequence(token)
                || isKeyboard(token);
    }

    /** Whether most characters follow the one before them on a keyboard, such as {@code qwertyuiopasdfgh}. */
    private static boolean isKeyboard(String token) {
        String lower = token.toLowerCase(Locale.ROOT);
        int neighbours = 0;
        for (int i = 1; i < lower.length(); i++) {
            String pair = lower.substring(i - 1, i + 1);
            boolean adjacent = KEYBOARD.contains(pair) || KEYBOARD.contains(new StringBuilder(pair).reverse());
            neighbours += adjacent ? 1 : 0;
        }
        return neighbours * 5 >= (lower.length() - 1) * 4;
    }

    /** Whether the token repeats a short text, such as {@code abc123abc123abc123}. */
    private static boolean isRepeated(String token) {
        for (int length = 1; length <= Math.min(MAX_REPEATED_LENGTH, token.length() / 2); length++) {
            if (token.regionMatches(length, token, 0, token.length() - length)) {
                return true;
            }
        }
        return false;
    }

    /** Whether nearly every character follows the one before it, up or down, such as {@code 1234567890123456}. */
    private static boolean isSequence(String token) {
        int up = 0;
        int down = 0;
        for (int i = 1; i < token.length(); i++) {
            int step = token.charAt(i) - token.charAt(i - 1);
            up += step == 1 ? 1 : 0;
            down += step == -1 ? 1 : 0;
        }
        return Math.max(up, down) * 10 >= (token.length() - 1) * 9;
    }
}
